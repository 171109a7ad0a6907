package policy

import "time"

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
