package main

import (
	"math"
	"strconv"
	"testing"

	"herdsim/sim/result"
)

// retriesPerFirst returns the mean over replications of retries per first call once the first ten seconds are over, and its
// standard error.
func retriesPerFirst(t *testing.T, p *result.Policy) (mean, se float64) {
	t.Helper()
	retries, first := p.Metrics["calls.retries(after=10s)"].Values, p.Metrics["calls.first(after=10s)"].Values
	if len(retries) < 10 || len(retries) != len(first) {
		t.Fatalf("%s: %d and %d values", p.Name, len(retries), len(first))
	}
	n := float64(len(first))
	var sum, squares float64
	for i := range first {
		sum += retries[i].Float() / first[i].Float()
	}
	for i := range first {
		d := retries[i].Float()/first[i].Float() - sum/n
		squares += d * d
	}
	return sum / n, math.Sqrt(squares / (n - 1) / n)
}

// With r tokens per success, a share p of failures and more failures than tokens, R retries per first call obey
// R = r(1−p)(1+R). Without a limit every failure is tried again. A ratio is what it says, to the last token.
func TestRetryBudget(t *testing.T) {
	r := simulated(t, "retry-budget")
	for name, want := range map[string]float64{"unlimited": 1, "budget": 0.05 / 0.95} {
		mean, se := retriesPerFirst(t, policyOf(t, r, 0, name))
		if math.Abs(mean-want) > 4*se || se > 0.01*want {
			t.Errorf("%s: %g retries per first call, want %g: %.1f standard errors of %.2g away", name, mean, want, (mean-want)/se, se)
		}
	}
	budget := policyOf(t, r, 0, "budget")
	within(t, budget, "dead.reason.exhausted", 0, 0)
	if died, empty := budget.Metrics["dead.total"], budget.Metrics["dead.reason.budget_empty"]; died.Mean != empty.Mean {
		t.Errorf("%s dead, %s of them because the budget was empty", died.Mean, empty.Mean)
	}
	ratio := policyOf(t, r, 0, "ratio").Metrics
	for i, first := range ratio["calls.first"].Values {
		if retries := ratio["calls.retries"].Values[i].Float(); retries > first.Float()/5 || retries < first.Float()/5-5 {
			t.Errorf("%g retries of %s first calls, want a fifth", retries, first)
		}
	}
	threshold := policyOf(t, r, 0, "threshold") // 10 tokens less 5: within the first few failures there is an end
	within(t, threshold, "calls.retries", 3, 10)
}

// Tries inside tries multiply: 4×3, 3×3×5, and 3×5 with one layer left out, of a hundred jobs.
func TestLayers(t *testing.T) {
	r := simulated(t, "layers")
	for _, c := range []struct {
		policy, calls, retries string
		layers                 []string
	}{
		{"two-layers", "1200", "300", []string{"800"}},
		{"three-layers", "4500", "200", []string{"600", "3600"}},
		{"one-off", "1500", "200", []string{"1200"}},
	} {
		p := policyOf(t, r, 0, c.policy)
		exactly(t, p, "calls.total", c.calls)
		exactly(t, p, "calls.failed", c.calls)
		exactly(t, p, "jobs.dead", "100")
		rounds := 0.0
		for _, row := range p.Retries {
			rounds += row.Count.Float()
		}
		if want, _ := strconv.ParseFloat(c.retries, 64); rounds != want {
			t.Errorf("%s: %g retries, want %s", p.Name, rounds, c.retries)
		}
		for i, row := range p.Layers {
			if row.Calls.String() != c.layers[i] {
				t.Errorf("%s: layer %d added %s calls, want %s", p.Name, i+1, row.Calls, c.layers[i])
			}
		}
	}
	// The product is the same however it is shared out between the queue and its layers.
	r = simulated(t, "layers", "--set", "policies.two-layers={max_attempts: 1, layers: [{tries: 4, delay: {fixed: 10s}}, {tries: 3}]}")
	exactly(t, policyOf(t, r, 0, "two-layers"), "calls.total", "1200")
	exactly(t, policyOf(t, r, 0, "two-layers"), "attempts.max", "1")
}

// Five failures open the breaker at 30.4 s, and five probes fail, at 40.4 s, 50.4 s, … 80.4 s.
func TestCircuitBreaker(t *testing.T) {
	r := simulated(t, "circuit-breaker")
	none, charged, uncharged := policyOf(t, r, 0, "none"), policyOf(t, r, 0, "charged"), policyOf(t, r, 0, "uncharged")
	exactly(t, none, "refused.breaker", "0")
	exactly(t, none, "calls.cause.outage", "3750")
	for _, p := range []*result.Policy{charged, uncharged} {
		exactly(t, p, "calls.cause.outage", "10")
		exactly(t, p, "calls.failed", "10")
		exactly(t, p, "recovery.lag", "0.4")
	}
	exactly(t, charged, "jobs.dead", "155")
	exactly(t, uncharged, "jobs.dead", "0")
}
