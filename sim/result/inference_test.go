package result

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func integers(values ...int64) []*big.Rat {
	rats := make([]*big.Rat, len(values))
	for i, v := range values {
		rats[i] = big.NewRat(v, 1)
	}
	return rats
}

// drawn returns n values of a law, in millionths.
func drawn(n int, law func() float64) []*big.Rat {
	values := make([]*big.Rat, n)
	for i := range values {
		values[i] = big.NewRat(int64(math.Round(law()*1e6)), 1e6)
	}
	return values
}

// The ends are from R: prop.test(correct = FALSE) where replications differ no more than chance makes them.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		name           string
		counts, totals []*big.Rat
		want           string
	}{
		{"one replication", integers(3), integers(10), "<nil>"},
		{"no job", integers(0, 0), integers(0, 0), "<nil>"},
		{"none of N is below 3/N", integers(0, 0), integers(1000, 500), "&{0 1500 [0 0.002]}"},
		{"all of N", integers(1000, 500), integers(1000, 500), "&{1500 1500 [0.998 1]}"},
		{"none of two", integers(0, 0), integers(1, 1), "&{0 2 [0 1]}"},
		{"replications alike", integers(10, 10), integers(100, 100), "&{20 200 [0.0656704 0.149406]}"},
		// t(0.975, 1)² = 161.448, v = 1/4: p(1-p) = 1/4, so weight = 161.448, far wider than the 3.84/200 of independent jobs
		{"all or nothing", integers(100, 0), integers(100, 100), "&{100 200 [0.00154133 0.998459]}"},
	} {
		if got := fmt.Sprint(NewShare(c.counts, c.totals)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An interval for a share must hold where jobs share their fate: here whole replications live or die, and each job of a
// replication weighs nothing beyond the first. As many independent jobs would give an interval thirty times too narrow.
func TestShareOfHerdsCovers(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	const rounds, replications, jobs = 2000, 40, 1000
	totals := make([]*big.Rat, replications)
	for i := range totals {
		totals[i] = big.NewRat(jobs, 1)
	}
	held := 0
	for range rounds {
		counts := make([]*big.Rat, replications)
		for i := range counts {
			counts[i] = new(big.Rat)
			if luck.Float64() < 0.3 {
				counts[i].SetInt64(jobs)
			}
		}
		if low, high := NewShare(counts, totals).CI95.Float(); low <= 0.3 && 0.3 <= high {
			held++
		}
	}
	if share := float64(held) / rounds; share < 0.93 || share > 0.985 {
		t.Errorf("the interval holds the share in %.2f %% of %d results", 100*share, rounds)
	}
}

// Recovered or stuck is seen; what is merely spread, skewed, few or nearly equal is not.
func TestClumps(t *testing.T) {
	luck := rand.New(rand.NewPCG(3, 4))
	seen := func(law func() float64, n int, grain *big.Rat) float64 {
		const rounds = 1000
		found := 0
		for range rounds {
			if Clumps(drawn(n, law), grain) != nil {
				found++
			}
		}
		return float64(found) / rounds
	}
	poisson := func(mean float64) func() float64 {
		return func() float64 {
			k := 0.0
			for p := luck.Float64(); p > math.Exp(-mean); p *= luck.Float64() {
				k++
			}
			return k
		}
	}
	stuck := func() float64 {
		if luck.Float64() < 0.3 {
			return 300 + 15*luck.NormFloat64()
		}
		return 5 * luck.ExpFloat64()
	}
	none, one := new(big.Rat), big.NewRat(1, 1)
	for _, c := range []struct {
		name     string
		n        int
		law      func() float64
		grain    *big.Rat
		low, top float64
	}{
		{"recovered or stuck", 20, stuck, none, 0.95, 1},
		{"recovered or stuck", 80, stuck, one, 0.99, 1},
		{"too few replications", 9, stuck, none, 0, 0},
		{"uniform", 10, luck.Float64, none, 0, 0.02},
		{"uniform", 20, luck.Float64, none, 0, 0.001},
		{"normal", 20, luck.NormFloat64, none, 0, 0.001},
		{"exponential", 20, luck.ExpFloat64, none, 0, 0.01},
		{"exponential", 80, luck.ExpFloat64, none, 0, 0.001},
		{"few deaths", 20, poisson(0.5), one, 0, 0},
		{"some deaths", 20, poisson(5), one, 0, 0},
	} {
		if share := seen(c.law, c.n, c.grain); share < c.low || share > c.top {
			t.Errorf("%s, %d replications: clumps in %.2f %% of results, want %v to %v", c.name, c.n, 100*share, 100*c.low, 100*c.top)
		}
	}
}

func TestClumpsOf(t *testing.T) {
	none, one := new(big.Rat), big.NewRat(1, 1)
	for _, c := range []struct {
		name   string
		values []*big.Rat
		grain  *big.Rat
		want   string
	}{
		{"equal", integers(5, 5, 5, 5, 5, 5, 5, 5, 5, 5), none, "[]"},
		{"two values", integers(0, 540, 0, 0, 540, 0, 540, 0, 0, 0), one, "[{7 [0.396778 0.892209] 0 0 0} {3 [0.107791 0.603222] 540 540 540}]"},
		{"two on one side", integers(0, 540, 0, 0, 540, 0, 0, 0, 0, 0), one, "[]"},
		{"a gap that is small beside the numbers", integers(1000, 1001, 1000, 1000, 1001, 1000, 1001, 1000, 1000, 1001), none, "[]"},
		{"a gap that luck makes", integers(0, 15, 0, 0, 15, 0, 15, 0, 0, 0), one, "[]"},
		{"a gap that luck does not make", integers(0, 16, 0, 0, 16, 0, 16, 0, 0, 0), one, "[{7 [0.396778 0.892209] 0 0 0} {3 [0.107791 0.603222] 16 16 16}]"},
		{"one in a wide clump", integers(-8, -10, -12, -9, -10, -11, 10, 9, 11, 10), none, "[{6 [0.312674 0.83182] -10 -12 -8} {4 [0.16818 0.687326] 10 9 11}]"},
		{"no value counts as none", append(integers(0, 90, 0, 0, 90, 0, 90, 0, 0), nil, nil), none, "[]"},
	} {
		if got := fmt.Sprint(Clumps(c.values, c.grain)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestDifferences(t *testing.T) {
	base := rats(t, "10", "20", "30", "40", "")
	for _, c := range []struct {
		name   string
		values []*big.Rat
		exact  bool
		want   string
	}{
		// differences 1, 2, 3, 6: mean 3, s²/n = 14/12, t = 3/√(7/6) = 2.7775; t(0.975, 3) = 3.18244631; p from tables of Student's t
		{"by hand", rats(t, "11", "22", "33", "46", "50"), true, "3 [-0.437435 6.43743] 0.0691 4"},
		{"rounded", rats(t, "11.0000001", "22", "33", "46", ""), false, "3 [-0.437435 6.43743] 0.0691 4"},
		{"the same", rats(t, "10", "20", "30", "40", "1"), true, "0 [0 0] 1 4"},
		{"always one more", rats(t, "11", "21", "31", "41", ""), true, "1 [1 1] 0 4"},
		{"one pair", rats(t, "", "", "31.5", "", "3"), true, "1.5 - - 1"},
		{"no pair", rats(t, "", "", "", "", "3"), true, "none"},
	} {
		d := NewDifferences([][]*big.Rat{c.values}, [][]*big.Rat{base}, c.exact)[0]
		got := "none"
		if d != nil {
			ci, p := "-", "-"
			if d.CI95 != nil {
				ci, p = fmt.Sprint(*d.CI95), d.P.String()
			}
			got = fmt.Sprintf("%s %s %s %d", d.Diff, ci, p, d.Pairs)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Holm's own procedure by hand: 0.01·4, 0.02·3, 0.03·2 but no less than what came before, 0.04·1 likewise.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.2}, []float64{0.2}},
		{[]float64{0.04, 0.01, 0.03, 0.02}, []float64{0.06, 0.04, 0.06, 0.06}},
		{[]float64{0.9, 0.9, 0.01}, []float64{1, 1, 0.03}},
	} {
		if got := fmt.Sprintf("%.6g", holm(c.in)); got != fmt.Sprintf("%.6g", c.want) {
			t.Errorf("holm(%v) = %s, want %v", c.in, got, c.want)
		}
	}
}

// Ten policies that differ by luck alone: one of nine differences is significant in at most 5 % of results. Without the
// adjustment it would be in nearly every fifth. Values with few steps, as counts are, are no exception.
func TestFalseAlarms(t *testing.T) {
	luck := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name string
		law  func() float64
	}{
		{"normal", luck.NormFloat64},
		{"few steps", func() float64 { return float64(luck.IntN(4)) }},
		{"exponential", luck.ExpFloat64},
	} {
		name, law := c.name, c.law
		const rounds, policies, replications = 400, 10, 20
		alarms, raw := 0, 0
		for range rounds {
			var left, right [][]*big.Rat
			base := drawn(replications, law)
			for range policies - 1 {
				left, right = append(left, drawn(replications, law)), append(right, base)
			}
			alarm, unadjusted := false, false
			for k, d := range NewDifferences(left, right, false) {
				alarm = alarm || d.Significant()
				unadjusted = unadjusted || chance(paired(left[k], right[k])) <= level
			}
			if alarm {
				alarms++
			}
			if unadjusted {
				raw++
			}
		}
		const bound = 0.05 + 2*0.011 // two standard errors of a share of 5 % in so many rounds
		if share := float64(alarms) / rounds; share > bound {
			t.Errorf("%s: a false alarm in %.1f %% of results", name, 100*share)
		}
		if raw < rounds/10 {
			t.Errorf("%s: without the adjustment only %d alarms in %d results: the test is blind", name, raw, rounds)
		}
	}
}

// What a difference or a share may look like when it is read back.
func TestReadInference(t *testing.T) {
	good := func() *Result {
		values := integers(0, 540, 0, 0, 540, 0, 540, 0, 0, 0)
		m := NewMetric(values, true)
		m.Clumps = Clumps(values, new(big.Rat))
		m.Share = NewShare(values, slicesOf(10, big.NewRat(1000, 1)))
		p := Policy{Name: "a", Metrics: map[string]Metric{"jobs.dead": m}}
		q := Policy{Name: "b", Metrics: map[string]Metric{"jobs.dead": m}}
		d := NewDifferences([][]*big.Rat{values}, [][]*big.Rat{values}, true)[0]
		return &Result{Format: Format, Replications: 10, Cases: []Case{{
			Herd: "retries.peak", Policies: []Policy{p, q},
			Comparisons: []Comparison{{Policy: "b", Baseline: "a", Metric: "jobs.dead", Better: Lower, Difference: *d}},
		}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r *Result, m *Metric, d *Comparison){
		"unknown policy":        func(_ *Result, _ *Metric, d *Comparison) { d.Policy = "c" },
		"unknown baseline":      func(_ *Result, _ *Metric, d *Comparison) { d.Baseline = "c" },
		"unknown metric":        func(_ *Result, _ *Metric, d *Comparison) { d.Metric = "jobs.total" },
		"unknown direction":     func(_ *Result, _ *Metric, d *Comparison) { d.Better = "up" },
		"no pair":               func(_ *Result, _ *Metric, d *Comparison) { d.Pairs = 0 },
		"too many pairs":        func(_ *Result, _ *Metric, d *Comparison) { d.Pairs = 11 },
		"no difference":         func(_ *Result, _ *Metric, d *Comparison) { d.Diff = Number{} },
		"interval without p":    func(_ *Result, _ *Metric, d *Comparison) { d.P = nil },
		"p above 1":             func(_ *Result, _ *Metric, d *Comparison) { d.P = new(Integer(2)) },
		"more dead than jobs":   func(_ *Result, m *Metric, _ *Comparison) { m.Share.Count = m.Share.Of + 1 },
		"share of none":         func(_ *Result, m *Metric, _ *Comparison) { m.Share.Of = 0 },
		"one clump":             func(_ *Result, m *Metric, _ *Comparison) { m.Clumps = m.Clumps[:1] },
		"an empty clump":        func(_ *Result, m *Metric, _ *Comparison) { m.Clumps[0].Replications = 0 },
		"clumps that add wrong": func(_ *Result, m *Metric, _ *Comparison) { m.Clumps[0].Replications++ },
	} {
		r := good()
		m := r.Cases[0].Policies[0].Metrics["jobs.dead"]
		m.Share = new(*m.Share)
		spoil(r, &m, &r.Cases[0].Comparisons[0])
		r.Cases[0].Policies[0].Metrics["jobs.dead"] = m
		if r.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, text := range []string{"[1]", "[1, 2, 3]", "7", `["1", "2"]`} {
		if err := new(Bounds).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("bounds %s: accepted", text)
		}
	}
}

func slicesOf(n int, r *big.Rat) []*big.Rat {
	all := make([]*big.Rat, n)
	for i := range all {
		all[i] = r
	}
	return all
}
