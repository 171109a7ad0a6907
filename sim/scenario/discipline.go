package scenario

import (
	"slices"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// discipline reads what a policy says beside its waits and its budget; what it leaves out is the preset's.
func (b *builder) discipline(v named, preset engine.Discipline) engine.Discipline {
	d := engine.Discipline{
		Uncharged:    b.causes(v, "uncharged"),
		NotRetryable: b.causes(v, "not_retryable"),
		RetryBudget:  b.retryBudget(v, preset.RetryBudget),
		Breaker:      b.breaker(v.get("breaker")),
		Layers:       b.layers(v.get("layers")),
	}
	if both := d.Uncharged & d.NotRetryable; both != 0 {
		b.warn(v.get("uncharged").key, "`uncharged` has no effect on what `not_retryable` names too: "+both.String())
	}
	return d
}

// causes reads a list of causes.
func (b *builder) causes(v named, name string) engine.CauseSet {
	var set engine.CauseSet
	list := v.get(name)
	if list == nil {
		return set
	}
	for _, item := range list.items {
		c := causeNamed(item.word)
		if set.Has(c) {
			b.warn(item.node, "`"+name+"` names `"+item.word+"` twice")
		}
		set = set.With(c)
	}
	return set
}

// causeNamed returns the cause of a name that the table of fields knows.
func causeNamed(name string) engine.Cause {
	c := engine.NoCause
	for c.String() != name {
		c++
	}
	return c
}

// anyCause is one of the causes of failure.
func anyCause() *shape {
	var names []string
	for c := engine.NoCause + 1; c < engine.Causes; c++ {
		names = append(names, c.String())
	}
	return anyWord(names...)
}

// judgeEnds warns of policies that let jobs fail for ever, because their failures spend nothing and the dependency stays down.
func (b *builder) judgeEnds(v *value, all []Policy, s *Scenario) {
	for i := range all {
		p, forGood := &all[i], ""
		for _, o := range s.For(p).Outages {
			if o.To == clock.End {
				forGood = o.Name
			}
		}
		if forGood == "" || !p.Discipline.Uncharged.Has(engine.Outage) || p.Budget.Elapsed > 0 {
			continue
		}
		b.warn(namedIn(v, p.Name).get("uncharged").key, "nothing ends a job of policy `"+p.Name+"` before `stop.at`: outage `"+forGood+
			"` has no end, and what it fails spends no budget; `max_elapsed` would end it")
	}
}

// namedIn returns the value of a name that is there.
func namedIn(v *value, name string) named {
	return v.names[slices.IndexFunc(v.names, func(n named) bool { return n.name == name })]
}
