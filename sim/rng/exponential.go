package rng

import (
	"math/bits"
	"time"

	"herdsim/sim/clock"
)

// Draw.Exponential counts in parts of ExponentialOne, 2^ExponentialBits: its largest value, 44.4, just fits 64 bits.
const (
	ExponentialBits = 58
	ExponentialOne  = 1 << ExponentialBits
)

// Exponential is the exponential distribution with the given mean, which must not be negative.
type Exponential struct{ Mean time.Duration }

// Span returns ⌊Mean·E⌋ nanoseconds for a unit exponential E, saturating at clock.Longest. It takes one word.
func (e Exponential) Span(d *Draw) time.Duration { return e.of(d.Exponential()) }

// At returns the span that Span makes of the word w. It never falls as w grows.
func (e Exponential) At(w uint64) time.Duration { return e.of(unitExponential(w)) }

// of returns ⌊Mean·unit⌋, unit being in parts of ExponentialOne.
func (e Exponential) of(unit uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(e.Mean), unit)
	if hi >= uint64(clock.Longest)>>(64-ExponentialBits) {
		return clock.Longest
	}
	return time.Duration(hi<<(64-ExponentialBits) | lo>>ExponentialBits)
}

// Exponential returns a draw from the exponential distribution with mean 1, in units of 1/ExponentialOne. It takes one
// word w and inverts the distribution function at w/2^64: the value is −ln(1 − w/2^64), which grows with w from 0 to
// 64·ln 2 = 44.4, to within two units.
func (d *Draw) Exponential() uint64 { return unitExponential(d.Uint64()) }

// unitExponential computes −ln(m/2^64) for m = 2^64 − w. With z leading zeros, m = v·2^(64−z), v in [1/2, 1). The first
// eight bits of v after its leading one choose a reciprocal r of the upper end of v's interval, so that v·r = 1 − a with
// 0 ≤ a < 2^−8, and
//
//	−ln(m/2^64) = z·ln 2 + ln r + (a + a²/2 + … + a⁶/6)
//
// where every term is positive: nothing cancels, and the result cannot fall below 0. The first term left out is at most
// 2^−58.8.
func unitExponential(w uint64) uint64 {
	if w == 0 {
		return 0
	}
	m := -w
	z := bits.LeadingZeros64(m)
	v := m << z
	entry := &reciprocals[v>>55&0xff]
	product, _ := bits.Mul64(v, entry.value)
	series := minusLog1(1<<63 - product)
	hi, lo := bits.Mul64(uint64(z), ln2)
	lo, carry := bits.Add64(lo, entry.log+series, 0)
	return (hi+carry)<<ExponentialBits | lo>>(64-ExponentialBits)
}

// ln2 is 2^64·ln 2, rounded.
const ln2 = 0xb17217f7d1cf79ac

// minusLog1 returns −2^64·ln(1 − a) for a in units of 2^−63, a < 2^−8, by Horner's rule on a scaled by 2^71.
func minusLog1(a uint64) uint64 {
	const one = 1<<64 - 1 // 2^64 but for one unit
	scaled := a << 8
	sum := uint64(one / 6)
	for _, c := range [...]uint64{one / 5, one / 4, one / 3, one / 2} {
		hi, _ := bits.Mul64(scaled, sum)
		sum = c + hi>>7
	}
	hi, _ := bits.Mul64(scaled, sum)
	hi, _ = bits.Mul64(scaled, hi>>7)
	return a<<1 + hi>>7
}
