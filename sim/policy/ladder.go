package policy

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Fixed returns the curve that is always d.
func Fixed(d time.Duration) Curve { return Ladder([]time.Duration{d}) }

// Ladder returns the curve that gives waits one after another; the last repeats. waits must not be empty.
func Ladder(waits []time.Duration) Curve {
	if len(waits) == 0 {
		panic("policy: a ladder without rungs")
	}
	for _, d := range waits {
		mustPrice("wait", d)
	}
	return append(ladder(nil), waits...)
}

// A ladder holds the first waits of a curve; the last repeats.
type ladder []time.Duration

// Base returns the n-th wait.
func (l ladder) Base(n int) time.Duration { return l[min(n, len(l))-1] }

// LadderToEnd returns the curve that gives the last of waits before the last of so many retries, at least 1: of more waits
// than retries the first are left out, and of fewer the first repeats until the others' turn comes.
func LadderToEnd(waits []time.Duration, retries int) Curve {
	if retries < 1 {
		panic("policy: a ladder that ends before the first retry")
	}
	if retries <= len(waits) {
		return Ladder(waits[len(waits)-retries:])
	}
	return lateLadder{Ladder(waits), retries - len(waits)}
}

// A lateLadder gives the first wait of a curve some times more before it moves on.
type lateLadder struct {
	rungs  Curve
	behind int
}

// Base returns the n-th wait.
func (l lateLadder) Base(n int) time.Duration { return l.rungs.Base(max(n-l.behind, 1)) }

// Offsets returns the curve that gives the entries of at, which never fall, one after another, and goes on from the last
// in steps of then. It is made for FromArrival. at must not be empty.
func Offsets(at []time.Duration, then time.Duration) Curve {
	o := offsets{Ladder(at).(ladder), then}
	mustPrice("step", then)
	for i := range at[1:] {
		if at[i] > at[i+1] {
			panic("policy: an offset below the one before it")
		}
	}
	return o
}

type offsets struct {
	at   ladder
	then time.Duration
}

// Base returns the n-th offset, saturating at clock.Longest.
func (o offsets) Base(n int) time.Duration {
	return span(uint64(o.at.Base(n)) + uint64(clock.Times(o.then, uint64(max(n-len(o.at), 0)))))
}

// FromArrival returns the policy that aims at instants counted from the job's arrival: the wait after failure n is what is
// left of the n-th offset, nothing if that has passed, spread by jitter.
func FromArrival(offset Curve, jitter Jitter) Policy {
	mustHold(offset)
	mustHold(jitter)
	return fromArrival{offset, jitter}
}

type fromArrival struct {
	offset Curve
	jitter Jitter
}

// Wait spreads the span from the failure to the offset.
func (p fromArrival) Wait(f Failure, draw *rng.Draw) time.Duration {
	return p.jitter.Spread(max(p.offset.Base(f.N())-f.Age, 0), f.N(), draw)
}
