package scenario

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// described is how many cohorts the workload's sentence names.
const described = 4

// workload says in words who enqueues jobs: "1000 jobs at 0s, then 10 jobs/s for 4m". Cohorts come in the order in which
// they begin, those that begin before the stop.
func workload(cohorts []engine.Cohort, stop clock.Time) string {
	sorted := slices.DeleteFunc(slices.Clone(cohorts), func(c engine.Cohort) bool { return c.At >= stop })
	if len(sorted) == 0 {
		return "no jobs"
	}
	slices.SortStableFunc(sorted, func(a, b engine.Cohort) int { return cmp.Compare(a.At, b.At) })
	var parts []string
	for _, c := range sorted[:min(described, len(sorted))] {
		parts = append(parts, phrase(c))
	}
	text := strings.Join(parts, ", then ")
	switch more := len(sorted) - described; {
	case more == 1:
		text += ", and one more cohort"
	case more > 1:
		text += fmt.Sprintf(", and %d more cohorts", more)
	}
	return text
}

// phrase says how one cohort arrives, and when it runs.
func phrase(c engine.Cohort) string {
	text := arrival(c)
	if c.Delay > 0 {
		text += ", due " + units.FormatDuration(c.Delay) + " later"
	}
	return text
}

// arrival says how one cohort arrives.
func arrival(c engine.Cohort) string {
	jobs := fmt.Sprintf("%d jobs", c.Count)
	if c.Count == 1 {
		jobs = "1 job"
	}
	at := time.Duration(c.At)
	from := ""
	if at > 0 {
		from = " from " + units.FormatDuration(at)
	}
	switch c.Pattern {
	case engine.Together:
		return jobs + " at " + units.FormatDuration(at)
	case engine.Spread:
		return jobs + " over " + units.FormatDuration(c.Interval) + from
	}
	text := ""
	switch c.Pattern {
	case engine.Listed:
		text = fmt.Sprintf("%d jobs at listed instants", len(c.Offsets))
	case engine.Every:
		text = "a job every " + units.FormatDuration(c.Interval)
	default:
		text = strings.Replace(units.FormatRate(c.Rate), "/", " jobs/", 1)
	}
	if c.Pattern == engine.Constant {
		text += " evenly"
	}
	text += from
	if c.For > 0 {
		text += " for " + units.FormatDuration(c.For)
	}
	if c.Count > 0 {
		text += fmt.Sprintf(" (at most %d)", c.Count)
	}
	return text
}

// expected returns how many jobs of a cohort arrive before the stop; for random arrivals, on average.
func expected(c engine.Cohort, stop clock.Time) uint64 {
	if c.At >= stop {
		return 0
	}
	span := stop.Sub(c.At)
	if c.For > 0 {
		span = min(span, c.For)
	}
	jobs := uint64(math.MaxUint64)
	switch c.Pattern {
	case engine.Together, engine.Spread:
		return c.Count
	case engine.Listed:
		jobs = uint64(sort.Search(len(c.Offsets), func(i int) bool { return c.Offsets[i].After >= span }))
	case engine.Every:
		if c.Interval > 0 {
			jobs = uint64((span-1)/c.Interval) + 1
		}
	default:
		hi, lo := bits.Mul64(uint64(span), uint64(c.Rate.Count))
		if hi < uint64(c.Rate.Per) {
			jobs, _ = bits.Div64(hi, lo, uint64(c.Rate.Per))
			jobs++
		}
	}
	if c.Count > 0 {
		jobs = min(jobs, c.Count)
	}
	return jobs
}

// sum adds without wrapping.
func sum(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return s
}
