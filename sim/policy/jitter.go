package policy

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Except for None, every jitter below takes exactly one integer from the draw, also when its range is a single value: one
// word, but for rejections, whose chance is below the range's size in nanoseconds over 2^64. The integer grows with the
// word drawn, so all of them share the rank of the uniform behind them.

// None leaves the wait as it is and takes nothing from the draw.
type None struct{}

// Spread returns d.
func (None) Spread(d time.Duration, _ int, _ *rng.Draw) time.Duration { return d }

// Full is uniform over [0, d], both ends included.
type Full struct{}

// Spread returns a whole number of nanoseconds in [0, d].
func (Full) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	return time.Duration(draw.Below(uint64(d) + 1))
}

// Equal keeps one half and spreads the other: uniform over [⌊d/2⌋, d], both ends included.
type Equal struct{}

// Spread returns a whole number of nanoseconds in [⌊d/2⌋, d].
func (Equal) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	half := uint64(d) / 2
	return time.Duration(half + draw.Below(uint64(d)-half+1))
}

// Add lengthens the wait by a span that does not depend on it: d + [Lo, Hi], uniform, both ends included.
// 0 ≤ Lo ≤ Hi ≤ clock.Longest.
type Add struct{ Lo, Hi time.Duration }

// Spread returns a whole number of nanoseconds in [d+Lo, d+Hi].
func (a Add) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	return span(uint64(d) + uint64(a.Lo) + draw.Below(uint64(a.Hi-a.Lo)+1))
}

// Ratio spreads the wait to both sides by a fraction r ≤ 1 of it: uniform over [d−⌊d·r⌋, d+⌊d·r⌋], both ends included.
type Ratio struct{ Fraction }

// Spread returns a whole number of nanoseconds in [d−⌊d·r⌋, d+⌊d·r⌋].
func (r Ratio) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	reach := uint64(r.Of(d))
	return span(uint64(d) - reach + draw.Below(2*reach+1))
}

// Up lengthens the wait by at most a fraction j of it: uniform over [d, d+⌊d·j⌋], both ends included.
type Up struct{ Fraction }

// Spread returns a whole number of nanoseconds in [d, d+⌊d·j⌋].
func (u Up) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	return span(uint64(d) + draw.Below(uint64(u.Of(d))+1))
}

// Down shortens the wait by at most a fraction j ≤ 1 of it: uniform over [d−⌊d·j⌋, d], both ends included.
type Down struct{ Fraction }

// Spread returns a whole number of nanoseconds in [d−⌊d·j⌋, d].
func (j Down) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	reach := j.Of(d)
	return d - reach + time.Duration(draw.Below(uint64(reach)+1))
}

// Scale multiplies the wait by a number from Lo to Hi: uniform over [⌊d·Lo⌋, ⌊d·Hi⌋], both ends included.
type Scale struct{ Lo, Hi Fraction }

// Spread returns a whole number of nanoseconds in [⌊d·Lo⌋, ⌊d·Hi⌋].
func (s Scale) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	least := s.Lo.Of(d)
	return least + time.Duration(draw.Below(uint64(s.Hi.Of(d)-least)+1))
}

// Comb lengthens the wait by a whole number of steps, which grow with the number of the failure: d + Spacing·n·k, where k is
// uniform over 0, …, Teeth−1. However wide the comb grows, the instants it hits do not become more.
type Comb struct {
	Teeth   uint64 // at least 1
	Spacing time.Duration
}

// Spread returns one of the teeth, saturating at clock.Longest.
func (c Comb) Spread(d time.Duration, n int, draw *rng.Draw) time.Duration {
	return span(uint64(d) + uint64(clock.Times(clock.Times(c.Spacing, uint64(n)), draw.Below(c.Teeth))))
}

// Memoryless draws a wait that has d as its mean: exponentially distributed.
type Memoryless struct{}

// Spread returns ⌊d·E⌋ nanoseconds for a unit exponential E, saturating at clock.Longest.
func (Memoryless) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	return rng.Exponential{Mean: d}.Span(draw)
}

// Steps spreads in whole steps: the wait is cut to a number of steps, and that number is spread. It is how a library that
// counts in milliseconds jitters.
type Steps struct {
	Size   time.Duration // positive
	Jitter Jitter
}

// Spread returns a multiple of the step, saturating at clock.Longest.
func (s Steps) Spread(d time.Duration, n int, draw *rng.Draw) time.Duration {
	steps := s.Jitter.Spread(d/s.Size, n, draw)
	if steps > clock.Longest/s.Size {
		return clock.Longest
	}
	return steps * s.Size
}

// Chain applies jitters one after another, the first to the wait itself, each with words of its own.
type Chain []Jitter

// Spread returns the wait as the last jitter leaves it.
func (c Chain) Spread(d time.Duration, n int, draw *rng.Draw) time.Duration {
	for _, j := range c {
		d = j.Spread(d, n, draw)
	}
	return d
}

func (a Add) mustHold() {
	mustPrice("lo", a.Lo)
	mustPrice("hi", a.Hi)
	if a.Lo > a.Hi {
		panic("policy: jitter adds at least more than at most")
	}
}

func (r Ratio) mustHold() { r.mustShare() }

func (u Up) mustHold() { u.mustDivide() }

func (j Down) mustHold() { j.mustShare() }

func (s Scale) mustHold() {
	s.Lo.mustDivide()
	s.Hi.mustDivide()
	if s.Lo.above(s.Hi) {
		panic("policy: jitter multiplies by at least more than at most")
	}
}

func (c Comb) mustHold() {
	mustPrice("spacing", c.Spacing)
	if c.Teeth == 0 {
		panic("policy: a comb without teeth")
	}
}

func (s Steps) mustHold() {
	if s.Size <= 0 {
		panic("policy: steps without a size")
	}
	mustHold(s.Jitter)
}

func (c Chain) mustHold() {
	for _, inner := range c {
		mustHold(inner)
	}
}
