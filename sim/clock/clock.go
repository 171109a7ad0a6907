// Package clock holds virtual time: instants are integers, so that every machine computes the same ones.
package clock

import (
	"math"
	"math/bits"
	"time"
)

// Time is an instant: nanoseconds since the start of the simulation. It is never negative.
type Time int64

// End is the last instant; sums that would pass it saturate there.
const End Time = math.MaxInt64

// Longest is the longest span a policy may price, 2^62 ns (about 146 years): two of them still fit an int64.
const Longest time.Duration = 1 << 62

// Add returns t+d, saturating at End. d must not be negative.
func (t Time) Add(d time.Duration) Time {
	if sum := t + Time(d); sum >= t {
		return sum
	}
	return End
}

// Sub returns the span t-u, in nanoseconds.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Plus returns the sum of two spans, saturating at the longest time.Duration. Neither must be negative.
func Plus(a, b time.Duration) time.Duration { return Time(a).Add(b).Sub(0) }

// Times returns n spans of d, saturating at Longest. d must not be negative.
func Times(d time.Duration, n uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), n)
	if hi > 0 {
		return Longest
	}
	return time.Duration(min(lo, uint64(Longest)))
}

// Floor returns the last multiple of step at or before t. step must be positive.
func (t Time) Floor(step time.Duration) Time { return t - t%Time(step) }

// A Rate is Count happenings every Per; both are positive, except that Count may be 0 for "never".
type Rate struct {
	Count int64
	Per   time.Duration
}

// Offset returns ⌊k/rate⌋: the span after which the k-th happening (from 0) is due, saturating at Longest.
func (r Rate) Offset(k uint64) time.Duration {
	hi, lo := bits.Mul64(k, uint64(r.Per))
	if hi >= uint64(r.Count) {
		return Longest
	}
	q, _ := bits.Div64(hi, lo, uint64(r.Count))
	return time.Duration(min(q, uint64(Longest)))
}
