package main

import (
	"fmt"
	"testing"
)

// A server that was stalled for longer than its callers wait gets out again if, and only if, it can do more than the work of
// every try: rate × attempts < 100/s. A queue with a limit always does.
func TestWillItRecover(t *testing.T) {
	const minute = "success.total(after=240s, before=300s)"
	r := simulated(t, "will-it-recover")
	for policy, want := range map[string]string{"once": "3600", "twice": "0", "thrice": "0", "unlimited": "0"} {
		exactly(t, policyOf(t, r, 0, policy), minute, want)
		exactly(t, policyOf(t, r, 1, policy), minute, "3600")
	}
	if got := policyOf(t, r, 0, "unlimited").Recovery.Stuck; got != 1 {
		t.Errorf("stuck in %d replications, want 1", got)
	}
	for _, c := range []struct {
		rate   int
		policy string
		stays  bool
	}{
		{90, "once", false}, {48, "twice", false}, {52, "twice", true}, {32, "thrice", false}, {35, "thrice", true},
	} {
		r := simulated(t, "will-it-recover", "--set", fmt.Sprintf("cohorts.load.arrivals.constant=%d/s", c.rate), "--set", "stop.at=900s", "--set", `checks=["jobs.total > 0"]`, "--policy", c.policy,
			"--metric", "success.total(after=800s, before=900s)")
		want := fmt.Sprint(100 * c.rate)
		if c.stays {
			want = "0"
		}
		exactly(t, policyOf(t, r, 0, c.policy), "success.total(after=800s, before=900s)", want)
	}
}

// The retrial queue M/M/1/1: with arrivals at λ, service μ = 1 and waits of mean 1/ν the mean number of jobs in orbit is
// ρ(λ+ρν) / (ν(1−ρ)), ρ = λ/μ (Falin and Templeton, "Retrial Queues", 1997, section 1.2). Little's law makes a mean wait of it.
func TestRetrialQueue(t *testing.T) {
	r := simulated(t, "orbit")
	lawful(t, policyOf(t, r, 0, "eager"), "latency.mean", 1+1/0.5)
	lawful(t, policyOf(t, r, 0, "patient"), "latency.mean", 1+5.5/0.5)
	busy := simulated(t, "orbit", "--set", "cohorts.load.arrivals.poisson=8/10s", "--policy", "eager", "--set", `checks=["jobs.total > 0"]`)
	lawful(t, policyOf(t, busy, 0, "eager"), "latency.mean", 1+6.4/0.8)
}
