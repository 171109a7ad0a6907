package tokens

import (
	"math"
	"testing"
	"time"

	"herdsim/sim/clock"
)

// Whoever takes every token in the instant that completes it gets as many as the rate says, to the end of time, and knows
// that instant beforehand.
func TestStoreIsExact(t *testing.T) {
	s := Timed(2, clock.Rate{Count: 3, Per: 100}) // one that is full loses what comes
	s.Tokens = 0
	for k, want := range []clock.Time{34, 67, 100, 134, 167, 200} {
		at := s.Next()
		s.Refill(at - 1)
		if early := s.Tokens; early > 0 || at != want {
			t.Fatalf("token %d comes at %d, want %d; %d there before", k, at, want, early)
		}
		s.Refill(at)
		s.Tokens--
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
		s := Timed(c.most, c.rate)
		s.Tokens = 0
		if at := s.Next(); at != c.next {
			t.Errorf("%+v: the first token at %d, want %d", c.rate, at, c.next)
		}
		if s.Refill(century); s.Tokens != c.tokens {
			t.Errorf("%+v: %d tokens after a century, want %d", c.rate, s.Tokens, c.tokens)
		}
	}
}
