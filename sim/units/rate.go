package units

import (
	"math"
	"strconv"
	"strings"

	"herdsim/sim/clock"
)

// Rate reads so many happenings per span of time: `50/s`, `10/m`, `5/h`, `2/100ms`. The count is whole; 0 is legal and means
// never. The unit is kept as it is written: a limit of `600/m` is not one of `10/s`.
func Rate(text string) (clock.Rate, error) {
	count, per, slash := strings.Cut(text, "/")
	if !slash {
		return clock.Rate{}, rateWithoutUnit(text)
	}
	n, err := Integer(count)
	if err != nil || n > math.MaxInt64 {
		return clock.Rate{}, rateCountError(text, count, per)
	}
	span, known := sizeOf(per)
	if !known {
		ns, err := measure(per)
		if err != nil {
			return clock.Rate{}, ratePeriodError(text, count, per)
		}
		if span, err = exactly(per, ns); err != nil {
			return clock.Rate{}, err
		}
	}
	if span == 0 {
		return clock.Rate{}, &Error{"rate " + Quote(text) + " is per no time at all", "write " + Quote(count+"/s")}
	}
	return clock.Rate{Count: int64(n), Per: span}, nil
}

// FormatRate returns the shortest form that Rate reads back: `50/s`, `2/100ms`.
func FormatRate(r clock.Rate) string {
	period := FormatDuration(r.Per)
	if digits(period) == 1 && period[0] == '1' && !strings.Contains(period, ".") {
		period = period[1:] // one second is a bare s
	}
	return strconv.FormatInt(r.Count, 10) + "/" + period
}

func rateWithoutUnit(text string) error {
	if n := digits(text); n > 0 && !padded(text[:n]) {
		switch strings.ToLower(strings.TrimSpace(text[n:])) {
		case "":
			return &Error{"rate " + Quote(text) + " has no unit", "write " + Quote(text+"/s") + " or " + Quote(text+"/m")}
		case "rps", "qps", "tps", "hz", "ps":
			return &Error{Quote(text) + " is not a rate", "write " + Quote(text[:n]+"/s")}
		case "rpm", "qpm":
			return &Error{Quote(text) + " is not a rate", "write " + Quote(text[:n]+"/m")}
		}
	}
	return &Error{Quote(text) + " is not a rate", "write it like `50/s`, `10/m` or `2/100ms`"}
}

func rateCountError(text, count, per string) error {
	e := &Error{Message: Quote(text) + " is not a rate", Hint: "write it like `50/s`, `10/m` or `2/100ms`"}
	switch squeezed := strings.ReplaceAll(text, " ", ""); {
	case strings.HasPrefix(count, "-"):
		e.Message, e.Hint = "rate "+Quote(text)+" is negative", ""
	case squeezed != text:
		if _, err := Rate(squeezed); err == nil {
			e.Hint = "write " + Quote(squeezed)
		}
	case decimal(count) && strings.Contains(count, "."):
		e.Message = "rate " + Quote(text) + " counts in fractions"
		e.Hint = "write a whole count in a longer time, such as `" + longer(count, per) + "`"
	case count != "" && digits(count) == len(count):
		e.Message, e.Hint = "rate "+Quote(text)+" has a bad count", "a whole number of at most 9223372036854775807, not beginning with 0"
	}
	return e
}

// longer returns the rate with the decimals of its count moved into its period: 0.5/s is 5/10s.
func longer(count, per string) string {
	whole, tail, _ := strings.Cut(count, ".")
	size, known := sizeOf(per)
	n, err := strconv.ParseInt(strings.TrimLeft(whole+tail, "0"), 10, 64)
	if !known || err != nil || len(tail) > 4 {
		return "5/10s"
	}
	for range tail {
		size *= 10
	}
	return FormatRate(clock.Rate{Count: n, Per: size})
}

func ratePeriodError(text, count, per string) error {
	hint := "write it like `50/s`, `10/m` or `2/100ms`"
	name := strings.ToLower(strings.TrimSpace(per))
	if short, ok := spelled[name]; ok {
		hint = "write " + Quote(count+"/"+short)
	} else if _, ok := sizeOf(name); ok {
		hint = "write " + Quote(count+"/"+name)
	}
	return &Error{"rate " + Quote(text) + " has an unknown unit", hint}
}
