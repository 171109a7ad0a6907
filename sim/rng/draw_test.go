package rng

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// first returns the first word at an address.
func first(seed, replication uint64, purpose Purpose, cohort uint32, index, try uint64) uint64 {
	d := NewStream(seed, replication).Draw(purpose, cohort, index, try)
	return d.Uint64()
}

// unit maps a word into [0, 1).
func unit(w uint64) float64 { return float64(w>>11) / (1 << 53) }

func TestDrawIgnoresOrder(t *testing.T) {
	s := NewStream(42, 5)
	a, b := s.Draw(Jitter, 0, 1, 1), s.Draw(Jitter, 0, 2, 1)
	a1, b1, a2 := a.Uint64(), b.Uint64(), a.Uint64()
	b, a = s.Draw(Jitter, 0, 2, 1), s.Draw(Jitter, 0, 1, 1)
	if b.Uint64() != b1 || a.Uint64() != a1 || a.Uint64() != a2 {
		t.Error("a word depends on what was drawn before it")
	}
}

// TestDrawAddress ties the coordinates to the counter: the published words of key (42, 5), counter (7, 3, 2, 0).
func TestDrawAddress(t *testing.T) {
	stream := NewStream(42, 5)
	d := stream.Draw(Error, 0, 7, 3)
	if w := d.Uint64(); w != 0x9ce6c224c1374936 {
		t.Errorf("word %#x", w)
	}
	highest := stream.Draw(Error, 8, 1<<40-1, 3)
	beyond := stream.Draw(Error, 9, 0, 3)
	if highest.who+1 != beyond.who {
		t.Errorf("cohort 8 ends at %#x, cohort 9 begins at %#x", highest.who, beyond.who)
	}
	d.Readdress(8, 1<<40-1, 3)
	if d != highest {
		t.Errorf("moved to %+v, want %+v", d, highest)
	}
	d.Uint64()
	before := d
	if earlier := d.Earlier(2); earlier != stream.Draw(Error, 8, 1<<40-1, 1) || d != before {
		t.Errorf("two tries earlier: %+v, from %+v", earlier, d)
	}
}

// TestBelowIsUniform bounds Pearson's statistic by its 99.9 % quantile. Ranges that 64 bits hold only a few times, where a
// product without rejection would favour some values two to one, are counted by remainder.
func TestBelowIsUniform(t *testing.T) {
	const draws = 20_000
	for _, c := range []struct{ n, cells uint64 }{
		{2, 2}, {3, 3}, {5, 5}, {6, 6}, {7, 7}, {10, 10}, {13, 13}, {100, 100}, {3 << 62, 3}, {3 << 61, 3}, {1<<63 - 2, 2},
	} {
		count, expected := make([]float64, c.cells), make([]float64, c.cells)
		d := NewStream(7, c.n).Draw(Jitter, 0, 0, 1)
		for range draws {
			x := d.Below(c.n)
			if x >= c.n {
				t.Fatalf("%d is not below %d", x, c.n)
			}
			count[x%c.cells]++
		}
		for i := range expected {
			expected[i] = draws / float64(c.cells)
		}
		limit := distuv.ChiSquared{K: float64(c.cells - 1)}.Quantile(0.999)
		if x := stat.ChiSquare(count, expected); x > limit {
			t.Errorf("below %d: Pearson's statistic %.1f, above %.1f", c.n, x, limit)
		}
	}
}

// TestBelowRejects follows the rejections of a range that keeps half of all words, and of one that keeps a little more.
func TestBelowRejects(t *testing.T) {
	for _, n := range []uint64{1<<63 + 1, 3 << 62, 1<<63 + 1<<61} {
		rejected := 0
		for index := range uint64(500) {
			d, raw := NewStream(1, 0).Draw(Jitter, 0, index, 1), NewStream(1, 0).Draw(Jitter, 0, index, 1)
			hi, lo := bits.Mul64(raw.Uint64(), n)
			for lo < -n%n {
				rejected++
				hi, lo = bits.Mul64(raw.Uint64(), n)
			}
			if got := d.Below(n); got != hi || d.next != raw.next {
				t.Fatalf("below %d, index %d: %d after %d words, want %d after %d", n, index, got, d.next, hi, raw.next)
			}
		}
		chance := unit(-n % n)
		if want := 500 * chance / (1 - chance); math.Abs(float64(rejected)-want) > 4*math.Sqrt(500*chance)/(1-chance) {
			t.Errorf("below %d: %d rejections, want about %.0f", n, rejected, want)
		}
	}
}

func TestBelowOne(t *testing.T) {
	d := NewStream(1, 0).Draw(Jitter, 0, 0, 1)
	if got := d.Below(1); got != 0 || d.next != 1 {
		t.Errorf("below 1: %d after %d words", got, d.next)
	}
}

func TestBelowGrowsWithTheWord(t *testing.T) {
	type pair struct{ word, value uint64 }
	var pairs []pair
	for index := range uint64(2000) {
		d := NewStream(1, 0).Draw(Jitter, 0, index, 1)
		pairs = append(pairs, pair{first(1, 0, Jitter, 0, index, 1), d.Below(1e9)})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.word, b.word) })
	if !slices.IsSortedFunc(pairs, func(a, b pair) int { return cmp.Compare(a.value, b.value) }) {
		t.Error("a larger word gave a smaller value")
	}
}

func TestChance(t *testing.T) {
	const draws = 100_000
	for _, p := range []float64{0, 0.02, 0.5, 1} {
		d := NewStream(3, 0).Draw(Error, 0, 0, 1)
		hits := 0
		for range draws {
			if d.Chance(Probability(p * float64(Certain))) {
				hits++
			}
		}
		if math.Abs(float64(hits)-p*draws) > 4*math.Sqrt(draws*p*(1-p)) {
			t.Errorf("probability %v: %d of %d", p, hits, draws)
		}
	}
}

// TestNoCollision: words of 1.6 million addresses, small in every coordinate, are all different.
func TestNoCollision(t *testing.T) {
	var words []uint64
	for seed := range uint64(16) {
		for replication := range uint64(16) {
			s := NewStream(seed, replication)
			for cohort := range uint32(4) {
				for index := range uint64(64) {
					for try := range uint64(4) {
						for purpose := Jitter; purpose <= Server; purpose++ {
							d := s.Draw(purpose, cohort, index, try)
							words = append(words, d.Uint64())
						}
					}
				}
			}
		}
	}
	n := len(words)
	slices.Sort(words)
	if distinct := len(slices.Compact(words)); distinct < n {
		t.Errorf("%d of %d words are repeated", n-distinct, n)
	}
}

// TestSumsOfReplications: 4096 sums of 1024 uniforms each have the variance of independent ones, along seeds and along
// replications. A weak mix of the key shows here: sums that repeat, or a variance far too small.
func TestSumsOfReplications(t *testing.T) {
	const keys, jobs, tries = 4096, 256, 4
	for _, c := range []struct {
		name string
		key  func(k uint64) Stream
	}{
		{"seeds", func(k uint64) Stream { return NewStream(k, 0) }},
		{"replications", func(k uint64) Stream { return NewStream(42, k) }},
	} {
		sums := make([]float64, keys)
		for k := range sums {
			s := c.key(uint64(k))
			for job := range uint64(jobs) {
				for try := range uint64(tries) {
					d := s.Draw(Jitter, 0, job, try+1)
					sums[k] += unit(d.Uint64())
				}
			}
		}
		mean, variance := stat.MeanVariance(sums, nil)
		const want = jobs * tries / 12.0
		if ratio := variance / want; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("along %s: variance %v of the true one", c.name, ratio)
		}
		if off := mean - jobs*tries/2; math.Abs(off) > 4*math.Sqrt(want/keys) {
			t.Errorf("along %s: mean off by %v", c.name, off)
		}
		slices.Sort(sums)
		if distinct := len(slices.Compact(sums)); distinct < keys {
			t.Errorf("along %s: %d of %d sums are repeated", c.name, keys-distinct, keys)
		}
	}
}

// TestNeighboursAreUncorrelated steps one coordinate at a time.
func TestNeighboursAreUncorrelated(t *testing.T) {
	const n = 40_000
	for name, word := range map[string]func(i, step uint64) uint64{
		"seed":        func(i, step uint64) uint64 { return first(1+step, 0, Jitter, 0, i, 1) },
		"replication": func(i, step uint64) uint64 { return first(1, step, Jitter, 0, i, 1) },
		"cohort":      func(i, step uint64) uint64 { return first(1, 0, Jitter, uint32(step), i, 1) },
		"index":       func(i, step uint64) uint64 { return first(1, 0, Jitter, 0, i+step, 1) },
		"try":         func(i, step uint64) uint64 { return first(1, 0, Jitter, 0, i, 1+step) },
		"purpose":     func(i, step uint64) uint64 { return first(1, 0, Jitter+Purpose(step), 0, i, 1) },
		"word": func(i, step uint64) uint64 {
			d := NewStream(1, 0).Draw(Jitter, 0, i, 1)
			w := d.Uint64()
			if step == 1 {
				w = d.Uint64()
			}
			return w
		},
	} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = unit(word(uint64(i), 0)), unit(word(uint64(i), 1))
		}
		if r := stat.Correlation(x, y, nil); math.Abs(r) > 4/math.Sqrt(n) {
			t.Errorf("neighbours in %s correlate by %v", name, r)
		}
	}
}
