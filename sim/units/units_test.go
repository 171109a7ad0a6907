package units

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "PT0S": 0, "1ns": 1, "1us": 1000, "1µs": 1000, "1μs": 1000, "100ms": 100 * time.Millisecond,
		"90s": 90 * time.Second, "1.5s": 1500 * time.Millisecond, "0.5ms": 500 * time.Microsecond, "1h30m": 90 * time.Minute,
		"1h05m": 65 * time.Minute, "2d": 48 * time.Hour, "1d12h": 36 * time.Hour, "0.000000001s": 1, "10m0s": 10 * time.Minute,
		"PT90S": 90 * time.Second, "P1DT2H": 26 * time.Hour, "P2W": 14 * day, "PT1.5S": 1500 * time.Millisecond, "P30D": 30 * day,
		"PT1H1M1S": 3661 * time.Second, "4611686018427387904ns": clock.Longest,
	} {
		if got, err := Duration(text); err != nil || got != want {
			t.Errorf("Duration(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestDurationErrors(t *testing.T) {
	for text, want := range map[string]string{
		"500":                   "duration `500` has no unit: write `500ms` or `500s`",
		"1.5":                   "duration `1.5` has no unit: write `1.5ms` or `1.5s`",
		"-5s":                   "duration `-5s` is negative",
		"":                      "`` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"nan":                   "`nan` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		".inf":                  "`.inf` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"1e3s":                  "`1e3s` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"05s":                   "`05s` is not a duration: write `5s`",
		"+5s":                   "`+5s` is not a duration: write `5s`",
		"5 s":                   "`5 s` is not a duration: write `5s`",
		"5min":                  "`5min` is not a duration: write `5m`",
		"5 Seconds":             "`5 Seconds` is not a duration: write `5s`",
		"5S":                    "`5S` is not a duration: write `5s`",
		".5s":                   "`.5s` is not a duration: write `0.5s`",
		"5M":                    "duration `5M` has an unknown unit: units are ns, us, ms, s, m, h and d",
		"1w":                    "duration `1w` has an unknown unit: units are ns, us, ms, s, m, h and d",
		"1s5":                   "`1s5` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"1.s":                   "`1.s` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"1.2.3s":                "`1.2.3s` is not a duration: write it like `500ms`, `90s`, `1h30m` or `2d`",
		"0.5ns":                 "duration `0.5ns` is not a whole number of nanoseconds",
		"4611686018427387905ns": "duration `4611686018427387905ns` is too long: the longest is about 146 years, `4611686018.427387904s`",
		"999999999999d":         "duration `999999999999d` is too long: the longest is about 146 years, `4611686018.427387904s`",
		"P1M":                   "duration `P1M` has years or months, whose length varies: write days, such as `P30D`",
		"P1Y2D":                 "duration `P1Y2D` has years or months, whose length varies: write days, such as `P30D`",
		"P":                     "`P` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"PT":                    "`PT` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"P1DT":                  "`P1DT` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"PT1S1M":                "`PT1S1M` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"PT1.5H1S":              "`PT1.5H1S` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"PT5":                   "`PT5` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
		"PT\x1b[2J":             "`PT\ufffd[2J` is not a duration of ISO 8601: write it like `PT90S` or `P1DT2H`, or `90s`",
	} {
		wantError(t, "Duration", text, second(Duration(text)), want)
	}
}

func TestFormatDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "90s": 90 * time.Second, "1.5s": 1500 * time.Millisecond, "100ms": 100 * time.Millisecond, "2h": 2 * time.Hour,
		"1ns": 1, "1001ns": 1001, "1.5us": 1500, "4m": 4 * time.Minute, "30d": 30 * day, "1d": day, "36h": 36 * time.Hour, "245s": 245 * time.Second,
		"123.000000001s": 123*time.Second + 1, "-5s": -5 * time.Second, "4611686018.427387904s": clock.Longest,
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestFormatDurationRoundTrip(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		d := time.Duration(draw.Int64N(int64(clock.Longest)) >> draw.IntN(62))
		for _, u := range scale {
			d := d - d%u.size
			if got, err := Duration(FormatDuration(d)); err != nil || got != d {
				t.Fatalf("Duration(%q) = %v, %v, want %v", FormatDuration(d), got, err, d)
			}
		}
	}
}

func TestRate(t *testing.T) {
	for text, want := range map[string]clock.Rate{
		"50/s": {Count: 50, Per: time.Second}, "10/m": {Count: 10, Per: time.Minute}, "5/h": {Count: 5, Per: time.Hour},
		"2/100ms": {Count: 2, Per: 100 * time.Millisecond}, "0/s": {Count: 0, Per: time.Second}, "1/d": {Count: 1, Per: day},
	} {
		got, err := Rate(text)
		if err != nil || got != want {
			t.Errorf("Rate(%q) = %v, %v, want %v", text, got, err, want)
		}
		if back := FormatRate(got); back != text {
			t.Errorf("FormatRate(%v) = %q, want %q", got, back, text)
		}
	}
	for r, want := range map[clock.Rate]string{
		{Count: 3, Per: 1500 * time.Millisecond}: "3/1.5s",
		{Count: 3, Per: 10 * time.Second}:        "3/10s",
	} {
		if got := FormatRate(r); got != want {
			t.Errorf("FormatRate(%v) = %q, want %q", r, got, want)
		}
	}
}

func TestRateErrors(t *testing.T) {
	const usage = ": write it like `50/s`, `10/m` or `2/100ms`"
	for text, want := range map[string]string{
		"50":                      "rate `50` has no unit: write `50/s` or `50/m`",
		"50rps":                   "`50rps` is not a rate: write `50/s`",
		"50 rpm":                  "`50 rpm` is not a rate: write `50/m`",
		"fast":                    "`fast` is not a rate" + usage,
		"-5/s":                    "rate `-5/s` is negative",
		"0.5/s":                   "rate `0.5/s` counts in fractions: write a whole count in a longer time, such as `5/10s`",
		"1.25/m":                  "rate `1.25/m` counts in fractions: write a whole count in a longer time, such as `125/100m`",
		"50 / s":                  "`50 / s` is not a rate: write `50/s`",
		"50/min":                  "rate `50/min` has an unknown unit: write `50/m`",
		"50/S":                    "rate `50/S` has an unknown unit: write `50/s`",
		"1/4611686018427387905ns": "duration `4611686018427387905ns` is too long: the longest is about 146 years, `4611686018.427387904s`",
		"1/PT9999999999S":         "duration `PT9999999999S` is too long: the longest is about 146 years, `4611686018.427387904s`",
		"1/0.5ns":                 "duration `0.5ns` is not a whole number of nanoseconds",
		"50/":                     "rate `50/` has an unknown unit" + usage,
		"/s":                      "`/s` is not a rate" + usage,
		"5/0s":                    "rate `5/0s` is per no time at all: write `5/s`",
		"05/s":                    "rate `05/s` has a bad count: a whole number of at most 9223372036854775807, not beginning with 0",
		"9223372036854775808/s":   "rate `9223372036854775808/s` has a bad count: a whole number of at most 9223372036854775807, not beginning with 0",
		"1e3/s":                   "`1e3/s` is not a rate" + usage,
	} {
		wantError(t, "Rate", text, second(Rate(text)), want)
	}
}

func TestFraction(t *testing.T) {
	for text, want := range map[string][2]uint64{
		"0": {0, 1}, "1": {1, 1}, "0.02": {1, 50}, "2%": {1, 50}, "0.5%": {1, 200}, "100%": {1, 1}, "2.0": {2, 1}, "1.5": {3, 2},
		"0.000000000000000001": {1, 1e18}, "0.0000000000000001%": {1, 1e18}, "0.50000000000000000000000": {1, 2},
	} {
		num, den, err := Fraction(text)
		if err != nil || num != want[0] || den != want[1] {
			t.Errorf("Fraction(%q) = %d/%d, %v, want %d/%d", text, num, den, err, want[0], want[1])
		}
	}
	for text, want := range map[string]string{
		"-0.1":                  "`-0.1` is not a number: it cannot be negative",
		".5":                    "`.5` is not a number: write `0.5`",
		"5.":                    "`5.` is not a number: write `0.02` or `2%`",
		"1e-3":                  "`1e-3` is not a number: write it out, without an exponent",
		".nan":                  "`.nan` is not a number: write `0.02` or `2%`",
		"":                      "`` is not a number: write `0.02` or `2%`",
		"%":                     "`%` is not a number: write `0.02` or `2%`",
		"1/3":                   "`1/3` is not a number: write `0.02` or `2%`",
		"00.5":                  "number `00.5` begins with 0: write `0.5`, `5` or `5%`",
		"0.0000000000000000001": "number `0.0000000000000000001` has too many decimals: the most are 18, or 16 before `%`",
		"99999999999999999999":  "number `99999999999999999999` is too large",
	} {
		_, _, err := Fraction(text)
		wantError(t, "Fraction", text, err, want)
	}
}

func TestFractionOf(t *testing.T) {
	for _, c := range []struct{ unit, num, den, want uint64 }{
		{1 << 63, 1, 1, 1 << 63}, {1 << 63, 0, 1, 0}, {1 << 63, 1, 2, 1 << 62}, {1 << 63, 1, 3, 3074457345618258602},
	} {
		if got := FractionOf(c.unit, c.num, c.den); got != c.want {
			t.Errorf("FractionOf(%d, %d, %d) = %d, want %d", c.unit, c.num, c.den, got, c.want)
		}
	}
}

func TestInteger(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "7": 7, "1000": 1000, "18446744073709551615": 1<<64 - 1} {
		if got, err := Integer(text); err != nil || got != want {
			t.Errorf("Integer(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"-1":                   "`-1` is not a whole number: it cannot be negative",
		"1_000":                "`1_000` is not a whole number: write `1000`",
		"1,000":                "`1,000` is not a whole number: write `1000`",
		"5.0":                  "`5.0` is not a whole number: write `5`",
		"5.5":                  "`5.5` is not a whole number: write digits only, such as `10`",
		"1e3":                  "`1e3` is not a whole number: write it out, without an exponent",
		"0x10":                 "`0x10` is not a whole number: write digits only, such as `10`",
		"":                     "`` is not a whole number: write digits only, such as `10`",
		"08":                   "whole number `08` begins with 0: write `8`",
		"0777":                 "whole number `0777` begins with 0: write `777`",
		"00":                   "whole number `00` begins with 0: write `0`",
		"18446744073709551616": "whole number `18446744073709551616` is too large: the largest is 18446744073709551615",
	} {
		wantError(t, "Integer", text, second(Integer(text)), want)
	}
}

func TestBoolean(t *testing.T) {
	for text, want := range map[string]bool{"true": true, "false": false} {
		if got, err := Boolean(text); err != nil || got != want {
			t.Errorf("Boolean(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"yes":  "`yes` is not a boolean: write `true`",
		"Off":  "`Off` is not a boolean: write `false`",
		"TRUE": "`TRUE` is not a boolean: write `true`",
		"2":    "`2` is not a boolean: write `true` or `false`",
	} {
		wantError(t, "Boolean", text, second(Boolean(text)), want)
	}
}

func TestName(t *testing.T) {
	for _, text := range []string{"a", "Full", "full_jitter-2"} {
		if err := Name(text); err != nil {
			t.Errorf("Name(%q) = %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"":                      "`` is not a name: a letter, then letters, digits, `_` and `-`",
		"2fast":                 "`2fast` is not a name: a letter, then letters, digits, `_` and `-`",
		"a.b":                   "`a.b` is not a name: a letter, then letters, digits, `_` and `-`",
		"a\n":                   "`a\ufffd` is not a name: a letter, then letters, digits, `_` and `-`",
		"é":                     "`é` is not a name: a letter, then letters, digits, `_` and `-`",
		strings.Repeat("n", 65): "name `" + strings.Repeat("n", 60) + "…` is too long: the longest has 64 characters",
	} {
		wantError(t, "Name", text, Name(text), want)
	}
}

func second[T any](_ T, err error) error { return err }

func wantError(t *testing.T, function, text string, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Error() != want {
		t.Errorf("%s(%q): %v\n  want %s", function, text, err, want)
	}
}
