package rng

import (
	"math/bits"
	"time"

	"herdsim/sim/clock"
)

// Lognormal is the distribution whose logarithm is normal.
type Lognormal struct {
	median time.Duration
	sigma  uint64 // deviation of the logarithm, in units of 2^−58
}

// NewLognormal returns the lognormal distribution with the given median and 99th percentile, both above 0, the first at
// most the second.
func NewLognormal(p50, p99 time.Duration) Lognormal {
	low, high := unitExponential(-uint64(p99)), unitExponential(-uint64(p50)) // −ln(p/2^64) of both
	sigma, _ := bits.Mul64(max(low, high)-low, inverse99)
	return Lognormal{median: p50, sigma: sigma}
}

// inverse99 is 2^64 over the 99th percentile of the standard normal distribution, rounded.
const inverse99 = 0x6e0b31f6dc501771

// Span returns ⌊median·exp(σz)⌋ nanoseconds for a standard normal z, saturating at clock.Longest. It takes one word and
// grows with it, apart from errors of less than 2^−36 of itself.
func (l Lognormal) Span(d *Draw) time.Duration {
	return l.at(d.Uint64())
}

// at returns the span of a word.
func (l Lognormal) at(w uint64) time.Duration {
	z, negative := unitNormal(w)
	hi, lo := bits.Mul64(l.sigma, z)
	if hi >= 1<<ExponentialBits { // a factor of exp(±64)
		if negative {
			return 0
		}
		return clock.Longest
	}
	return scaleExp(l.median, hi<<(64-ExponentialBits)|lo>>ExponentialBits, negative)
}

// scaleExp returns ⌊d·exp(±y)⌋ for y in units of 2^−58, saturating at clock.Longest. With exp(±y) = 2^n·exp(r), r lies in
// [0, ln 2] but for rounding.
func scaleExp(d time.Duration, y uint64, negative bool) time.Duration {
	const unit = ln2 >> (64 - ExponentialBits)
	n := y / unit
	if negative && y%unit > 0 {
		n++
	}
	hi, lo := bits.Mul64(n, ln2)
	whole, part := y>>ExponentialBits, y<<(64-ExponentialBits)
	var r, borrow uint64
	if negative {
		r, borrow = bits.Sub64(lo, part, 0)
		hi, _ = bits.Sub64(hi, whole, borrow)
	} else {
		r, borrow = bits.Sub64(part, lo, 0)
		hi, _ = bits.Sub64(whole, hi, borrow)
	}
	if hi != 0 { // a rounding error below 0
		r = 0
	}
	hi, lo = bits.Mul64(uint64(d), exponential(r))
	if negative {
		return time.Duration(shiftRight(hi, lo, expBits+n))
	}
	if n > expBits || hi>>(expBits-n) > 0 {
		return clock.Longest
	}
	return time.Duration(min(shiftRight(hi, lo, expBits-n), uint64(clock.Longest)))
}

// shiftRight returns the low word of ⌊(hi·2^64 + lo)/2^by⌋.
func shiftRight(hi, lo, by uint64) uint64 {
	if by < 64 {
		return hi<<(64-by) | lo>>by // a shift by 64 gives 0
	}
	return hi >> (by - 64)
}

// expBits are the binary places of exponential's result.
const expBits = 62

// exponential returns 2^62·exp(r) for r in units of 2^−64, at most 0.7, by Horner's rule. The first term left out is about
// one unit.
func exponential(r uint64) uint64 {
	const one = 1 << expBits
	sum := uint64(0)
	for _, c := range [...]uint64{
		one / 355687428096000, one / 20922789888000, one / 1307674368000, one / 87178291200, one / 6227020800, one / 479001600,
		one / 39916800, one / 3628800, one / 362880, one / 40320, one / 5040, one / 720, one / 120, one / 24, one / 6, one / 2, one, one,
	} {
		hi, _ := bits.Mul64(sum, r)
		sum = c + hi
	}
	return sum
}
