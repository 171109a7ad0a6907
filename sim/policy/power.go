package policy

import (
	"time"

	"herdsim/sim/clock"
)

// Power is the curve Unit·(n+Shift)^Exponent + Offset, saturating at clock.Longest. Where Shift makes n+Shift negative, it
// counts as 0: the wait is then Offset.
type Power struct {
	Unit     time.Duration
	Exponent int   // at least 1
	Shift    int64 // within ±Unlimited
	Offset   time.Duration
}

// Base returns the n-th wait.
func (p Power) Base(n int) time.Duration {
	x := max(int64(n)+p.Shift, 0)
	d := p.Unit
	for range p.Exponent {
		if x == 1 || d == clock.Longest {
			break
		}
		d = clock.Times(d, uint64(x))
	}
	return span(uint64(d) + uint64(p.Offset))
}

func (p Power) mustHold() {
	mustPrice("unit", p.Unit)
	mustPrice("offset", p.Offset)
	if p.Exponent < 1 || max(p.Shift, -p.Shift) > Unlimited {
		panic("policy: power with a bad exponent or shift")
	}
}
