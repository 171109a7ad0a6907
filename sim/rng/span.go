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
