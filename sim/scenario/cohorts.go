package scenario

import (
	"fmt"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// patterns are the arrival patterns by the field that asks for them.
var patterns = map[string]engine.Pattern{
	"": engine.Together, "every": engine.Every, "spread": engine.Spread, "constant": engine.Constant, "poisson": engine.Poisson,
}

// cohorts reads `cohorts` and checks how many jobs there are.
func (b *builder) cohorts(v *value) []engine.Cohort {
	var list []engine.Cohort
	jobs, together := uint64(0), uint64(0)
	for _, c := range v.names {
		if c.bad {
			continue
		}
		cohort := b.cohort(c)
		list = append(list, cohort)
		expected := expected(cohort, b.stop)
		jobs = sum(jobs, expected)
		if cohort.Pattern == engine.Together || cohort.Pattern == engine.Spread {
			together = sum(together, expected)
		}
		switch {
		case together > maxTogether && cohort.Count > 0:
			b.fail(c.get("count").node, fmt.Sprintf("%d jobs wait at once here: the most are %d", together, maxTogether), "lower `count`")
		case jobs > engine.MaxEventsLimit:
			b.conflict(c.key, fmt.Sprintf("there are about %d jobs up to cohort `%s`: the most are %d", jobs, c.name, uint64(engine.MaxEventsLimit)),
				"lower `count`, `for`, the rate of its arrivals, or `stop.at` ("+units.FormatDuration(time.Duration(b.stop))+" here)")
		}
	}
	return list
}

// cohort reads one cohort.
func (b *builder) cohort(v named) engine.Cohort {
	c := engine.Cohort{Name: v.name, At: clock.Time(v.get("at").duration()), Poison: v.get("poison").truth}
	count, length, arrivals := v.get("count"), v.get("for"), v.get("arrivals")
	if count != nil {
		c.Count = count.number.num
	}
	if length != nil {
		c.For = length.duration()
	}
	how := ""
	if arrivals != nil {
		how = arrivals.word
		c.Rate = arrivals.arg.rate
		if how == "every" || how == "spread" {
			c.Interval = arrivals.arg.duration()
		}
	}
	c.Pattern = patterns[how]
	switch {
	case count == nil && arrivals == nil:
		b.conflict(v.key, "cohort `"+v.name+"` has neither `count` nor `arrivals`", "`{count: 1000}`: all at once; `{arrivals: {poisson: 10/s}}`: one after another")
	case count == nil && how == "spread":
		b.conflict(v.key, "cohort `"+v.name+"` has `spread` but no `count`", "`spread` is the span over which `count` jobs arrive")
	case length != nil && (arrivals == nil || how == "spread"):
		b.conflict(length.key, "`for` has no meaning in cohort `"+v.name+"`", "it ends arrivals of the kinds every, constant and poisson")
	}
	if c.At >= b.stop {
		b.warn(v.get("at").node, "cohort `"+v.name+"` has no jobs: it begins at "+units.FormatDuration(time.Duration(c.At))+", the run stops at "+units.FormatDuration(time.Duration(b.stop)))
	}
	return c
}
