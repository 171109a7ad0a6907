package units

import (
	"math/big"
	"strings"
	"time"
)

// isoUnits are the designators of ISO 8601 in their order; months and years have no length of their own.
var isoUnits = [...]struct {
	name string // behind T when it is a part of a day
	size time.Duration
}{
	{"W", 7 * day}, {"D", day}, {"TH", time.Hour}, {"TM", time.Minute}, {"TS", time.Second},
}

// isoDuration reads `PT90S`, `P1DT2H`, `P2W`. Designators come in their order, each at most once; only the last number may
// have decimals.
func isoDuration(text string) (*big.Rat, error) {
	total := new(big.Rat)
	date, clockPart, hasClock := strings.Cut(text[1:], "T")
	at, last := 0, ""
	for i, part := range []string{date, clockPart} {
		prefix := ""
		if i == 1 {
			prefix = "T"
		}
		for part != "" {
			number := numeral(part)
			designator := part[len(number):min(len(number)+1, len(part))]
			size := time.Duration(0)
			for ; at < len(isoUnits) && size == 0; at++ {
				if isoUnits[at].name == prefix+designator {
					size = isoUnits[at].size
				}
			}
			if size == 0 || !decimal(number) || strings.Contains(last, ".") {
				return nil, isoError(text)
			}
			total.Add(total, times(number, size))
			part, last = part[len(number)+1:], number
		}
	}
	if last == "" || hasClock && clockPart == "" {
		return nil, isoError(text)
	}
	return total, nil
}

func isoError(text string) error {
	date, _, _ := strings.Cut(text, "T")
	if strings.ContainsAny(date, "YM") {
		return &Error{"duration " + Quote(text) + " has years or months, whose length varies", "write days, such as `P30D`"}
	}
	return &Error{Quote(text) + " is not a duration of ISO 8601", "write it like `PT90S` or `P1DT2H`, or `90s`"}
}
