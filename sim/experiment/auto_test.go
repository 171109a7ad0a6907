package experiment

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"herdsim/sim/result"
)

func until(t *testing.T, text string, opt Options, auto Auto) (*result.Result, []Doubt) {
	t.Helper()
	r, doubts, err := RunUntil(context.Background(), parse(t, text), opt, auto)
	if err != nil {
		t.Fatal(err)
	}
	return r, doubts
}

// Adding replications until enough are run gives the result of running so many at once, and the same number every time.
func TestRunUntilIsRun(t *testing.T) {
	const poisson = "version: 1\ncohorts: {jobs: {count: 5}, more: {arrivals: {poisson: 2/s}, for: 30s}}\n" +
		"dependency: {error_rate: 30%}\nmatrix: {policies.a.max_attempts: [2, 3]}\n" +
		"policies: {a: {delay: {fixed: 1s}, max_attempts: 1}, b: {delay: {exponential: {base: 1s}}, jitter: full, max_attempts: 3}}\n"
	checked := func(limit string) string {
		return fates + "checks: [{name: few, expect: jobs.dead <= " + limit + ", over: ci, policies: [two]}]\n"
	}
	for _, c := range []struct {
		name, text   string
		auto         Auto
		replications int
		doubts       string
	}{
		{"known at once", poisson, Auto{1000, big.NewRat(1, 2)}, 20, "[]"},
		{"known later", poisson, Auto{1000, big.NewRat(1, 8)}, 80, "[]"},
		{"given up", poisson, Auto{50, big.NewRat(1, 100)}, 50, "[jobs.dead of policy a retries.drained_at of policy a calls.total of policy a …"},
		{"fewer than a first look", poisson, Auto{3, big.NewRat(1, 2)}, 3, "…"},
		{"a check that holds at once", checked("10"), Auto{1000, big.NewRat(1, 20)}, 20, "[]"},
		{"a check that fails at once", checked("1"), Auto{1000, big.NewRat(1, 20)}, 20, "[]"},
		{"a check that takes longer", checked("6.8"), Auto{1000, big.NewRat(1, 20)}, 80, "[]"},
		{"a check that is never decided", checked("6.4"), Auto{100, big.NewRat(1, 20)}, 100, "[check few of policy two]"},
	} {
		r, doubts := until(t, c.text, Options{Cores: 2, NoSeries: true}, c.auto)
		if r.Replications != c.replications {
			t.Errorf("%s: %d replications, want %d", c.name, r.Replications, c.replications)
		}
		if got := fmt.Sprint(doubts); !alike(got, c.doubts) {
			t.Errorf("%s: in doubt: %s, want %s", c.name, got, c.doubts)
		}
		f := WithReplications(parse(t, c.text), r.Replications)
		if encoded(t, mustRun(t, f, Options{Cores: 1, NoSeries: true})) != encoded(t, r) {
			t.Errorf("%s: not the result of %d replications at once", c.name, r.Replications)
		}
	}
}

// alike compares a text with one that may end early, in an ellipsis.
func alike(text, want string) bool {
	const open = "…"
	if n := len(want) - len(open); n >= 0 && want[n:] == open {
		return len(text) >= n && text[:n] == want[:n]
	}
	return text == want
}

// Progress runs up to a total that grows with every look.
func TestRunUntilProgress(t *testing.T) {
	last, totals := 0, map[int]bool{}
	until(t, fates, Options{Progress: func(done, total int) {
		if done != last+1 || done > total {
			t.Errorf("%d of %d done after %d", done, total, last)
		}
		last, totals[total] = done, true
	}}, Auto{80, big.NewRat(1, 1000)})
	if last != 160 || len(totals) != 3 {
		t.Errorf("%d runs done, with totals %v; want 160 in three steps", last, totals)
	}
}

func TestRunUntilStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, _, err := RunUntil(ctx, parse(t, fates), Options{}, Auto{40, big.NewRat(1, 20)}); err == nil || r != nil {
		t.Errorf("result %v, error %v after the context ended", r, err)
	}
	if _, _, err := RunUntil(context.Background(), parse(t, fates), Options{MaxEvents: 10}, Auto{40, big.NewRat(1, 20)}); err == nil {
		t.Error("no error beyond the limit of events")
	}
}

func TestKnows(t *testing.T) {
	a := Auto{Precision: big.NewRat(1, 20)}
	none, one := new(big.Rat), big.NewRat(1, 1)
	for _, c := range []struct {
		name   string
		values []int64
		grain  *big.Rat
		want   bool
	}{
		{"one value", []int64{5}, none, false},
		{"equal values", []int64{5, 5}, none, true},
		{"always zero", []int64{0, 0}, none, true},
		{"half the interval is 6 % of the mean", []int64{999, 1001, 900, 1100, 950, 1050}, none, false},                             // ± 72
		{"half the interval is 3 % of the mean", []int64{999, 1001, 960, 1040, 970, 1030}, none, true},                              // ± 33
		{"below zero likewise", []int64{-999, -1001, -960, -1040, -970, -1030}, none, true},                                         // ± 33
		{"half a job", []int64{0, 0, 0, 0, 1, 0}, one, true},                                                                        // 0.17 ± 0.43
		{"half a job of a span", []int64{0, 0, 0, 0, 1, 0}, none, false},                                                            // likewise
		{"clumps whose shares are not known", []int64{0, 540, 1, 541, 2, 542, 3, 543, 0, 540}, one, false},                          // 24 % to 76 %
		{"more than half a job", []int64{0, 2, 0, 5, 1, 0}, one, false},                                                             // ± 2
		{"half a retry in a window of 100 ms", []int64{0, 0, 0, 0, 10, 0}, big.NewRat(10, 1), true},                                 // 1.7 ± 4.3
		{"a count that is known well", []int64{10000, 10100, 9900, 10000, 10050, 9950, 10010, 9990, 10020, 9980, 10000}, one, true}, // ± 36
	} {
		var values []*big.Rat
		for _, v := range c.values {
			values = append(values, big.NewRat(v, 1))
		}
		if got := a.knows(values, c.grain); got != c.want {
			t.Errorf("%s: known is %v", c.name, got)
		}
	}
}

// To stop when an interval is narrow favours draws that lie close together by luck, whose interval is too narrow. With a first
// look at twenty and a number that doubles, it costs little.
func TestOptionalStoppingCovers(t *testing.T) {
	luck := rand.New(rand.NewPCG(7, 8))
	const rounds, jobs, most = 1000, 40, 640
	a := Auto{Precision: big.NewRat(1, 20)}
	held, looks := 0, map[int]int{}
	for range rounds {
		var values []*big.Rat
		for n := firstLook; ; n *= 2 {
			for len(values) < n {
				values = append(values, big.NewRat(binomial(luck, jobs, 0.5), 1))
			}
			if a.knows(values, new(big.Rat)) || n == most {
				looks[n]++
				break
			}
		}
		low, high, _ := result.Interval(values)
		if exact := big.NewRat(jobs, 2); low.Cmp(exact) <= 0 && exact.Cmp(high) <= 0 {
			held++
		}
	}
	share := float64(held) / rounds
	t.Logf("%.1f %% of the intervals hold; replications: %v", 100*share, looks)
	if share < 0.92 || share > 0.97 {
		t.Errorf("%.1f %% of the intervals hold the exact answer", 100*share)
	}
	if len(looks) < 2 {
		t.Errorf("all runs stop at the same number, %v: the test is blind", looks)
	}
}

func binomial(luck *rand.Rand, n int, p float64) int64 {
	var k int64
	for range n {
		if luck.Float64() < p {
			k++
		}
	}
	return k
}
