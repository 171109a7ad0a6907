package engine

import (
	"math"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// Whoever takes every token in the instant that completes it gets as many as the rate says, to the end of time, and knows
// that instant beforehand.
func TestStoreIsExact(t *testing.T) {
	s := timed(2, clock.Rate{Count: 3, Per: 100}) // one that is full loses what comes
	s.tokens = 0
	for k, want := range []clock.Time{34, 67, 100, 134, 167, 200} {
		at := s.next()
		s.refill(at - 1)
		if early := s.tokens; early > 0 || at != want {
			t.Fatalf("token %d comes at %d, want %d; %d there before", k, at, want, early)
		}
		s.refill(at)
		s.tokens--
	}
}

func TestStoreOfExtremes(t *testing.T) {
	century := clock.Time(100 * 365 * 24 * time.Hour)
	for _, c := range []struct {
		rate   clock.Rate
		most   uint64
		next   clock.Time // from empty
		tokens uint64     // after a century
	}{
		{clock.Rate{Count: math.MaxInt64, Per: 1}, 1, 1, 1},
		{clock.Rate{Count: math.MaxInt64, Per: 1}, math.MaxUint64, 1, math.MaxUint64},
		{clock.Rate{Count: 1, Per: math.MaxInt64}, 5, clock.End, 0},
		{clock.Rate{Count: math.MaxInt64, Per: math.MaxInt64}, math.MaxUint64, 1, uint64(century)},
	} {
		s := timed(c.most, c.rate)
		s.tokens = 0
		if at := s.next(); at != c.next {
			t.Errorf("%+v: the first token at %d, want %d", c.rate, at, c.next)
		}
		if s.refill(century); s.tokens != c.tokens {
			t.Errorf("%+v: %d tokens after a century, want %d", c.rate, s.tokens, c.tokens)
		}
	}
}

// A tenth of a token a success is a token after ten, not after eleven; and half of seven is more than three.
func TestPartsOfTokens(t *testing.T) {
	var pool schedule.Pool
	p := newPurse(RetryBudget{Bucket: 7, PerSuccess: policy.Fraction{Num: 1, Den: 10}, Threshold: policy.Fraction{Num: 1, Den: 2}}, &pool)
	for range 4 {
		p.failed()
	}
	for n := 1; n <= 6; n++ {
		if p.succeeded(); p.has(0) != (n == 6) { // 3.1, … 3.5, 3.6
			t.Errorf("3.%d of 7 tokens: has a retry: %v", n, p.has(0))
		}
	}
	for range 9 {
		p.failed()
	}
	for n := 1; n <= 10; n++ {
		if p.succeeded(); (p.main.tokens == 1) != (n == 10) {
			t.Errorf("after %d successes: %d tokens", n, p.main.tokens)
		}
	}
}
