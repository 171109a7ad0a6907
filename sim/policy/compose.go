package policy

import (
	"time"

	"herdsim/sim/rng"
)

// New returns the policy that prices a wait by curve and spreads it by jitter. It may be shared by goroutines.
func New(curve Curve, jitter Jitter) Policy {
	mustSpread(jitter)
	rungs, _ := curve.(ladder)
	return &composed{rungs, curve, jitter}
}

type composed struct {
	rungs  ladder // the curve, when it is a ladder, as it nearly always is: looked up here, that spares a call
	curve  Curve
	jitter Jitter
}

// Wait spreads the curve's wait after failure n.
func (c *composed) Wait(f Failure, draw *rng.Draw) time.Duration {
	if c.rungs != nil {
		return c.jitter.Spread(c.rungs.Base(f.N()), draw)
	}
	return c.jitter.Spread(c.curve.Base(f.N()), draw)
}

// Listed returns the policy that waits exactly waits[n−1] after failure n, and leaves the failures past the list's end to
// then, which prices them by the same n.
func Listed(waits []time.Duration, then Policy) Policy {
	for _, d := range waits {
		mustPrice("wait", d)
	}
	return listed{append([]time.Duration(nil), waits...), then}
}

type listed struct {
	waits []time.Duration
	then  Policy
}

// Wait looks the wait up, or asks the policy behind the list.
func (l listed) Wait(f Failure, draw *rng.Draw) time.Duration {
	if n := f.N(); n <= len(l.waits) {
		return l.waits[n-1]
	}
	return l.then.Wait(f, draw)
}

// mustSpread panics on a jitter whose parameters would leave its documented range.
func mustSpread(jitter Jitter) {
	switch j := jitter.(type) {
	case Add:
		mustPrice("lo", j.Lo)
		mustPrice("hi", j.Hi)
		if j.Lo > j.Hi {
			panic("policy: jitter adds at least more than at most")
		}
	case Ratio:
		if j.Den == 0 || j.Num > j.Den {
			panic("policy: ratio outside [0, 1]")
		}
	case Up:
		if j.Den == 0 {
			panic("policy: fraction without a denominator")
		}
	case Steps:
		if j.Size <= 0 {
			panic("policy: steps without a size")
		}
		mustSpread(j.Jitter)
	case Chain:
		for _, inner := range j {
			mustSpread(inner)
		}
	}
}
