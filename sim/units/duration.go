package units

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/clock"
)

// day is 24 hours: there are no time zones in a simulation.
const day = 24 * time.Hour

// A unit of time, by the name that Go's durations give it; d is ours.
type unit struct {
	name string
	size time.Duration
}

// scale holds the units from the largest to the smallest.
var scale = [...]unit{
	{"d", day},
	{"h", time.Hour},
	{"m", time.Minute},
	{"s", time.Second},
	{"ms", time.Millisecond},
	{"us", time.Microsecond},
	{"ns", time.Nanosecond},
}

// sizeOf returns the length of a unit.
func sizeOf(name string) (time.Duration, bool) {
	if name == "µs" || name == "μs" { // U+00B5, U+03BC
		name = "us"
	}
	for _, u := range scale {
		if u.name == name {
			return u.size, true
		}
	}
	return 0, false
}

// Duration reads a span of time that is not negative: Go's syntax with `d` for 24 hours (`90s`, `1h30m`, `2d`), ISO 8601
// (`PT90S`, `P1DT2H`, `P2W`), or a bare `0`. It is exact: a part finer than 1 ns is an error. The longest is clock.Longest.
func Duration(text string) (time.Duration, error) {
	ns, err := measure(text)
	if err != nil {
		return 0, err
	}
	return exactly(text, ns)
}

// measure returns the nanoseconds that a duration spells, however many they are.
func measure(text string) (*big.Rat, error) {
	switch {
	case text == "0":
		return new(big.Rat), nil
	case strings.HasPrefix(text, "P"):
		return isoDuration(text)
	}
	total := new(big.Rat)
	rest := text
	for first := true; first || rest != ""; first = false {
		number := numeral(rest)
		name := unitName(rest[len(number):])
		size, known := sizeOf(name)
		if whole, _, _ := strings.Cut(number, "."); !known || !decimal(number) || first && padded(whole) {
			return nil, durationError(text)
		}
		total.Add(total, times(number, size))
		rest = rest[len(number)+len(name):]
	}
	return total, nil
}

// numeral returns the digits and points that text begins with.
func numeral(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
}

// unitName returns what stands before the next number.
func unitName(text string) string {
	if end := strings.IndexAny(text, "0123456789."); end >= 0 {
		return text[:end]
	}
	return text
}

// decimal reports whether a numeral is a number: `1`, `1.5`; not `.`, `.5`, `5.`, `1.2.3`, nor longer than any use.
func decimal(number string) bool {
	whole, tail, point := strings.Cut(number, ".")
	return whole != "" && digits(tail) == len(tail) && point == (tail != "") && len(number) <= 40
}

// times returns number·size.
func times(number string, size time.Duration) *big.Rat {
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		panic("units: not a decimal: " + number)
	}
	return n.Mul(n, new(big.Rat).SetInt64(int64(size)))
}

// exactly returns the duration of so many nanoseconds.
func exactly(text string, ns *big.Rat) (time.Duration, error) {
	if ns.Cmp(new(big.Rat).SetInt64(int64(clock.Longest))) > 0 {
		return 0, &Error{"duration " + Quote(text) + " is too long", "the longest is about 146 years, `" + FormatDuration(clock.Longest) + "`"}
	}
	if !ns.IsInt() {
		return 0, &Error{"duration " + Quote(text) + " is not a whole number of nanoseconds", ""}
	}
	return time.Duration(ns.Num().Int64()), nil
}

// FormatDuration returns the shortest exact form in one unit, with a whole part of at least 1: `90s`, `1.5s`, `100ms`, `2h`,
// `30d`, `0s`. Duration reads it back.
func FormatDuration(d time.Duration) string {
	if d == 0 {
		return "0s"
	}
	sign, rest := "", uint64(d)
	if d < 0 {
		sign, rest = "-", -rest
	}
	best := ""
	for _, u := range scale {
		size := uint64(u.size)
		if rest < size || size > uint64(time.Second) && rest%size != 0 {
			continue // a fraction of a minute is never shorter than its seconds
		}
		text := strconv.FormatUint(rest/size, 10) + tailOf(rest%size, size) + u.name
		if best == "" || len(text) < len(best) {
			best = text
		}
	}
	return sign + best
}

// tailOf returns the decimals of rest/size, size a power of ten.
func tailOf(rest, size uint64) string {
	if rest == 0 {
		return ""
	}
	return "." + strings.TrimRight(strconv.FormatUint(size+rest, 10)[1:], "0")
}
