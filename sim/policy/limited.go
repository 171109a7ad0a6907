package policy

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Limits change a wait that has been spread, in this order: raised to Least, cut to Most, floored to a multiple of Step. So
// a floored wait may be below Least. The zero value of each changes nothing.
type Limits struct{ Least, Most, Step time.Duration }

// Limit returns the policy that waits as p does, within l.
func Limit(p Policy, l Limits) Policy {
	mustPrice("least wait", l.Least)
	mustPrice("longest wait", l.Most)
	mustPrice("step", l.Step)
	l.Step = max(l.Step, 1)
	if l.Least == 0 && l.Most == 0 && l.Step == 1 {
		return p
	}
	if l.Most == 0 {
		l.Most = clock.Longest
	}
	return limited{p, l}
}

type limited struct {
	within Policy
	Limits
}

// Wait limits the other policy's wait.
func (p limited) Wait(f Failure, draw *rng.Draw) time.Duration {
	return p.limit(p.within.Wait(f, draw))
}

func (p limited) limit(d time.Duration) time.Duration {
	d = min(max(d, p.Least), p.Most)
	return d - d%p.Step
}
