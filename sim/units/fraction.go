package units

import (
	"math/bits"
	"strconv"
	"strings"
)

// decimals is how many decimals a fraction may have: 10^18 fits 64 bits.
const decimals = 18

// Fraction reads a number that need not be whole, `0.02` or `2%`, as the exact quotient num/den in lowest terms. den divides
// 10^18. It is not bounded above by 1: the caller knows the range.
func Fraction(text string) (num, den uint64, err error) {
	number, percent := strings.CutSuffix(text, "%")
	whole, tail, point := strings.Cut(number, ".")
	if digits(whole) < len(whole) || whole == "" || digits(tail) < len(tail) || point && tail == "" {
		return 0, 0, &Error{Quote(text) + " is not a number", fractionHint(text)}
	}
	if padded(whole) {
		return 0, 0, &Error{"number " + Quote(text) + " begins with 0", "write `0.5`, `5` or `5%`"}
	}
	tail = strings.TrimRight(tail, "0")
	places := len(tail)
	if percent {
		places += 2
	}
	if places > decimals {
		return 0, 0, &Error{"number " + Quote(text) + " has too many decimals", "the most are 18, or 16 before `%`"}
	}
	num, e := strconv.ParseUint(whole+tail, 10, 64)
	if e != nil {
		return 0, 0, &Error{"number " + Quote(text) + " is too large", ""}
	}
	den = 1
	for range places {
		den *= 10
	}
	return reduced(num, den)
}

// reduced returns num/den in lowest terms.
func reduced(num, den uint64) (uint64, uint64, error) {
	a, b := num, den
	for b > 0 {
		a, b = b, a%b
	}
	return num / a, den / a, nil
}

// FractionOf returns ⌊unit·num/den⌋ for a fraction of at most 1: what 2% of 2^63 is.
func FractionOf(unit, num, den uint64) uint64 {
	hi, lo := bits.Mul64(unit, num)
	q, _ := bits.Div64(hi, lo, den)
	return q
}

func fractionHint(text string) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return "it cannot be negative"
	case strings.HasPrefix(text, ".") && digits(text[1:]) > 0:
		return "write " + Quote("0"+text)
	case exponent.MatchString(text):
		return "write it out, without an exponent"
	}
	return "write `0.02` or `2%`"
}
