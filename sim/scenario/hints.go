package scenario

import (
	"time"

	"herdsim/sim/policy"
)

// heeding reads what hints do to a policy whose longest wait is most; 0 for none.
func (b *builder) heeding(v named, p policy.Policy, most time.Duration) policy.Policy {
	switch hint := v.get("retry_after"); {
	case hint.word == "honour":
		return policy.Heed(p, 0)
	case hint.word == "clamp" && most == 0:
		b.conflict(hint.at(), "`retry_after: clamp` needs `max_wait` in policy `"+v.name+"`",
			"the longest that a hint can make it wait; `honour` waits for as long as the hint says")
	case hint.word == "clamp":
		return policy.Heed(p, most)
	}
	return p
}

// judgeHints warns of policies that heed hints where nobody gives any.
func (b *builder) judgeHints(policies *value, all []Policy, s *Scenario) {
	if !usable(b.own["dependency"]) {
		return
	}
	for i := range all {
		p := namedIn(policies, all[i].Name)
		if hint := p.get("retry_after"); usable(hint) && hint.word != "ignore" && !s.For(&all[i]).Dependency.TellsAny() {
			b.warn(hint.at(), "policy `"+p.name+"` heeds what refused calls are told, but they are told nothing: `dependency.retry_after` is not `reset`")
		}
	}
}
