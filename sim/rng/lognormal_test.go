package rng

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"herdsim/sim/clock"
)

func TestLognormalBits(t *testing.T) {
	l := NewLognormal(80*time.Millisecond, 900*time.Millisecond)
	s := NewStream(42, 5)
	for i, want := range []time.Duration{131604101, 66652214, 203102125, 87895472, 11078428, 4964877, 359411421, 39955553} {
		d := s.Draw(Service, 7, uint64(i), 1)
		if got := l.Span(&d); got != want {
			t.Errorf("draw %d: got %d, want %d", i, got, want)
		}
	}
}

// exactNormal returns the standard normal number of a word.
func exactNormal(w uint64) *big.Float {
	m, negative := w, w < 1<<63
	if !negative {
		m = ^w
	}
	e := logarithm(newFloat().SetMantExp(newFloat().SetUint64(2*m+1), -64))
	z := exactHalfNormal(e.Neg(e))
	if negative {
		z.Neg(z)
	}
	return z
}

func TestLognormalError(t *testing.T) {
	draw := NewStream(1, 0).Draw(Service, 0, 0, 0)
	words := []uint64{0, 1, 1<<63 - 1, 1 << 63, math.MaxUint64}
	for range 60 {
		words = append(words, draw.Uint64())
	}
	z99 := exactHalfNormal(newFloat().Neg(logarithm(newFloat().Quo(newFloat().SetInt64(1), newFloat().SetInt64(50)))))
	for _, c := range [][2]time.Duration{
		{1, 1},
		{1, clock.Longest},
		{time.Millisecond, time.Millisecond + 1},
		{80 * time.Millisecond, 900 * time.Millisecond},
		{time.Hour, 100 * time.Hour},
		{clock.Longest - 1, clock.Longest},
	} {
		l := NewLognormal(c[0], c[1])
		sigma := logarithm(newFloat().Quo(newFloat().SetInt64(int64(c[1])), newFloat().SetInt64(int64(c[0]))))
		sigma.Quo(sigma, z99)
		for _, w := range words {
			got := l.at(w)
			exact := exponentialOf(newFloat().Mul(sigma, exactNormal(w)))
			want, _ := exact.Mul(exact, newFloat().SetInt64(int64(c[0]))).Float64()
			want = min(want, float64(clock.Longest))
			if miss := math.Abs(float64(got) - want); miss > 1+want*math.Exp2(-36) {
				t.Errorf("%v, word %#x: %d, want %.1f", c, w, got, want)
			}
		}
	}
}

func TestLognormalLaw(t *testing.T) {
	const n = 100_000
	p50, p99 := 80*time.Millisecond, 900*time.Millisecond
	law := distuv.LogNormal{Mu: math.Log(float64(p50)), Sigma: math.Log(float64(p99)/float64(p50)) / distuv.UnitNormal.Quantile(0.99)}
	l := NewLognormal(p50, p99)
	s := NewStream(3, 0)
	values := make([]time.Duration, n)
	for i := range values {
		d := s.Draw(Service, 0, uint64(i), 1)
		values[i] = l.Span(&d)
	}
	slices.Sort(values)
	worst := 0.0
	for i, x := range values {
		worst = max(worst, law.CDF(float64(x))-float64(i)/n, float64(i+1)/n-law.CDF(float64(x)))
	}
	if worst*math.Sqrt(n) > 1.63 { // the 1 % point of Kolmogorov's distribution
		t.Errorf("Kolmogorov-Smirnov statistic %v", worst)
	}
}

func TestUniform(t *testing.T) {
	s := NewStream(42, 0)
	for _, c := range []struct {
		span Uniform
		want time.Duration
	}{
		{Uniform{time.Second, time.Second}, time.Second},
		{Uniform{50 * time.Millisecond, 150 * time.Millisecond}, 96700855},
		{Uniform{0, clock.Longest}, 2153696820788647502},
	} {
		d := s.Draw(Service, 0, 0, 1)
		if got := c.span.Span(&d); got != c.want {
			t.Errorf("%v: got %d, want %d", c.span, got, c.want)
		}
	}
	seen := map[time.Duration]int{}
	for i := range uint64(3000) {
		d := s.Draw(Service, 0, i, 1)
		seen[Uniform{5, 7}.Span(&d)]++
	}
	for _, v := range []time.Duration{5, 6, 7} { // 1000 ± 26
		if seen[v] < 900 || seen[v] > 1100 || len(seen) != 3 {
			t.Errorf("from 5 to 7: %v", seen)
		}
	}
}

// A cycle goes by the index in the cohort and by nothing else.
func TestCycle(t *testing.T) {
	c := Cycle{10, 20, 30}
	s := NewStream(42, 0)
	for _, at := range []struct{ index, try uint64 }{{0, 1}, {1, 1}, {2, 5}, {3, 1}, {1<<40 - 1, 2}} {
		d := s.Draw(Service, 7, at.index, at.try)
		if got := c.Span(&d); got != c[at.index%3] {
			t.Errorf("index %d: got %d", at.index, got)
		}
		d.Readdress(3, at.index+1, at.try)
		if got := c.Span(&d); at.index+1 < 1<<40 && got != c[(at.index+1)%3] {
			t.Errorf("readdressed to %d: got %d", at.index+1, got)
		}
	}
}

func BenchmarkLognormal(b *testing.B) {
	l := NewLognormal(80*time.Millisecond, 900*time.Millisecond)
	s := NewStream(42, 0)
	var sum time.Duration
	for i := range b.N {
		d := s.Draw(Service, 0, uint64(i), 1)
		sum += l.Span(&d)
	}
	sink = uint64(sum)
}
