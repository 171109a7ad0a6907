package main

import "testing"

// A thousand calls, of which each minute admits a hundred, and the refused are told of the next minute.
func TestRetryAfterHerd(t *testing.T) {
	r := simulated(t, "retry-after-herd")
	// All that is left calls at each minute: 1000 + 900 + … + 100.
	honours := policyOf(t, r, 0, "honours")
	exactly(t, honours, "calls.total", "5500")
	exactly(t, honours, "jobs.dead", "0")
	exactly(t, honours, "success.last_at", "540")
	exactly(t, honours, "retries.peak", "900")
	exactly(t, honours, "retries.peak_at", "60")
	exactly(t, honours, "retries.instants", "9")
	// Ten tries at every half minute, of which every other one finds the window spent.
	clamps := policyOf(t, r, 0, "clamps")
	exactly(t, clamps, "calls.total", "7500")
	exactly(t, clamps, "jobs.dead", "500")
	exactly(t, clamps, "dead.last_at", "270")
	// Of 900 waits drawn from [0, 10m] those below a minute are raised to it.
	lawful(t, policyOf(t, simulated(t, "retry-after-herd", "--policy", "below", "-n", "100", "--metric", "calls.total(after=60s, before=60.000001s)"), 0, "below"),
		"calls.total(after=60s, before=60.000001s)", 90)
}

// Ten calls that hang from 10 s until 40 s hold all ten workers, or until 11 s with a timeout of a second.
func TestOnePartnerDown(t *testing.T) {
	r := simulated(t, "one-partner-down", "--metric", "calls.total(cohort=bolt)", "--metric", "calls.cause.outage(cohort=bolt)")
	for n, longest := range []string{"30.05", "1.05"} {
		p := policyOf(t, r, n, "plain")
		exactly(t, p, "latency.max(cohort=bolt)", longest)
		exactly(t, p, "calls.total(cohort=bolt)", "1200")
		exactly(t, p, "calls.cause.outage(cohort=bolt)", "0")
		exactly(t, p, "jobs.dead", "0")
	}
	exactly(t, policyOf(t, r, 0, "plain"), "calls.cause.outage", "20") // at 10 s and, retried at 45 s, once more
}
