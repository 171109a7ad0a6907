package units

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A pattern matches exactly what its reader takes, but for what is too large, too fine or too long for the reader.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name, pattern, parts string // parts of which texts are put together
		read                 func(string) error
		beyond               []string // what messages say of texts that have the right form
	}{
		{
			"duration", DurationPattern(), "0 1 05 90 1.5 .5 5. 1.2.3 ns us µs μs ms s m h d w P PT T W D H M S 1W 2D 3H 4M 5.5S - 1e3 x",
			func(s string) error { return second(Duration(s)) },
			[]string{"is too long", "whole number of nanoseconds"},
		},
		{
			"rate", RatePattern(), "0 1 05 50 1.5 / /s /m /h /0s /100ms /PT5S s d 1h P1D 0.5ns -",
			func(s string) error { return second(Rate(s)) },
			[]string{"is too long", "whole number of nanoseconds", "no time at all"},
		},
		{
			"percent", PercentPattern(), "0 1 05 100 . 5 % e -",
			func(s string) error { _, _, err := Fraction(s); return err },
			[]string{"too many decimals", "too large"},
		},
		{
			"size", SizePattern(), "0 1 05 90 1.5 B KB KiB MB MiB kB GB b - 18446744073709551615",
			func(s string) error { return second(Size(s)) },
			[]string{"is too large"},
		},
		{"name", NamePattern(), "a Z 0 _ - é abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz " + strings.Repeat("x", 64), Name, nil},
	} {
		pattern, parts := regexp.MustCompile(c.pattern), strings.Fields(c.parts)
		draw := rand.New(rand.NewPCG(7, 7))
		right := 0
		for range 50_000 {
			text := ""
			for range 1 + draw.IntN(5) {
				text += parts[draw.IntN(len(parts))]
			}
			if c.name == "duration" && text == "0" || c.name == "percent" && !strings.HasSuffix(text, "%") {
				continue
			}
			err := c.read(text)
			if err == nil {
				right++
			}
			matches := pattern.MatchString(text)
			large := err != nil && slices.ContainsFunc(c.beyond, func(s string) bool { return strings.Contains(err.Error(), s) })
			if matches != (err == nil) && !(matches && large) {
				t.Fatalf("%s: the pattern matches %q: %v; the reader says %v", c.name, text, matches, err)
			}
		}
		if right < 400 {
			t.Errorf("%s: only %d texts were right", c.name, right)
		}
	}
}
