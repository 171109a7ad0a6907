package plan

import (
	"errors"
	"math"
	"math/big"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
)

func TestWaits(t *testing.T) {
	waits, err := Waits(policy.New(exponential(time.Minute), policy.Full{}), 8, 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, tops := range []int64{1, 2, 4, 8, 16, 32, 60, 60} {
		w := waits[k]
		top := time.Duration(tops) * second
		if w.Attempt != k+1 || w.Min != 0 || w.Max != top || w.Mean.Cmp(big.NewRat(int64(top), 2)) != 0 {
			t.Errorf("wait %d: %+v", k+1, w)
		}
		if w.P5 != top/20 || w.P50 != top/2 || w.P95 != top*19/20 {
			t.Errorf("wait %d: quantiles %v, %v, %v", k+1, w.P5, w.P50, w.P95)
		}
		if w.Capped != (k >= 6) || w.Uncapped != second<<k || w.Distinct.Int64() != int64(top)+1 {
			t.Errorf("wait %d: capped %v of %v, %v distinct", k+1, w.Capped, w.Uncapped, w.Distinct)
		}
	}
	if last := waits[7].Total; last.Min != 0 || last.Max != 183*second || last.Mean.Cmp(big.NewRat(int64(183*second), 2)) != 0 {
		t.Errorf("total %+v", last)
	}
}

// Every number of a law is that of its cases, counted one by one.
func TestNumbersOfALaw(t *testing.T) {
	for _, law := range []policy.Law{
		{{From: 4, Step: 1, Count: 1, Each: 1}},
		{{From: 0, Step: 1, Count: 7, Each: 1}},
		{{From: 0, Step: 5, Count: 1, Each: 2}, {From: 5, Step: 5, Count: 3, Each: 5}, {From: 20, Step: 5, Count: 1, Each: 1}},
		{{From: 1, Step: 3, Count: 40, Each: 3}, {From: 200, Step: 1, Count: 2, Each: 9}},
	} {
		var all []time.Duration
		sum := int64(0)
		for _, p := range law {
			for k := range p.Count {
				for range int(p.Each) {
					all = append(all, p.From+time.Duration(k)*p.Step)
					sum += int64(all[len(all)-1])
				}
			}
		}
		if got, want := mean(law), big.NewRat(sum, int64(len(all))); got.Cmp(want) != 0 {
			t.Errorf("%v: mean %v, want %v", law, got, want)
		}
		for _, percent := range []int64{1, 5, 50, 95, 100} {
			want := all[int(math.Ceil(float64(percent)*float64(len(all))/100))-1]
			if got := quantile(law, percent); got != want {
				t.Errorf("%v: %d %% are up to %d, want %d", law, percent, got, want)
			}
		}
	}
}

// Totals saturate, and a law of 2^62 cases is no trouble.
func TestLongWaits(t *testing.T) {
	waits, err := Waits(policy.New(policy.Fixed(clock.Longest), policy.Full{}), 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := waits[4]
	if last.Total.Max != math.MaxInt64 || last.P50 != clock.Longest/2 || last.Total.Mean.Cmp(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(5), 61))) != 0 {
		t.Errorf("%+v", last)
	}
	if got := outlast(t, policy.New(policy.Fixed(clock.Longest), policy.Full{}), clock.Longest, 1); got > 1e-5 {
		t.Errorf("one wait of at most the longest outlasts it with %g", got)
	}
}

func TestUnknownWaits(t *testing.T) {
	for _, p := range []policy.Policy{
		policy.New(policy.Fixed(second), policy.Chain{policy.Full{}, policy.Equal{}}),
		policy.Listed(nil, policy.New(policy.Fixed(second), policy.Chain{policy.Full{}, policy.Equal{}})),
	} {
		if _, err := Waits(p, 1, 0); !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v", err)
		}
		if _, err := Outlast(p, Question{Span: second, Confidence: 0.95, Retries: -1}); !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v", err)
		}
		if drawn := Draw(p, 2, 1, 0); len(drawn) != 2 || drawn[0] > second || drawn[0] == drawn[1] {
			t.Errorf("drawn %v", drawn)
		}
	}
}
