package metrics

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
	"time"

	"herdsim/sim/clock"
)

func TestHistogramBins(t *testing.T) {
	within := func(v uint64, shift uint8) bool {
		v >>= shift % 64
		m := middle(binOf(v))
		return max(v, m)-min(v, m) <= v/1000 && binOf(m) == binOf(v)
	}
	if err := quick.Check(within, &quick.Config{MaxCount: 100_000}); err != nil {
		t.Error(err)
	}
	ordered := func(v uint64, shift uint8) bool {
		v >>= shift % 64
		return v == 0 || binOf(v-1) == binOf(v) || binOf(v-1)+1 == binOf(v)
	}
	if err := quick.Check(ordered, &quick.Config{MaxCount: 100_000}); err != nil {
		t.Error(err)
	}
	for e := range 64 { // the edges, where the bins change their width
		for _, v := range []uint64{1<<e - 1, 1 << e, 1<<e + 1} {
			if !within(v, 0) || !ordered(v, 0) {
				t.Errorf("bin of %d is wrong", v)
			}
		}
	}
	if last := binOf(math.MaxUint64) >> pageBits; last != histogramPages-1 {
		t.Errorf("the last page is %d of %d", last, histogramPages)
	}
}

// randomSpans are of every size, and often 0.
func randomSpans(rng *rand.Rand, n int) []time.Duration {
	var all []time.Duration
	for range n {
		d := time.Duration(rng.Int64() >> rng.IntN(63))
		if rng.IntN(4) == 0 {
			d = 0
		}
		all = append(all, d)
	}
	return all
}

func collected(all []time.Duration) *spans {
	var s spans
	for _, d := range all {
		s.add(d)
	}
	return &s
}

func TestSpansAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		all := randomSpans(rng, 1+rng.IntN(300))
		f := collected(all).facts()
		slices.Sort(all)
		sum := new(big.Int)
		for _, d := range all {
			sum.Add(sum, big.NewInt(int64(d)))
		}
		if f.sum.int().Cmp(sum) != 0 || f.count != uint64(len(all)) || f.max != uint64(all[len(all)-1]) {
			t.Fatalf("sum %v of %d, max %d: want %v of %d, %d", f.sum.int(), f.count, f.max, sum, len(all), all[len(all)-1])
		}
		for p, got := range map[int]uint64{5: f.p5, 50: f.p50, 95: f.p95, 99: f.p99} {
			want := uint64(all[int(math.Ceil(float64(p*len(all))/100))-1])
			if max(got, want)-min(got, want) > want/1000 {
				t.Fatalf("p%d of %d spans is %d, want %d within 0.1 %%", p, len(all), got, want)
			}
		}
	}
}

// Whatever the order, the same spans give the same facts.
func TestSpansInAnyOrder(t *testing.T) {
	same := func(seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 7))
		all := randomSpans(rng, 200)
		before := collected(all).facts()
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return before == collected(all).facts()
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestSumsDoNotOverflow(t *testing.T) {
	var sum sum128
	var squares sum192
	const v, n = math.MaxInt64, 5000
	for range n {
		sum.add(v)
		squares.addSquare(v)
	}
	want := new(big.Int).Mul(big.NewInt(v), big.NewInt(n))
	if sum.int().Cmp(want) != 0 {
		t.Errorf("sum %v, want %v", sum.int(), want)
	}
	if want.Mul(want, big.NewInt(v)); squares.int().Cmp(want) != 0 {
		t.Errorf("squares %v, want %v", squares.int(), want)
	}
	sum = sum128{hi: 1, lo: math.MaxUint64}
	if sum.add(1); sum != (sum128{hi: 2}) {
		t.Errorf("the carry is lost: %v", sum)
	}
	squares = sum192{mid: math.MaxUint64, lo: math.MaxUint64}
	if squares.addSquare(1); squares != (sum192{hi: 1}) {
		t.Errorf("the carry is lost: %v", squares)
	}
}

func TestSpanBelowZeroPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a negative span was taken")
		}
	}()
	collected([]time.Duration{-1})
}

// A round at the far end of time is as exact as one at its start.
func TestRoundFarOut(t *testing.T) {
	near, far := round{peak: *newPeak(time.Second)}, round{peak: *newPeak(time.Second)}
	const shift = clock.End - 10*clock.Time(time.Second)
	rng := rand.New(rand.NewPCG(8, 9))
	times := randomTimes(rng, 500, 10*time.Millisecond)
	for _, at := range times {
		near.add(at)
		far.add(at + shift)
	}
	a, b := Round{1, near.facts()}, Round{1, far.facts()}
	if a.SD().Cmp(b.SD()) != 0 || b.First()-a.First() != shift || b.Last()-a.Last() != shift || b.P95()-a.P95() != shift {
		t.Errorf("sd %v and %v, first %d and %d", a.SD(), b.SD(), a.First(), b.First())
	}
	if diff := new(big.Rat).Sub(b.Mean(), a.Mean()); diff.Cmp(seconds(time.Duration(shift))) != 0 {
		t.Errorf("the means differ by %v", diff)
	}
}

// Two instants, n of each, far apart: mean in the middle, standard deviation half their distance.
func TestRoundOfExtremes(t *testing.T) {
	r := round{peak: *newPeak(time.Second)}
	for range 3000 {
		r.add(0)
	}
	for range 3000 {
		r.add(clock.End - 1)
	}
	half := seconds(time.Duration(clock.End-1) / 2)
	if got := (Round{1, r.facts()}); got.SD().Cmp(half) != 0 || got.Mean().Cmp(half) != 0 {
		t.Errorf("sd %v, mean %v, want %v", got.SD(), got.Mean(), half)
	}
}
