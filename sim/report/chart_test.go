package report

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"herdsim/sim/result"
)

// series returns a case with one policy that has these retries per bin.
func series(bin result.Number, retries ...int64) *result.Case {
	return &result.Case{Policies: []result.Policy{{
		Name:   "p",
		Series: &result.Series{Bin: bin, Retries: result.NewTrack([][]int64{retries})},
	}}}
}

// row returns the blocks of the only policy.
func blocks(t *testing.T, c *result.Case, o TextOptions) string {
	t.Helper()
	ch := newChart(newStyle(o), c)
	if ch == nil || len(ch.rows) != 1 {
		t.Fatalf("want a chart with one row, got %+v", ch)
	}
	var b strings.Builder
	for _, v := range ch.rows[0].rates {
		b.WriteRune(ch.sign(v))
	}
	return b.String()
}

func TestBlocks(t *testing.T) {
	one := result.Integer(1)
	for _, c := range []struct {
		c    *result.Case
		want string
	}{
		{series(one, 1, 2, 4, 8, 16, 32, 64, 128, 256), "▁▂▃▄▅▆▇██"}, // each band is a factor of two
		{series(one, 7, 0, 7), "█ █"},
		{series(one, 1, 1000, 31, 32), "▁█▄▅"}, // the middle of the log scale is √1000 = 31.6
		{series(one, 3), "█"},
		{series(one, 79, 10, 20, 40, 41), "█▂▃▅▅"}, // below a ratio of eight the heights are in proportion
		{series(one, 80, 10, 20, 40, 41), "█▁▃▆▆"},
		{series(one, 100, 99, 0, 51, 50), "██ ▅▄"},
	} {
		if got := blocks(t, c.c, TextOptions{}); got != c.want {
			t.Errorf("%v: %q, want %q", c.c.Policies[0].Series.Retries.First, got, c.want)
		}
	}
	if got := blocks(t, series(one, 1, 2, 4, 8, 16, 32, 64, 128, 256), TextOptions{ASCII: true}); got != ".:-=+*#@@" {
		t.Errorf("in ASCII: %q", got)
	}
}

// A column holds the highest rate of its bins, whatever the bin.
func TestColumnsHoldThePeak(t *testing.T) {
	retries := make([]int64, 5000)
	for i := range retries {
		retries[i] = int64(i % 7)
	}
	retries[1234], retries[4999] = 99, 50
	for _, bin := range []string{"1", "0.25", "0.007", "7", "3600"} {
		c := series(numberOf(t, bin), retries...)
		ch := newChart(newStyle(TextOptions{Width: 60}), c)
		if ch.count > 60-ch.label || ch.count < 10 {
			t.Errorf("bin %s: %d columns", bin, ch.count)
		}
		if ch.column%nanoseconds(c.Policies[0].Series.Bin) != 0 {
			t.Errorf("bin %s: a column of %v is no multiple", bin, ch.column)
		}
		at := int(nanoseconds(c.Policies[0].Series.Bin) * 1234 / ch.column)
		if want := 99 / c.Policies[0].Series.Bin.Float(); ch.rows[0].rates[at] != want || ch.hi != want {
			t.Errorf("bin %s: column %d holds %v, the chart %v, want %v", bin, at, ch.rows[0].rates[at], ch.hi, want)
		}
	}
}

func numberOf(t *testing.T, text string) result.Number {
	t.Helper()
	var n result.Number
	if err := n.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return n
}

// Time labels begin at their column, at least two columns apart, within the chart.
func TestAxis(t *testing.T) {
	for _, bins := range []int{1, 2, 7, 30, 59, 61, 100, 599, 601, 3599, 7201, 100_000, 900_000} {
		for _, width := range []int{40, 60, 80, 133, 200} {
			retries := make([]int64, bins)
			retries[bins-1] = 1
			ch := newChart(newStyle(TextOptions{Width: width}), series(result.Integer(1), retries...))
			name := fmt.Sprintf("%d s in %d columns", bins, width)
			axis := ch.axis()
			if !strings.HasPrefix(axis, "0s") || len(axis) > max(2, ch.count) {
				t.Errorf("%s: axis %q is wider than %d columns", name, axis, ch.count)
			}
			labels := 0
			for i := 0; i < len(axis); i++ {
				if axis[i] == ' ' || i > 0 && axis[i-1] != ' ' {
					continue
				}
				labels++
				if i > 1 && axis[i-2:i] != "  " {
					t.Errorf("%s: labels touch in %q", name, axis)
				}
				text, _, _ := strings.Cut(axis[i:], " ")
				if at := parse(t, text); int(at/ch.column) != i || at%ch.column != 0 {
					t.Errorf("%s: %q stands at column %d of %v each", name, text, i, ch.column)
				}
			}
			if ch.count >= 25 && labels < 2 {
				t.Errorf("%s: one label says little: %q", name, axis)
			}
		}
	}
}

func parse(t *testing.T, text string) time.Duration {
	t.Helper()
	days := time.Duration(0)
	if d, rest, ok := strings.Cut(text, "d"); ok {
		days, text = parse(t, d+"h")*24, rest+"0s"
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return days + d
}

func TestOutageBar(t *testing.T) {
	at := func(start, end int64) result.Outage {
		return result.Outage{Start: result.Integer(start), End: number(end)}
	}
	of := func(cohort string, start, end int64) result.Outage {
		o := at(start, end)
		o.Cohorts = []string{cohort}
		return o
	}
	flaps := func(at, length, every int64, times int) (all []result.Outage) {
		for range times { // in milliseconds
			end := result.Exact(big.NewRat(at+length, 1000))
			all = append(all, result.Outage{Start: result.Exact(big.NewRat(at, 1000)), End: &end})
			at += every
		}
		return all
	}
	for _, c := range []struct {
		outages []result.Outage
		want    string
	}{
		{[]result.Outage{at(0, 12)}, "╶──down────╴"},
		{[]result.Outage{at(2, 8)}, "  ╶down╴"},
		{[]result.Outage{at(2, 7)}, "  ╶───╴"},
		{[]result.Outage{at(0, 1), at(3, 5), at(5, 6)}, "─  ╶─╴"},
		{[]result.Outage{{Start: result.Integer(12)}}, "            ╶─down──"},
		{[]result.Outage{at(3, 3), at(19, 20)}, "                   ─"},
		{flaps(0, 10, 100, 10), "╌"},
		{flaps(0, 10, 100, 200), "╌╌╌down 10 %╌╌╌╌╌╌╌╌"},
		{flaps(2000, 333, 1000, 18), "  ╌╌╌down 35 %╌╌╌╌╌╌"},
		{append(flaps(8000, 1, 100, 120), at(0, 8)), "╶─down─╴╌╌down 1 %╌╌"},
		{[]result.Outage{at(0, 12), {Start: numberOf(t, "12.0001"), End: number(14)}}, "╶──down──────╴"},
		{flaps(0, 900, 1000, 20), "╌╌╌down 90 %╌╌╌╌╌╌╌╌"},
		{[]result.Outage{of("acme", 1, 18)}, " ╌╌down for acme╌╌"},
		{[]result.Outage{of("acme", 1, 4), of("acme", 4, 18)}, " ╌╌down for acme╌╌"},
		{[]result.Outage{of("acme", 1, 8), of("bolt", 8, 18)}, " ╌╌down for some╌╌"},
		{[]result.Outage{of("acme", 1, 3), at(2, 8), of("acme", 16, 18)}, " ╌╶down╴        ╌╌"},
	} {
		retries := make([]int64, 20)
		retries[19] = 1
		one := series(result.Integer(1), retries...)
		one.Outages = c.outages
		if got := newChart(newStyle(TextOptions{}), one).outageBar(); got != c.want {
			t.Errorf("%v: %q, want %q", c.outages, got, c.want)
		}
	}
}

func TestAboveCapacity(t *testing.T) {
	c := series(result.Integer(1), 60, 60, 50, 51, 0, 60)
	c.Capacity = number(50)
	c.Outages = []result.Outage{{Start: result.Integer(0), End: number(2)}, {Start: result.Integer(2), End: number(6), Cohorts: []string{"acme"}}}
	if got := marks(newChart(newStyle(TextOptions{}), c).rows[0].above, '^'); got != "   ^ ^" {
		t.Errorf("marks %q, want the columns at 3 s and 5 s: at the capacity is not above it, and an outage for all does not count", got)
	}
}

func TestAboveCapacityOfAPhase(t *testing.T) {
	c := series(result.Integer(1), 60, 60, 60, 60, 60, 60)
	c.Steps = []result.Step{{From: result.Integer(0)}, {From: result.Integer(1), Capacity: number(59)}, {From: result.Integer(3), Capacity: number(60)}, {From: result.Integer(5), Capacity: number(0)}}
	if got := marks(newChart(newStyle(TextOptions{}), c).rows[0].above, '^'); got != " ^^  ^" {
		t.Errorf("marks %q, want the columns at 1, 2 and 5 s: each is judged by the capacity of its own time", got)
	}
}

func TestPoliciesWithDifferentBins(t *testing.T) {
	c := series(result.Integer(2), 4, 4)
	c.Policies = append(c.Policies, series(result.Integer(3), 6, 6).Policies[0])
	c.Policies[1].Name = "q"
	ch := newChart(newStyle(TextOptions{}), c)
	if ch.column%(6*time.Second) != 0 || ch.hi != 2 || ch.low != 2 {
		t.Errorf("columns of %v, rates %v to %v; want multiples of 6s and 2/s", ch.column, ch.low, ch.hi)
	}
	if legend := ch.legend(1); !strings.Contains(legend, "busiest bin") {
		t.Errorf("the legend names a bin that not all have: %s", legend)
	}
}
