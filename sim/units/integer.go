package units

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	exponent  = regexp.MustCompile(`^[0-9.]+[eE][+-]?[0-9]+$`)
	separated = regexp.MustCompile(`^[0-9]+([_, '][0-9]+)+$`)
	nothing   = regexp.MustCompile(`^[0-9]+\.0*$`)
	namelike  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
)

// longestName is how many characters a name may have.
const longestName = 64

// Integer reads a whole number: 0, or digits that do not begin with 0. Signs, separators, decimal points, exponents and
// other bases are errors.
func Integer(text string) (uint64, error) {
	n := digits(text)
	switch {
	case text == "" || n < len(text):
		return 0, &Error{Quote(text) + " is not a whole number", integerHint(text)}
	case padded(text):
		return 0, &Error{"whole number " + Quote(text) + " begins with 0", "write " + Quote(strings.TrimLeft(text[:n-1], "0")+text[n-1:])}
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, &Error{"whole number " + Quote(text) + " is too large", "the largest is 18446744073709551615"}
	}
	return v, nil
}

func integerHint(text string) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return "it cannot be negative"
	case separated.MatchString(text):
		return "write " + Quote(strings.NewReplacer("_", "", ",", "", " ", "", "'", "").Replace(text))
	case nothing.MatchString(text):
		return "write " + Quote(text[:digits(text)])
	case exponent.MatchString(text):
		return "write it out, without an exponent"
	}
	return "write digits only, such as `10`"
}

// Boolean reads true or false; YAML's other spellings are errors.
func Boolean(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	hint := "write `true` or `false`"
	switch strings.ToLower(text) {
	case "true", "yes", "y", "on", "1":
		hint = "write `true`"
	case "false", "no", "n", "off", "0":
		hint = "write `false`"
	}
	return false, &Error{Quote(text) + " is not a boolean", hint}
}

// Name checks a name: a letter, then letters, digits, `_` and `-`, at most longestName of them.
func Name(text string) error {
	switch {
	case !namelike.MatchString(text):
		return &Error{Quote(text) + " is not a name", "a letter, then letters, digits, `_` and `-`"}
	case len(text) > longestName:
		return &Error{"name " + Quote(text) + " is too long", "the longest has " + strconv.Itoa(longestName) + " characters"}
	}
	return nil
}
