package policy

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"herdsim/sim/clock"
)

// exact returns min(cap, ⌊base·factor^(n−1)⌋) from whole powers.
func exact(base time.Duration, factor Fraction, n int, cap time.Duration) time.Duration {
	num, den := power(factor.Num, n-1), power(factor.Den, n-1)
	v := num.Quo(num.Mul(num, big.NewInt(int64(base))), den)
	if v.Cmp(big.NewInt(int64(cap))) > 0 {
		return cap
	}
	return time.Duration(v.Int64())
}

func TestExponential(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		base   time.Duration
		factor Fraction
		cap    time.Duration
		n      int
		want   time.Duration
	}{
		{second, Fraction{2, 1}, 0, 1, second},
		{second, Fraction{2, 1}, 0, 7, 64 * second},
		{second, Fraction{2, 1}, 60 * second, 7, 60 * second},
		{second, Fraction{2, 1}, 60 * second, 1_000_000, 60 * second},
		{second, Fraction{2, 1}, 0, 33, 1 << 32 * second},
		{second, Fraction{2, 1}, 0, 34, clock.Longest},
		{1, Fraction{2, 1}, 0, 62, 1 << 61},
		{1, Fraction{2, 1}, 0, 63, clock.Longest},
		{1, Fraction{2, 1}, 0, 64, clock.Longest},
		{1, Fraction{2, 1}, 0, 65, clock.Longest},
		{second, Fraction{3, 2}, 0, 4, 3375 * time.Millisecond},
		{second, Fraction{1_500_000, 1_000_000}, 0, 4, 3375 * time.Millisecond},
		{second, Fraction{1, 1}, 0, 1_000_000, second},
		{second, Fraction{1, 2}, 0, 2, second / 2},
		{second, Fraction{1, 2}, 0, 30, 1},
		{second, Fraction{1, 2}, 0, 31, 0},
		{second, Fraction{1, 2}, 0, 1_000_000, 0},
		{second, Fraction{0, 1}, 0, 1, second},
		{second, Fraction{0, 5}, 0, 2, 0},
		{90 * second, Fraction{2, 1}, 60 * second, 1, 60 * second},
		{90 * second, Fraction{1, 2}, 60 * second, 2, 45 * second},
		{0, Fraction{2, 1}, 0, 1_000_000, 0},
		{1, Fraction{1<<64 - 1, 1}, 0, 2, clock.Longest},
		{clock.Longest, Fraction{1<<64 - 1, 1<<64 - 2}, 0, 1_000_000, clock.Longest},
		{clock.Longest, Fraction{1, 1<<64 - 1}, 0, 2, 0},
		{second, Fraction{1_000_001, 1_000_000}, 0, 1_000_001, 2_718_280_469}, // (1+10^−6)^(10^6) = 2.718280469319…
	} {
		if got := Exponential(c.base, c.factor, c.cap).Base(c.n); got != c.want {
			t.Errorf("%v·(%d/%d)^(%d−1) capped at %v: %d, want %d", c.base, c.factor.Num, c.factor.Den, c.n, c.cap, got, c.want)
		}
	}
}

// TestExponentialIsExact compares with whole powers: to the nanosecond while the power fits, and beyond it too, since no
// value here lies so close to a whole number that 2^−180 could tell.
func TestExponentialIsExact(t *testing.T) {
	for _, factor := range []Fraction{
		{2, 1}, {3, 2}, {11, 10}, {101, 100}, {1_000_001, 1_000_000}, {1_999_999, 1_000_000}, {1, 3}, {999_999, 1_000_000}, {99, 100}, {7, 1}, {1<<64 - 1, 1<<64 - 59},
	} {
		for _, base := range []time.Duration{1, 7, time.Second, 123_456_789_123, clock.Longest} {
			for _, cap := range []time.Duration{time.Hour, clock.Longest} {
				curve := Exponential(base, factor, cap)
				for n := 1; n < 400; n += 1 + n/40 {
					if got, want := curve.Base(n), exact(base, factor, n, cap); got != want {
						t.Fatalf("%d·(%d/%d)^(%d−1) capped at %d: %d, want %d", base, factor.Num, factor.Den, n, cap, got, want)
					}
				}
			}
		}
	}
}

// TestExponentialNeverFalls crosses from the table to the slow path, and from exact to truncated powers.
func TestExponentialNeverFalls(t *testing.T) {
	curve := Exponential(time.Second, Fraction{100_001, 100_000}, time.Hour)
	last := time.Duration(0)
	for n := 1; n < 2_000_000; n += 1 + n/300 {
		d := curve.Base(n)
		if d < last {
			t.Fatalf("wait %d is %d, after %d", n, d, last)
		}
		last = d
	}
	if last != time.Hour {
		t.Errorf("the curve ends at %v", last)
	}
}

func TestLadder(t *testing.T) {
	waits := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute}
	curve := Ladder(waits)
	waits[0] = 0
	for n, want := range map[int]time.Duration{1: 5 * time.Second, 2: 5 * time.Minute, 3: 30 * time.Minute, 4: 30 * time.Minute, Unlimited: 30 * time.Minute} {
		if got := curve.Base(n); got != want {
			t.Errorf("wait %d is %v, want %v", n, got, want)
		}
	}
}

func TestFirstWaits(t *testing.T) {
	rungs := []time.Duration{10 * time.Second, 30 * time.Second, 60 * time.Second}
	for _, c := range []struct {
		name  string
		curve Curve
		want  []time.Duration // in seconds
	}{
		{"ladder to the end, short", LadderToEnd(rungs, 5), []time.Duration{10, 10, 10, 30, 60, 60}},
		{"ladder to the end, even", LadderToEnd(rungs, 3), []time.Duration{10, 30, 60, 60}},
		{"ladder to the end, long", LadderToEnd(rungs, 2), []time.Duration{30, 60, 60}},
		{"offsets", Offsets(rungs, 7*time.Second), []time.Duration{10, 30, 60, 67, 74}},
		{"linear", Linear{5 * time.Second, 2 * time.Second}, []time.Duration{5, 7, 9, 11}},
		{"fibonacci", Fibonacci(time.Second), []time.Duration{1, 2, 3, 5, 8, 13, 21}},
		{"power as in Sidekiq", Power{Unit: time.Second, Exponent: 4, Offset: 15 * time.Second, Shift: -1}, []time.Duration{15, 16, 31, 96, 271}},
		{"power with a far shift", Power{Unit: time.Second, Exponent: 2, Offset: time.Second, Shift: -3}, []time.Duration{1, 1, 1, 2, 5, 10}},
		{"power with a shift up", Power{Unit: time.Second, Exponent: 1, Shift: 2}, []time.Duration{3, 4, 5}},
	} {
		for i, want := range c.want {
			if got := c.curve.Base(i + 1); got != want*time.Second {
				t.Errorf("%s: wait %d is %v, want %v", c.name, i+1, got, want*time.Second)
			}
		}
	}
	longest := LadderToEnd(rungs, Unlimited-1)
	if a, b := longest.Base(Unlimited-3), longest.Base(Unlimited-1); a != rungs[0] || b != rungs[2] {
		t.Errorf("the end of %d retries: %v, %v", Unlimited-1, a, b)
	}
}

// TestPolynomialsAreExact compares linear and power with big integers.
func TestPolynomialsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	saturated := func(v *big.Int) time.Duration {
		if longest := big.NewInt(int64(clock.Longest)); v.Cmp(longest) > 0 {
			return clock.Longest
		}
		return time.Duration(v.Int64())
	}
	some := func() time.Duration { return time.Duration(r.Uint64() >> (2 + r.UintN(62))) }
	for range 20_000 {
		n := 1 + int(r.Uint32()>>(1+r.UintN(31)))
		l := Linear{some(), some()}
		want := new(big.Int).Mul(big.NewInt(int64(l.Step)), big.NewInt(int64(n-1)))
		if got := l.Base(n); got != saturated(want.Add(want, big.NewInt(int64(l.First)))) {
			t.Fatalf("%+v: wait %d is %d, want %d", l, n, got, want)
		}
		p := Power{Unit: some(), Exponent: 1 + r.IntN(62), Offset: some(), Shift: int64(r.Uint32()>>(1+r.UintN(31))) - int64(n)}
		want.Exp(big.NewInt(max(int64(n)+p.Shift, 0)), big.NewInt(int64(p.Exponent)), nil)
		want.Add(want.Mul(want, big.NewInt(int64(p.Unit))), big.NewInt(int64(p.Offset)))
		if got := p.Base(n); got != saturated(want) {
			t.Fatalf("%+v: wait %d is %d, want %d", p, n, got, want)
		}
	}
}

func TestFractionOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		d := time.Duration(r.Uint64() >> (2 + r.UintN(62)))
		f := Fraction{r.Uint64() >> r.UintN(64), 1 + r.Uint64()>>(1+r.UintN(63))}
		want := new(big.Int).Mul(big.NewInt(int64(d)), new(big.Int).SetUint64(f.Num))
		want.Quo(want, new(big.Int).SetUint64(f.Den))
		if longest := big.NewInt(int64(clock.Longest)); want.Cmp(longest) > 0 {
			want = longest
		}
		if got := f.Of(d); int64(got) != want.Int64() {
			t.Fatalf("%v of %d: %d, want %d", f, d, got, want)
		}
	}
}
