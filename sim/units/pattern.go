package units

import (
	"fmt"
	"strings"
)

// Regular expressions for what reads these languages from outside: JSON Schema, editors. They are written in what RE2 and
// ECMAScript share. They know the form of a text and not its size: a duration that is too long matches.

// wholePattern is a whole number that does not begin with 0.
const wholePattern = `(?:0|[1-9][0-9]*)`

// DurationPattern matches what Duration reads, but for a bare 0.
func DurationPattern() string { return "^" + durationPattern() + "$" }

func durationPattern() string {
	const tail = `(?:\.[0-9]+)?`
	goes := wholePattern + tail + unitPattern() + `(?:[0-9]+` + tail + unitPattern() + `)*`
	part := func(designator string) string { return `(?:[0-9]+` + designator + `)?` }
	last := func(designator string) string { return `[0-9]+` + tail + designator }
	clock := strings.Join([]string{last("H"), part("H") + last("M"), part("H") + part("M") + last("S")}, "|")
	iso := fmt.Sprintf("P(?:%s|%s|%sT(?:%s))", last("W"), part("W")+last("D"), part("W")+part("D"), clock)
	return "(?:" + goes + "|" + iso + ")"
}

func unitPattern() string {
	names := []string{"µs", "μs"}
	for _, u := range scale {
		names = append(names, u.name)
	}
	return "(?:" + strings.Join(names, "|") + ")"
}

// RatePattern matches what Rate reads.
func RatePattern() string {
	return "^" + wholePattern + "/(?:" + unitPattern() + "|" + durationPattern() + ")$"
}

// PercentPattern matches what Fraction reads with a percent sign behind it.
func PercentPattern() string { return "^" + wholePattern + `(?:\.[0-9]+)?%$` }

// SizePattern matches what Size reads.
func SizePattern() string {
	var names []string
	for _, u := range sizes {
		names = append(names, u.name)
	}
	return "^" + wholePattern + "(?:" + strings.Join(names, "|") + ")$"
}

// NamePattern matches what Name accepts.
func NamePattern() string {
	return strings.TrimSuffix(namelike.String(), "*$") + fmt.Sprintf("{0,%d}$", longestName-1)
}
