package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/engine"
	"herdsim/sim/rng"
	"herdsim/sim/units"
)

// patterns are the arrival patterns by the field that asks for them.
var patterns = map[string]engine.Pattern{
	"": engine.Together, "every": engine.Every, "spread": engine.Spread, "constant": engine.Constant, "poisson": engine.Poisson,
	"csv": engine.Listed,
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
		more := b.atOnce(cohort)
		together = sum(together, more)
		switch {
		case more > 0 && together > maxTogether && cohort.Count > 0:
			b.fail(c.get("count").node, fmt.Sprintf("%d jobs wait at once here: the most are %d", together, maxTogether), "lower `count`")
		case more > 0 && together > maxTogether:
			b.conflict(c.key, fmt.Sprintf("%d jobs wait at once up to cohort `%s`: the most are %d", together, c.name, maxTogether), "lower `delay` or the rate of arrivals")
		case jobs > engine.MaxEventsLimit:
			b.conflict(c.key, fmt.Sprintf("there are about %d jobs up to cohort `%s`: the most are %d", jobs, c.name, uint64(engine.MaxEventsLimit)),
				"lower `count`, `for`, the rate of its arrivals, or `stop.at` ("+units.FormatDuration(time.Duration(b.stop))+" here)")
		}
	}
	return list
}

// atOnce returns how many jobs of a cohort wait in memory together, whatever becomes of them later.
func (b *builder) atOnce(c engine.Cohort) uint64 {
	switch {
	case c.Pattern == engine.Together || c.Pattern == engine.Spread || c.Pattern == engine.Listed:
		return expected(c, b.stop)
	case c.Delay == 0:
		return 0
	}
	if c.For == 0 || c.For > c.Delay {
		c.For = c.Delay
	}
	return expected(c, b.stop)
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
		switch how {
		case "every", "spread":
			c.Interval = arrivals.arg.duration()
		case "csv":
			c.Offsets = b.listed(arrivals.arg)
		}
	}
	c.Pattern = patterns[how]
	b.traits(v, &c)
	switch {
	case count == nil && arrivals == nil:
		b.conflict(v.key, "cohort `"+v.name+"` has neither `count` nor `arrivals`", "`{count: 1000}`: all at once; `{arrivals: {poisson: 10/s}}`: one after another")
	case count == nil && how == "spread":
		b.conflict(v.key, "cohort `"+v.name+"` has `spread` but no `count`", "`spread` is the span over which `count` jobs arrive")
	case length != nil && (arrivals == nil || how == "spread"):
		b.conflict(length.key, "`for` has no meaning in cohort `"+v.name+"`", "it ends arrivals of the kinds every, constant, poisson and csv")
	}
	first := c.At
	if len(c.Offsets) > 0 {
		first = c.At.Add(c.Offsets[0].After)
	}
	if first >= b.stop {
		at := v.get("at").node
		if at == nil || len(c.Offsets) > 0 {
			at = v.key
		}
		b.warn(at, "cohort `"+v.name+"` has no jobs: it begins at "+units.FormatDuration(first.Sub(0))+", the run stops at "+units.FormatDuration(time.Duration(b.stop)))
	}
	return c
}

// traits reads what sets the jobs of a cohort apart from others.
func (b *builder) traits(v named, c *engine.Cohort) {
	c.Delay = v.get("delay").duration()
	c.Priority = v.get("priority").number.num
	if w := v.get("payload"); w != nil {
		c.Payload = w.number.num
	}
	if key := v.get("key"); key != nil {
		b.oneLine(key, maxLabel, "`key` of cohort `"+v.name+"`")
		c.Key = key.word
	}
	if w := v.get("service"); w != nil {
		if c.Service = b.service(w); c.Service == nil {
			c.Service = rng.Fixed(0)
		}
	}
	if c.Priority > 0 && !b.ranks {
		b.warn(v.get("priority").node, "`priority` has no effect without `queue.order: priority`")
	}
}

// ranks reports whether the queue of some policy goes by priority.
func ranks(policies *value) bool {
	return policies != nil && slices.ContainsFunc(policies.names, func(p named) bool {
		queue := p.get("queue")
		return usable(queue) && queue.get("order") != nil && queue.get("order").word == "priority"
	})
}

// rules gives the cohorts that name a policy what that decides.
func (b *builder) rules(v *value, s *Scenario, policies *value, all []Policy) {
	if v == nil {
		return
	}
	cohorts := s.Base.Cohorts
	var names []string
	for _, p := range policies.names {
		names = append(names, p.name)
	}
	for i := range cohorts {
		c := &cohorts[i]
		at := slices.IndexFunc(v.names, func(n named) bool { return n.name == c.Name })
		name := v.names[at].get("policy")
		if name == nil {
			continue
		}
		if !slices.Contains(names, name.word) {
			label := ""
			if near, ok := diag.Nearest(name.word, names); ok {
				label = "did you mean `" + near + "`?"
			}
			b.fail(name.node, "cohort `"+c.Name+"` names the policy "+units.Quote(name.word)+", which is not in `policies`", label, "there are: "+strings.Join(names, ", "))
			continue
		}
		for _, p := range all {
			if p.Name == name.word {
				c.Rule = &engine.Rule{Name: p.Name, Policy: p.Policy, Budget: p.Budget, Discipline: p.Discipline}
				b.judgeRule(c.Rule, name.node, s, all)
			}
		}
	}
}

// judgeRule fails a rule that tells workers apart in a world in which they cannot be.
func (b *builder) judgeRule(r *engine.Rule, at *node, s *Scenario, all []Policy) {
	if !r.Discipline.PerWorker() {
		return
	}
	for i := range all {
		if s.For(&all[i]).Workers.Count == 0 {
			b.conflict(at, "`per: worker` in policy `"+r.Name+"` needs workers that can be told apart, also when policy `"+all[i].Name+"` is compared", "give `workers` a `count`")
		}
	}
}
