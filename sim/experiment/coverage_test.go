package experiment

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"herdsim/sim/metrics"
	"herdsim/sim/result"
)

// fates is a scenario whose means are known exactly: each call of 40 jobs fails with probability e = 2/5, whatever the
// others do. A job with a budget of k tries dies with probability e^k and makes (1-e^k)/(1-e) calls on average.
const fates = `
version: 1
seed: 5
cohorts: {jobs: {count: 40}}
dependency: {error_rate: 40%}
policies:
  two: {delay: {fixed: 1s}, max_attempts: 2}
  three: {delay: {exponential: {base: 1s}}, jitter: full, max_attempts: 3}
`

// manyRuns returns so many replications of each policy of the text, in order.
func manyRuns(t *testing.T, text string, replications int) [][]run {
	t.Helper()
	f := parse(t, text)
	f.Cases[0].Replications = replications
	runs, err := spread(context.Background(), unitsOf(f), Options{Cores: 2, NoSeries: true})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(slices.Chunk(runs, replications))
}

// Means, differences and shares come with intervals that hold the exact answer in 93 % to 98.5 % of results of twenty
// replications, as 95 % intervals should.
func TestIntervalsCover(t *testing.T) {
	const rounds, n = 1000, 20
	policies := manyRuns(t, fates, rounds*n)
	value := func(policy int, id string) []*big.Rat { return columnOf(metrics.Term{ID: id}, policies[policy]).values }
	dead, more, calls, total := value(0, "jobs.dead"), value(1, "jobs.dead"), value(0, "calls.total"), value(0, "jobs.total")
	peaks := columnOf(metrics.Term{ID: "retries.peak"}, policies[1]).values
	counts := []struct {
		name  string
		exact float64
		held  int
		of    func(i, j int) result.Bounds
	}{
		{"mean of deaths", 40 * 0.16, 0, func(i, j int) result.Bounds { return result.Bounds(*result.NewMetric(dead[i:j], true).CI95) }},
		{"mean of calls", 40 * 1.4, 0, func(i, j int) result.Bounds { return result.Bounds(*result.NewMetric(calls[i:j], true).CI95) }},
		{"difference of deaths", 40 * (0.064 - 0.16), 0, func(i, j int) result.Bounds {
			return *result.NewDifferences([][]*big.Rat{more[i:j]}, [][]*big.Rat{dead[i:j]}, true)[0].CI95
		}},
		// no formula gives a peak: the mean of all is exact enough. A bootstrap of five values covers 83 %.
		{"peak, five replications", result.MeanOf(peaks).Float(), 0, func(i, _ int) result.Bounds {
			return result.Bounds(*result.NewMetric(peaks[i:i+5], true).CI95)
		}},
		{"share of the dead", 0.16, 0, func(i, j int) result.Bounds { return result.NewShare(dead[i:j], total[i:j]).CI95 }},
		{"small share of the dead", 0.064, 0, func(i, j int) result.Bounds { return result.NewShare(more[i:j], total[i:j]).CI95 }},
	}
	for r := range rounds {
		for k := range counts {
			if low, high := counts[k].of(r*n, (r+1)*n).Float(); low <= counts[k].exact && counts[k].exact <= high {
				counts[k].held++
			}
		}
	}
	for _, c := range counts {
		share := float64(c.held) / rounds
		t.Logf("%s: %.1f %%", c.name, 100*share)
		if share < 0.93 || share > 0.985 {
			t.Errorf("%s: %.1f %% of the intervals hold the exact answer", c.name, 100*share)
		}
	}
}

// Policies are compared on the same draws: the interval of a paired difference is far narrower than that of the
// difference of two means, and policies that are the same differ by nothing at all.
func TestPairing(t *testing.T) {
	r := mustRun(t, parse(t, fates+"  again: {delay: {fixed: 1s}, max_attempts: 2}\nreplications: 200\n"), Options{})
	c := r.Cases[0]
	find := func(policy, metric string) result.Comparison {
		i := slices.IndexFunc(c.Comparisons, func(d result.Comparison) bool { return d.Policy == policy && d.Metric == metric })
		if i < 0 {
			t.Fatalf("%s is not compared by %s", policy, metric)
		}
		return c.Comparisons[i]
	}
	same := 0
	for _, d := range c.Comparisons {
		if d.Baseline != "two" {
			t.Errorf("%s is compared with %s", d.Policy, d.Baseline)
		}
		if d.Policy == "again" {
			same++
			if d.Diff.String() != "0" || d.P.String() != "1" || d.Significant() {
				t.Errorf("the same policy differs by %s in %s", d.Diff, d.Metric)
			}
		}
	}
	if same < 30 {
		t.Errorf("only %d metrics of the same policy are compared", same)
	}
	d := find("three", "jobs.dead")
	if !d.Significant() || d.Better != result.Lower || d.Pairs != 200 {
		t.Errorf("fewer die with more tries: %+v", d)
	}
	low, high := d.CI95.Float()
	a, b := c.Policies[0].Metrics["jobs.dead"].CI95, c.Policies[1].Metrics["jobs.dead"].CI95
	unpaired := (a[1].Float() - a[0].Float()) + (b[1].Float() - b[0].Float())
	if high-low > 0.8*unpaired {
		t.Errorf("the paired interval is %.3g wide, both together %.3g", high-low, unpaired)
	}
	if m := c.Policies[0].Metrics["jobs.dead"]; m.Share == nil || m.Share.Of != 200*40 {
		t.Errorf("the share of the dead: %+v", m.Share)
	}
	if none := c.Policies[0].Metrics["jobs.unfinished"].Share; none == nil || none.CI95[1].String() != "0.000375" { // 3/8000
		t.Errorf("the share of the unfinished: %+v", none)
	}
}

// One replication says nothing about chance: no comparison, no share.
func TestOneReplication(t *testing.T) {
	c := mustRun(t, parse(t, fates), Options{}).Cases[0]
	if c.Comparisons != nil || c.Policies[0].Metrics["jobs.dead"].Share != nil {
		t.Error("one replication is compared or has a share with an interval")
	}
}

// What goes well at once in some replications and late in the others is reported as two clumps.
func TestTwoOutcomes(t *testing.T) {
	r := mustRun(t, parse(t, `
version: 1
seed: 2
replications: 40
cohorts: {job: {count: 1}}
dependency: {error_rate: 30%}
policies: {p: {delay: {fixed: 100s}, max_attempts: 2}}
`), Options{})
	clumps := r.Cases[0].Policies[0].Metrics["drain.time"].Clumps
	if len(clumps) != 2 || clumps[0].Replications+clumps[1].Replications != 40 || clumps[0].Mean.String() != "0" || clumps[1].Mean.String() != "100" {
		t.Fatalf("clumps %+v, want some at 0 and the others at 100", clumps)
	}
	if low, high := clumps[1].CI95.Float(); low > 0.3 || high < 0.3 {
		t.Errorf("the share of the late ones is %v, want it around 30 %%", clumps[1].CI95)
	}
	if m := r.Cases[0].Policies[0].Metrics["dead.total"]; m.Clumps != nil {
		t.Errorf("no job or one dead, by luck: %+v", m.Clumps)
	}
}

// The busiest window holds a larger share of a small herd than of a large one, by luck alone: shares of peaks must not be
// compared between herds of different size.
func TestPeakSharesDependOnSize(t *testing.T) {
	share := func(jobs string) float64 {
		runs := manyRuns(t, "version: 1\ncohorts: {herd: {count: "+jobs+"}}\ndependency: {outages: {main: {for: 1s}}}\n"+
			"policies: {p: {delay: {fixed: 20s}, jitter: full, max_attempts: 2}}\n", 200)
		peak := result.MeanOf(columnOf(metrics.Term{ID: "retries.peak"}, runs[0]).values)
		total := result.MeanOf(columnOf(metrics.Term{ID: "jobs.total"}, runs[0]).values)
		return peak.Float() / total.Float()
	}
	if small, large := share("100"), share("3000"); small < 1.2*large {
		t.Errorf("the peak is %.3g of a small herd and %.3g of a large one", small, large)
	}
}
