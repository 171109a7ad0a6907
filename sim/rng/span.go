package rng

import "time"

// A Span is a distribution of durations. Its values are never negative.
type Span interface {
	Span(d *Draw) time.Duration
}

// Fixed is the span that is always the same.
type Fixed time.Duration

// Span returns the fixed duration.
func (f Fixed) Span(*Draw) time.Duration { return time.Duration(f) }

// Uniform is the uniform distribution over the whole nanoseconds from Lo to Hi, both included; 0 ≤ Lo ≤ Hi ≤ clock.Longest.
type Uniform struct{ Lo, Hi time.Duration }

// Span returns a duration that grows with the word drawn; see Draw.Below.
func (u Uniform) Span(d *Draw) time.Duration {
	return u.Lo + time.Duration(d.Below(uint64(u.Hi-u.Lo)+1))
}

// Cycle gives the jobs of a cohort its durations in turn: the job of index i gets the one at i modulo their number, at
// every try. It must hold at least one.
type Cycle []time.Duration

// Span returns the duration of the job that d is about. It draws nothing.
func (c Cycle) Span(d *Draw) time.Duration { return c[d.index()%uint64(len(c))] }

// Mean returns the mean of a span, floored to the nanosecond; false for a lognormal one, whose mean is no matter of integers.
func Mean(s Span) (time.Duration, bool) {
	switch s := s.(type) {
	case Fixed:
		return time.Duration(s), true
	case Uniform:
		return s.Lo + (s.Hi-s.Lo)/2, true
	case Exponential:
		return s.Mean, true
	case Cycle:
		whole, rest := time.Duration(0), time.Duration(0) // their sum may not fit
		for _, d := range s {
			whole += d / time.Duration(len(s))
			rest += d % time.Duration(len(s))
		}
		return whole + rest/time.Duration(len(s)), true
	}
	return 0, false
}
