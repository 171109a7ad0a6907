package policy

import (
	"math/bits"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// spans are waits so short that a bounded integer is next to never rejected.
var spans = []time.Duration{0, 1, 2, 3, time.Second, time.Second + 1, time.Hour}

// TestJittersShareTheUniform recomputes each jitter from the word it is drawn from: a + ⌊u·(b+1)⌋.
func TestJittersShareTheUniform(t *testing.T) {
	scale := func(word, n uint64) uint64 { hi, _ := bits.Mul64(word, n); return hi }
	const failure = 3
	fifth := Fraction{1, 5}
	for _, d := range spans {
		for index := range uint64(50) {
			first := draw(index, 1)
			u := first.Uint64()
			again := draw(index, 1)
			for _, c := range []struct {
				jitter Jitter
				want   uint64
			}{
				{Full{}, scale(u, uint64(d)+1)},
				{Equal{}, uint64(d/2) + scale(u, uint64(d-d/2)+1)},
				{Add{1, 9}, uint64(d) + 1 + scale(u, 9)},
				{Ratio{fifth}, uint64(d-d/5) + scale(u, 2*uint64(d/5)+1)},
				{Up{fifth}, uint64(d) + scale(u, uint64(d/5)+1)},
				{Down{fifth}, uint64(d-d/5) + scale(u, uint64(d/5)+1)},
				{Scale{fifth, Fraction{2, 1}}, uint64(d/5) + scale(u, uint64(2*d-d/5)+1)},
				{Comb{30, 7}, uint64(d) + 7*failure*scale(u, 30)},
				{Memoryless{}, uint64(rng.Exponential{Mean: d}.Span(&again))},
				{Steps{10, Full{}}, 10 * scale(u, uint64(d/10)+1)},
			} {
				w := draw(index, 1)
				if got := c.jitter.Spread(d, failure, &w); got != span(c.want) {
					t.Fatalf("%T of %d, word %#x: %d, want %d", c.jitter, d, u, got, span(c.want))
				}
			}
		}
	}
}

// TestWordsTakenDoNotDependOnTheWait: what follows on the same draw is the same whatever was spread before.
func TestWordsTakenDoNotDependOnTheWait(t *testing.T) {
	for _, j := range jitters {
		var next []uint64
		for _, d := range spans {
			w := draw(7, 1)
			j.Spread(d, 1+len(next), &w)
			next = append(next, w.Uint64())
		}
		if len(slices.Compact(next)) > 1 {
			t.Errorf("%s: %x", j.name, next)
		}
	}
}

func TestSmallRangesReachBothEnds(t *testing.T) {
	for _, c := range []struct {
		jitter Jitter
		d      time.Duration
		want   []time.Duration
	}{
		{Full{}, 3, []time.Duration{0, 1, 2, 3}},
		{Full{}, 0, []time.Duration{0}},
		{Equal{}, 5, []time.Duration{2, 3, 4, 5}},
		{Equal{}, 1, []time.Duration{0, 1}},
		{Add{1, 3}, 10, []time.Duration{11, 12, 13}},
		{Ratio{Fraction{1, 5}}, 10, []time.Duration{8, 9, 10, 11, 12}},
		{Ratio{Fraction{1, 5}}, 4, []time.Duration{4}},
		{Up{Fraction{1, 5}}, 14, []time.Duration{14, 15, 16}},
		{Down{Fraction{1, 5}}, 14, []time.Duration{12, 13, 14}},
		{Down{Fraction{1, 1}}, 2, []time.Duration{0, 1, 2}},
		{Scale{Fraction{1, 5}, Fraction{1, 3}}, 16, []time.Duration{3, 4, 5}},
		{Scale{Fraction{2, 1}, Fraction{4, 2}}, 5, []time.Duration{10}},
		{Scale{Fraction{1, 1}, Fraction{2, 1}}, clock.Longest, []time.Duration{clock.Longest}},
		{Comb{3, 100}, 5, []time.Duration{5, 205, 405}},
		{Comb{3, clock.Longest}, 5, []time.Duration{5, clock.Longest}},
		{Memoryless{}, 0, []time.Duration{0}},
		{Steps{10, Full{}}, 29, []time.Duration{0, 10, 20}},
		{Steps{clock.Longest, Add{1, 2}}, 5, []time.Duration{clock.Longest}},
		{Chain{}, 5, []time.Duration{5}},
		{None{}, 5, []time.Duration{5}},
	} {
		var got []time.Duration
		for index := range uint64(200) {
			w := draw(index, 1)
			got = append(got, c.jitter.Spread(c.d, 2, &w))
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%T of %d: %v, want %v", c.jitter, c.d, got, c.want)
		}
	}
}

func TestListed(t *testing.T) {
	waits := []time.Duration{2 * time.Second, 7 * time.Second}
	p := Listed(waits, New(Exponential(time.Second, Fraction{2, 1}, 0), None{}))
	waits[0] = 0
	for i, want := range []time.Duration{2, 7, 4, 8, 16} {
		if got := wait(p, i+1, 0); got != want*time.Second {
			t.Errorf("wait %d is %v, want %v", i+1, got, want*time.Second)
		}
	}
}

// TestWaitUsesChargedFailures: an attempt that was not charged does not move the curve.
func TestWaitUsesChargedFailures(t *testing.T) {
	p := New(Exponential(time.Second, Fraction{2, 1}, 0), None{})
	if got := p.Wait(Failure{Number: 9, Charged: 2}, nil); got != 4*time.Second {
		t.Errorf("wait is %v, want 4s", got)
	}
}

func TestMistakesPanic(t *testing.T) {
	for name, build := range map[string]func(){
		"negative wait":      func() { Fixed(-1) },
		"wait too long":      func() { Fixed(clock.Longest + 1) },
		"empty ladder":       func() { Ladder(nil) },
		"negative base":      func() { Exponential(-1, Fraction{2, 1}, 0) },
		"negative cap":       func() { Exponential(1, Fraction{2, 1}, -1) },
		"factor of nothing":  func() { Exponential(1, Fraction{2, 0}, 0) },
		"add backwards":      func() { New(Fixed(1), Add{2, 1}) },
		"add negative":       func() { New(Fixed(1), Add{-1, 1}) },
		"ratio above 1":      func() { New(Fixed(1), Ratio{Fraction{3, 2}}) },
		"ratio of nothing":   func() { New(Fixed(1), Ratio{}) },
		"up of nothing":      func() { New(Fixed(1), Up{}) },
		"steps without size": func() { New(Fixed(1), Steps{0, Full{}}) },
		"hidden in steps":    func() { New(Fixed(1), Steps{1, Add{2, 1}}) },
		"hidden in a chain":  func() { New(Fixed(1), Chain{Full{}, Up{}}) },
		"down above 1":       func() { New(Fixed(1), Down{Fraction{3, 2}}) },
		"scale backwards":    func() { New(Fixed(1), Scale{Fraction{3, 2}, Fraction{1, 1}}) },
		"scale of nothing":   func() { New(Fixed(1), Scale{Fraction{1, 1}, Fraction{}}) },
		"comb without teeth": func() { New(Fixed(1), Comb{0, 1}) },
		"negative spacing":   func() { New(Fixed(1), Comb{1, -1}) },
		"negative step":      func() { New(Linear{1, -1}, None{}) },
		"negative unit":      func() { New(Power{Unit: -1, Exponent: 1}, None{}) },
		"no exponent":        func() { New(Power{Unit: 1}, None{}) },
		"far shift":          func() { New(Power{Unit: 1, Exponent: 1, Shift: Unlimited + 1}, None{}) },
		"negative fibonacci": func() { Fibonacci(-1) },
		"decorrelated of 0":  func() { Decorrelated(0, 1) },
		"ends before it is":  func() { LadderToEnd([]time.Duration{1}, 0) },
		"falling offsets":    func() { Offsets([]time.Duration{2, 1}, 1) },
		"negative offset":    func() { Offsets([]time.Duration{-2}, 1) },
		"negative going on":  func() { Offsets([]time.Duration{2}, -1) },
		"from bad offsets":   func() { FromArrival(Linear{-1, 1}, None{}) },
		"from bad jitter":    func() { FromArrival(Fixed(1), Comb{}) },
		"negative least":     func() { Limit(New(Fixed(1), None{}), Limits{Least: -1}) },
		"bad other jitter":   func() { Respread(New(Fixed(1), None{}), Comb{}) },
		"negative in list":   func() { Listed([]time.Duration{-1}, New(Fixed(1), None{})) },
		"failure 0":          func() { Fixed(1).Base(0) },
		"failure 0 of slow":  func() { Exponential(1, Fraction{1_000_001, 1_000_000}, 0).Base(0) },
	} {
		if !panics(build) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
