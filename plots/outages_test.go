package plots

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestShadesTellOutagesFromFlapping(t *testing.T) {
	flaps := func(from, length, every float64, n int) (all []outage) {
		for range n {
			all = append(all, outage{from, from + length, ""})
			from += every
		}
		return all
	}
	for _, tc := range []struct {
		outages []outage
		want    string // with a pixel of half a second
	}{
		{[]outage{{0, 60, ""}}, "0-60 dependency down"},
		{[]outage{{0, 60, ""}, {30, 90, ""}, {90, 95, ""}}, "0-95 dependency down"},
		{[]outage{{0, 60, ""}, {60.01, 90, ""}}, "0-90 dependency down"},
		{[]outage{{0, 60, ""}, {60.4, 90, ""}}, "0-60 dependency down, 60.4-90 dependency down"},
		{[]outage{{5, 5, ""}, {7, 7.001, ""}}, "7-7.001 dependency down"},
		{[]outage{{7, math.Inf(1), ""}}, "7-Inf dependency down"},
		{flaps(0, 0.001, 0.01, 10_000), "0-99.991 down 10 % of the time"},
		{flaps(10, 0.25, 0.5, 100), "10-59.75 down 50 % of the time"},
		{flaps(0, 0.00001, 0.25, 100), "0-24.75 down < 0.1 % of the time"},
		{append([]outage{{0, 60, ""}}, flaps(60.1, 0.1, 0.3, 3)...), "0-60 dependency down, 60.1-60.8 down 43 % of the time"},
		{append(flaps(0, 0.1, 0.3, 3), outage{0.9, 60, ""}), "0-0.7 down 43 % of the time, 0.9-60 dependency down"},
		{[]outage{{0, 10, " for a"}, {0, 5, ""}, {5, 20, " for a"}, {40, 50, " for a"}, {45, 60, " for b"}}, "0-20 dependency down for a, 40-60 dependency down for some, 0-5 dependency down"},
		{flaps(0, 1, 2, 2), "0-1 dependency down, 2-3 dependency down"},
	} {
		var got []string
		for _, s := range newShades(tc.outages, 0.5) {
			got = append(got, strings.ReplaceAll(fmt.Sprintf("%.6g-%.6g %s", s.from, s.to, s.words()[0]), "+", ""))
		}
		if text := strings.Join(got, ", "); text != tc.want {
			t.Errorf("shades %q, want %q", text, tc.want)
		}
	}
}
