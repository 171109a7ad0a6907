package report

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"herdsim/sim/result"
)

// A herd describes a made-up policy: a wave of size retries every period, each wave smaller by shrink percent.
type herd struct {
	name, label string
	size        int64
	period      int // bins
	waves       int
	shrink      int64
	dead        int64
	notes       []string
}

func fixedHerd() herd {
	return herd{name: "fixed", label: "fixed exponential", size: 1043, period: 60, waves: 5, shrink: 20, dead: 809}
}

func fullHerd() herd {
	return herd{
		name: "full", label: "full jitter", size: 89, period: 3, waves: 45, shrink: 5, dead: 41,
		notes: []string{"with full jitter the 10-attempt budget lasts 122s on average but under 60s for 2.5 % of jobs, so some give up before a 60s outage ends (see herdsim plan)"},
	}
}

func rat(n, d int64) *big.Rat { return big.NewRat(n, d) }

// counts lists the retries per bin in one replication.
func (h herd) counts(replication int) []int64 {
	var bins []int64
	size := h.size + int64(replication*7%11)
	if h.size == 0 {
		size = 0
	}
	for w := range h.waves {
		for len(bins) <= (w+1)*h.period {
			bins = append(bins, 0)
		}
		bins[(w+1)*h.period] = size
		size -= size * h.shrink / 100
	}
	return bins
}

// policy sums up the herd over the replications.
func (h herd) policy(replications int, peakKey string) result.Policy {
	p := result.Policy{Name: h.name, Label: h.label, Notes: h.notes, Metrics: map[string]result.Metric{}}
	put := func(key string, of func(r int64) *big.Rat) {
		values := make([]*big.Rat, replications)
		known := false
		for r := range values {
			values[r] = of(int64(r))
			known = known || values[r] != nil
		}
		if known {
			p.Metrics[key] = result.NewMetric(values, true)
		}
	}
	runs := make([][]int64, replications)
	for r := range runs {
		runs[r] = h.counts(r)
	}
	put("retries.peak", func(r int64) *big.Rat { return rat(h.size+r%5, 1) })
	put(peakKey, func(r int64) *big.Rat { return rat(h.size+r%5, 1) })
	put("jobs.dead", func(r int64) *big.Rat { return rat(h.dead+r%3, 1) })
	put("jobs.succeeded", func(r int64) *big.Rat { return rat(max(0, 1000-h.dead-r%3), 1) })
	put("jobs.unfinished", func(int64) *big.Rat { return rat(0, 1) })
	put("calls.total", func(r int64) *big.Rat { return rat(15286+r*17%13, 1) })
	put("calls.failed", func(int64) *big.Rat { return rat(h.size+h.dead, 1) })
	put("attempts.p50", func(int64) *big.Rat { return rat(1, 1) })
	put("attempts.p99", func(int64) *big.Rat { return rat(10, 1) })
	put("latency.p99", func(r int64) *big.Rat { return rat(59_123_456_789+r, 1e9) })
	put("retries.drained_at", func(r int64) *big.Rat {
		if h.size+h.dead == 0 {
			return nil
		}
		return rat(int64(h.waves*h.period)*1000+r%4*700, 1000)
	})
	p.Attempts = []result.AttemptRow{
		{Attempt: 1, Jobs: result.Integer(1800), Dead: result.Integer(0)},
		{Attempt: 10, Jobs: result.MeanOf([]*big.Rat{rat(h.dead, 1), rat(h.dead, 3)}), Dead: result.Integer(h.dead)},
	}
	if h.size > 0 {
		p.Retries = []result.RoundRow{{
			Retry: 1, Count: result.Integer(h.size), First: result.Exact(rat(1, 1000)), Last: result.Exact(rat(999, 1000)),
			Mean: result.Derived(rat(1, 2)), SD: result.Derived(rat(288675, 1_000_000)), P5: result.Derived(rat(5, 100)), P95: result.Derived(rat(95, 100)), Peak: result.Integer(h.size),
		}}
	}
	track := result.NewTrack(runs)
	p.Series = &result.Series{Bin: result.Integer(1), Retries: track, Calls: track, Succeeded: track, Failed: track, Dead: track, Backlog: track}
	return p
}

func number(n int64) *result.Number {
	v := result.Integer(n)
	return &v
}

// oneCase puts herds into a case with one outage of a minute and a capacity of 50/s.
func oneCase(replications int, herds ...herd) result.Case {
	c := result.Case{
		Workload: "1000 jobs fail together at 0s, then 10 jobs/s",
		World: result.World{
			Outages:  []result.Outage{{Name: "outage", Start: result.Integer(0), End: number(60)}},
			Capacity: number(50),
		},
		Herd:   "retries.peak(after=60s)",
		Window: result.Integer(1),
	}
	for _, h := range herds {
		c.Policies = append(c.Policies, h.policy(replications, "retries.peak(after=60s)"))
	}
	return c
}

func newResult(replications int, cases ...result.Case) *result.Result {
	return &result.Result{
		Format: result.Format, Version: "1.2.3", Seed: 42, Replications: replications, Cases: cases,
		Scenario: result.Scenario{Name: "outage-herd", File: "scenarios/outage-herd.yaml", SHA256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		Digest:   "9f2c41d7e0aa5b1c9f2c41d7e0aa5b1c9f2c41d7e0aa5b1c9f2c41d7e0aa5b1c",
	}
}

// fixtures are results of every kind that a text has to cope with.
func fixtures() map[string]*result.Result {
	fixed, full := fixedHerd(), fullHerd()
	all := map[string]*result.Result{
		"single":       newResult(1, oneCase(1, fixed, full)),
		"twenty":       newResult(20, oneCase(20, fixed, full)),
		"one-policy":   newResult(20, oneCase(20, full)),
		"no-retries":   newResult(3, oneCase(3, herd{name: "calm", label: "calm"})),
		"all-dead":     newResult(2, oneCase(2, herd{name: "once", label: "one try", dead: 1000})),
		"twelve":       newResult(2, oneCase(2, dozen()...)),
		"matrix-two":   newResult(5, matrix(5, 2)...),
		"matrix-six":   newResult(5, matrix(5, 6)...),
		"no-series":    newResult(20, oneCase(20, fixed, full)),
		"unfinished":   newResult(4, oneCase(4, fixed, full)),
		"long-horizon": newResult(1, oneCase(1, herd{name: "ladder", label: "ladder", size: 28, period: 3600, waves: 20})),
		"wide": newResult(2, oneCase(2, herd{name: "a", label: "指数退避とジッターのある再試行ポリシー", size: 100, period: 7, waves: 9},
			herd{name: "b", label: "=evil \x1b[31mred\u202e", size: 7, period: 9, waves: 4})),
	}
	open := oneCase(2, fixed, full)
	open.Outages = append(open.Outages, result.Outage{Name: "for good", Start: result.Integer(200)})
	open.Herd = "retries.peak"
	all["open-outage"] = newResult(2, open)
	phased := oneCase(2, fixed, full)
	phased.Limit = "100/2s with bursts of 80"
	phased.Phases = []result.Phase{
		{Name: "squeezed", Changes: "capacity 2/s, latency 1s", Spans: []result.Span{{Start: result.Integer(100), End: number(200)}}},
		{Name: "crowded", Changes: "capacity 5 calls at a time", Spans: []result.Span{{Start: result.Integer(200)}}},
	}
	phased.Steps = []result.Step{{From: result.Integer(0), Capacity: number(50)}, {From: result.Integer(100), Capacity: number(2)}, {From: result.Integer(200)}}
	all["phases"] = newResult(2, phased)
	free := oneCase(2, fixed, full)
	free.Outages, free.Capacity, free.Herd = nil, nil, "retries.peak"
	all["no-outage"] = newResult(2, free)
	replayed := oneCase(2, fixed, full)
	replayed.Replay = &result.Replay{At: result.Integer(130), Every: number(60), Words: "at 2m10s and every 1m, 50/s"}
	all["replayed"] = newResult(2, replayed)
	for i := range all["no-series"].Cases[0].Policies {
		all["no-series"].Cases[0].Policies[i].Series = nil
	}
	several := matrix(5, 6)
	for i := range several {
		after := []string{"retries.peak(after=60s)", "retries.peak(after=120s)"}[i/3]
		several[i].Asked = []string{"latency.p99", after, "success.total(after=240s, before=300s)"}
	}
	all["matrix-asked"] = newResult(5, several...)
	flapping := oneCase(2, fixed, full)
	for i := range int64(9) {
		flapping.Outages = append(flapping.Outages, result.Outage{Name: "flap", Start: result.Integer(90 + 20*i), End: number(98 + 20*i)})
	}
	flapping.Herd = "retries.peak"
	flapping.Asked = []string{"retries.peak(after=60s)", "latency.p99", "success.total(after=240s, before=300s)"}
	all["flapping"] = newResult(2, flapping)
	left := all["unfinished"].Cases[0].Policies
	left[0].Metrics["jobs.unfinished"] = result.NewMetric([]*big.Rat{rat(3, 1), rat(4, 1), rat(2, 1), rat(9, 1)}, true)
	delete(left[0].Metrics, "retries.drained_at")
	left[1].Metrics["retries.drained_at"] = result.NewMetric([]*big.Rat{rat(100, 1), nil, rat(101, 1), rat(99, 1)}, true)
	all["clumps"] = clumped()
	for _, r := range all {
		for i := range r.Cases {
			compare(&r.Cases[i])
		}
	}
	return all
}

// clumped is a result in which one policy recovers in some replications and is stuck in others, one always lets jobs die,
// and one never.
func clumped() *result.Result {
	const n = 20
	c := oneCase(n, fixedHerd(), fullHerd(), herd{name: "same", label: "full again", size: 89, period: 3, waves: 45, shrink: 5, dead: 41})
	totals := slices.Repeat([]*big.Rat{rat(3000, 1)}, n)
	put := func(policy int, key string, of func(i int64) int64) {
		values := make([]*big.Rat, n)
		for i := range values {
			values[i] = rat(of(int64(i)), 1)
		}
		m := result.NewMetric(values, true)
		m.Clumps = result.Clumps(values, rat(1, 1))
		if key == "jobs.dead" {
			m.Share = result.NewShare(values, totals)
		}
		c.Policies[policy].Metrics[key] = m
	}
	put(0, "jobs.dead", func(i int64) int64 { return (i%3/2)*540 + i })
	put(1, "jobs.dead", func(i int64) int64 { return 41 + i%4 })
	put(2, "jobs.dead", func(int64) int64 { return 0 })
	put(2, "retries.peak(after=60s)", func(i int64) int64 { return 89 + (i+1)%5 })
	return newResult(n, c)
}

// compare fills in the comparisons, as an experiment does.
func compare(c *result.Case) {
	for i := 1; i < len(c.Policies); i++ {
		for _, key := range slices.Sorted(maps.Keys(c.Policies[0].Metrics)) {
			var left, right [][]*big.Rat
			for _, p := range c.Policies[1:] {
				left, right = append(left, valuesOf(p.Metrics[key])), append(right, valuesOf(c.Policies[0].Metrics[key]))
			}
			if len(right[0]) < 2 || len(left[i-1]) == 0 {
				continue
			}
			better := result.Lower
			if key == "jobs.succeeded" {
				better = result.Higher
			}
			c.Comparisons = append(c.Comparisons, result.Comparison{
				Policy: c.Policies[i].Name, Baseline: c.Policies[0].Name, Metric: key, Better: better, Difference: *result.NewDifferences(left, right, true)[i-1],
			})
		}
	}
}

func valuesOf(m result.Metric) []*big.Rat {
	values := make([]*big.Rat, len(m.Values))
	for i, v := range m.Values {
		if v != nil {
			values[i] = v.Rat()
		}
	}
	return values
}

func dozen() []herd {
	var herds []herd
	for i := range 12 {
		herds = append(herds, herd{name: fmt.Sprintf("p%d", i), label: fmt.Sprintf("policy number %d", i+1), size: int64(2000 >> i), period: 5 + i, waves: 12, dead: int64(i)})
	}
	return herds
}

func matrix(replications, n int) []result.Case {
	var cases []result.Case
	for i := range int64(n) {
		c := oneCase(replications, fixedHerd(), fullHerd())
		c.Set = result.Settings{
			{Path: "policies.full.delay.exponential.base", Value: fmt.Sprintf("%ds", 1<<(i%3))},
			{Path: "dependency.outages.0.for", Value: fmt.Sprintf("%dm", 1+i/3)},
		}
		c.Outages = []result.Outage{{Name: "outage", Start: result.Integer(0), End: number(60 * (1 + i/3))}}
		if i >= 3 {
			c.Herd = "retries.peak"
		}
		cases = append(cases, c)
	}
	return cases
}

// checksOf returns a check of every status, a failed one with all that can be said of it, for the first case of a result.
func checksOf(r *result.Result) []result.Check {
	c := r.Cases[0]
	check := func(name string, p int, status result.Status) result.Check {
		held := 0
		return result.Check{
			Name: name, Set: c.Set, Policy: c.Policies[p%len(c.Policies)].Name, Expect: "jobs.dead <= 10", Over: "every", Status: status,
			Observed: number(41), Sign: "<=", Limit: number(10), Mean: number(41), CI95: &[2]result.Number{*number(38), *number(44)}, Held: &held,
			File: "outage-herd.yaml", Line: 71, Column: 13, Length: 15,
		}
	}
	failed := check("dlq", 1, result.Fail)
	failed.Hint = "raise base before raising max_attempts"
	failed.Why = []string{"all 41 used 10 attempts", "the dependency was down for 60s"}
	failed.Tried = 9
	failed.Fixes = []result.Fix{{
		Path: "policies.full.max_attempts", Value: "12",
		Prices: []result.Price{{Metric: "jobs.dead", Before: number(41), After: number(2)}, {Metric: "drain.time", After: number(161)}},
	}}
	none := check("drain", 0, result.NoData)
	none.Observed, none.Limit, none.Mean, none.CI95, none.Held = nil, nil, nil, nil, nil
	none.Expect, none.Why = "drain.time <= 3m", []string{"`drain.time` has no value: 3 jobs unfinished"}
	return []result.Check{check("dlq", 0, result.Pass), failed, check("soft", 0, result.Warn), check("close", 1, result.Inconclusive), none}
}
