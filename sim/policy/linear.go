package policy

import (
	"time"

	"herdsim/sim/clock"
)

// Linear is the curve First + Step·(n−1), saturating at clock.Longest.
type Linear struct{ First, Step time.Duration }

// Base returns the n-th wait.
func (l Linear) Base(n int) time.Duration {
	return span(uint64(l.First) + uint64(clock.Times(l.Step, uint64(n-1))))
}

func (l Linear) mustHold() {
	mustPrice("first", l.First)
	mustPrice("step", l.Step)
}
