package policy

import (
	"math/bits"
	"time"

	"herdsim/sim/clock"
)

// A Fraction is the exact number Num/Den, Den > 0.
type Fraction struct{ Num, Den uint64 }

// Of returns ⌊d·Num/Den⌋ nanoseconds, saturating at clock.Longest. d must not be negative.
func (f Fraction) Of(d time.Duration) time.Duration {
	hi, lo := bits.Mul64(uint64(d), f.Num)
	if hi >= f.Den {
		return clock.Longest
	}
	q, _ := bits.Div64(hi, lo, f.Den)
	return span(q)
}

// lowest returns the same number in lowest terms.
func (f Fraction) lowest() Fraction {
	a, b := f.Num, f.Den
	for b != 0 {
		a, b = b, a%b
	}
	return Fraction{f.Num / a, f.Den / a}
}

// above reports whether f is more than g.
func (f Fraction) above(g Fraction) bool {
	fhi, flo := bits.Mul64(f.Num, g.Den)
	ghi, glo := bits.Mul64(g.Num, f.Den)
	return fhi > ghi || fhi == ghi && flo > glo
}

// mustDivide panics unless f is a number.
func (f Fraction) mustDivide() {
	if f.Den == 0 {
		panic("policy: fraction without a denominator")
	}
}

// mustShare panics unless f is a number of [0, 1].
func (f Fraction) mustShare() {
	f.mustDivide()
	if f.Num > f.Den {
		panic("policy: share outside [0, 1]")
	}
}

// span returns ns as a duration, saturating at clock.Longest.
func span(ns uint64) time.Duration { return time.Duration(min(ns, uint64(clock.Longest))) }

// mustPrice panics unless d is a span that a policy may price.
func mustPrice(what string, d time.Duration) {
	if d < 0 || d > clock.Longest {
		panic("policy: " + what + " " + d.String() + " is outside [0, clock.Longest]")
	}
}
