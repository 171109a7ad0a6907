package policy

import (
	"time"

	"herdsim/sim/rng"
)

// New returns the policy that prices a wait by curve and spreads it by jitter. It may be shared by goroutines.
func New(curve Curve, jitter Jitter) Policy {
	mustHold(curve)
	mustHold(jitter)
	return &composed{rungsOf(curve), curve, jitter}
}

type composed struct {
	rungs  ladder // the curve, when it is a ladder, as it nearly always is: looked up here, that spares a call
	curve  Curve
	jitter Jitter
}

// rungsOf returns the rungs of a curve that is a ladder, whatever else it knows.
func rungsOf(curve Curve) ladder {
	switch c := curve.(type) {
	case ladder:
		return c
	case capped:
		return c.ladder
	}
	return nil
}

// Wait spreads the curve's wait after failure n.
func (c *composed) Wait(f Failure, draw *rng.Draw) time.Duration {
	if c.rungs != nil {
		return c.jitter.Spread(c.rungs.Base(f.N()), f.N(), draw)
	}
	return c.jitter.Spread(c.curve.Base(f.N()), f.N(), draw)
}

// Listed returns the policy that waits exactly waits[n−1] after failure n, and leaves the failures past the list's end to
// then, which prices them by the same n.
func Listed(waits []time.Duration, then Policy) Policy {
	for _, d := range waits {
		mustPrice("wait", d)
	}
	return listed{append([]time.Duration(nil), waits...), None{}, then}
}

type listed struct {
	waits  []time.Duration
	jitter Jitter
	then   Policy
}

// Wait looks the wait up, or asks the policy behind the list.
func (l listed) Wait(f Failure, draw *rng.Draw) time.Duration {
	if n := f.N(); n <= len(l.waits) {
		return l.jitter.Spread(l.waits[n-1], n, draw)
	}
	return l.then.Wait(f, draw)
}

// Respread returns the policy that prices its waits as p does, but spreads them by jitter instead of p's own. It reports
// false when p's waits are not made of a curve and a jitter.
func Respread(p Policy, jitter Jitter) (Policy, bool) {
	mustHold(jitter)
	switch p := p.(type) {
	case *composed:
		return New(p.curve, jitter), true
	case fromArrival:
		return FromArrival(p.offset, jitter), true
	case listed:
		then, ok := Respread(p.then, jitter)
		return listed{p.waits, jitter, then}, ok
	case limited:
		within, ok := Respread(p.within, jitter)
		return limited{within, p.Limits}, ok
	}
	return nil, false
}

// mustHold panics on a curve or jitter whose parameters break what it says of them. Those that can be wrong have a method
// of this name.
func mustHold(part any) {
	if p, ok := part.(interface{ mustHold() }); ok {
		p.mustHold()
	}
}
