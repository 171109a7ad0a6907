package policy

import (
	"math/big"
	"time"

	"herdsim/sim/clock"
)

// Exponential returns the curve min(cap, ⌊base·factor^(n−1)⌋). A cap of 0 means none: the curve then saturates at
// clock.Longest. The value is exact as long as numerator and denominator of factor^(n−1), in lowest terms, have at most
// powerBits bits each; beyond that the power is truncated to powerBits significant bits, an error below 1 ns.
func Exponential(base time.Duration, factor Fraction, cap time.Duration) Curve {
	mustPrice("base", base)
	mustPrice("cap", cap)
	factor.mustDivide()
	if cap == 0 {
		cap = clock.Longest
	}
	e := exponential{base: base, factor: factor.lowest(), limit: cap}
	for n := 1; n <= tabled; n++ {
		d := e.price(n)
		e.first = append(e.first, d)
		if e.settled(d) {
			return capped{e.first, exponential{base: base, factor: e.factor, limit: clock.Longest}}
		}
	}
	return e
}

// Capped returns the ladder of waits that knows the curve of which it is cut.
func Capped(waits []time.Duration, whole Curve) Curve { return capped{Ladder(waits).(ladder), whole} }

type capped struct {
	ladder
	whole Curve
}

func (c capped) uncapped(n int) time.Duration { return c.whole.Base(n) }

// uncapped prices the n-th wait as if there were no cap.
func (e exponential) uncapped(n int) time.Duration {
	e.limit = clock.Longest
	return e.price(n)
}

const (
	tabled    = 256 // most waits of a curve that are computed ahead
	powerBits = 256
)

// An exponential is a geometric curve that has not settled within its first waits.
type exponential struct {
	first  ladder
	base   time.Duration
	factor Fraction // in lowest terms
	limit  time.Duration
}

// Base returns the n-th wait, from the table where it reaches.
func (e exponential) Base(n int) time.Duration {
	if n <= len(e.first) {
		return e.first[n-1]
	}
	return e.price(n)
}

// settled reports whether every wait after d is d.
func (e *exponential) settled(d time.Duration) bool {
	return d == 0 || e.factor.Num == e.factor.Den || e.factor.Num > e.factor.Den && d == e.limit
}

// price computes the n-th wait.
func (e *exponential) price(n int) time.Duration {
	if n <= powerBits { // after more steps every factor but 1 has outgrown powerBits
		num, den := power(e.factor.Num, n-1), power(e.factor.Den, n-1)
		if num.BitLen() <= powerBits && den.BitLen() <= powerBits {
			exact := num.Quo(num.Mul(num, big.NewInt(int64(e.base))), den)
			if limit := big.NewInt(int64(e.limit)); exact.Cmp(limit) >= 0 {
				return e.limit
			}
			return time.Duration(exact.Int64())
		}
	}
	return e.truncated(n)
}

// truncated computes the n-th wait by repeated squaring, every product cut to powerBits bits. The result is below the
// exact one by less than n·2^(62−powerBits+1) ns.
func (e *exponential) truncated(n int) time.Duration {
	cut := func() *big.Float { return new(big.Float).SetPrec(powerBits).SetMode(big.ToZero) }
	value := cut().SetInt64(int64(e.base))
	square := cut().Quo(cut().SetUint64(e.factor.Num), cut().SetUint64(e.factor.Den))
	for k := n - 1; k > 0; k >>= 1 {
		if k&1 == 1 {
			value.Mul(value, square)
		}
		square.Mul(square, square)
	}
	if value.Cmp(cut().SetInt64(int64(e.limit))) >= 0 {
		return e.limit
	}
	whole, _ := value.Int64()
	return time.Duration(whole)
}

func power(x uint64, k int) *big.Int {
	return new(big.Int).Exp(new(big.Int).SetUint64(x), big.NewInt(int64(k)), nil)
}
