package units

import (
	"strings"
	"unicode"
)

// spelled holds other names that people give to our units.
var spelled = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"day": "d", "days": "d",
	"msec": "ms", "msecs": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"usec": "us", "micros": "us", "microsecond": "us", "microseconds": "us",
	"nsec": "ns", "nanos": "ns", "nanosecond": "ns", "nanoseconds": "ns",
}

// durationError says what is wrong with a text that is no duration.
func durationError(text string) error {
	number := numeral(text)
	switch {
	case strings.HasPrefix(text, "-"):
		return &Error{"duration " + Quote(text) + " is negative", ""}
	case text != "" && number == text && decimal(number):
		return &Error{"duration " + Quote(text) + " has no unit", "write " + Quote(text+"ms") + " or " + Quote(text+"s")}
	}
	e := &Error{Message: Quote(text) + " is not a duration", Hint: "write it like `500ms`, `90s`, `1h30m` or `2d`"}
	switch guess, ok := respelled(text); {
	case ok:
		e.Hint = "write " + Quote(guess)
	case decimal(number) && len(number) < len(text) && onlyLetters(text[len(number):]):
		e.Message = "duration " + Quote(text) + " has an unknown unit"
		e.Hint = "units are ns, us, ms, s, m, h and d"
	}
	return e
}

// respelled guesses what was meant: other unit names, capitals, spaces, zeros and signs in front. It returns false unless
// the guess is a duration.
func respelled(text string) (string, bool) {
	guess := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimPrefix(text, "+"))
	if whole := guess[:digits(guess)]; padded(whole) {
		guess = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:] + guess[len(whole):]
	}
	if strings.HasPrefix(guess, ".") {
		guess = "0" + guess
	}
	number := numeral(guess)
	if name, ok := spelled[guess[len(number):]]; ok {
		guess = number + name
	}
	if guess == text || strings.HasPrefix(guess, "p") || guess == "0" || strings.HasSuffix(text, "M") {
		return "", false // a capital M may be months
	}
	_, err := Duration(guess)
	return guess, err == nil
}

func onlyLetters(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
