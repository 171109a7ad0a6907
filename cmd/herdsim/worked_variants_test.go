package main

import (
	"reflect"
	"testing"

	"herdsim/sim/result"
)

// A policy that overrides something does what the plain one does in a scenario that says so for all: the same jobs with the same
// luck, to the last digit.
func TestWhatWouldHelp(t *testing.T) {
	r := helped(t, "-n", "3")
	plain := policyOf(t, r, 0, "as-it-was")
	for name, set := range map[string]string{
		"more-workers":   "workers.count=50",
		"exact-timer":    "queue.promote.every=0s",
		"more-capacity":  "dependency.capacity.rate=200/s",
		"shorter-outage": "dependency.outages.main.for=20s",
		"replayed":       "dead_letter.replay={at: 180s, rate: 5/s}",
	} {
		there := policyOf(t, helped(t, "-n", "3", "--set", set), 0, "as-it-was")
		own := policyOf(t, r, 0, name)
		if reflect.DeepEqual(own.Metrics, plain.Metrics) {
			t.Errorf("%s changes nothing", name)
		}
		for term, m := range own.Metrics {
			if got, ok := there.Metrics[term]; !ok || !reflect.DeepEqual(got, m) {
				t.Errorf("%s: %s is %v, where the scenario says %s it is %v", name, term, m.Mean, set, got.Mean)
			}
		}
		if !reflect.DeepEqual(own.Attempts, there.Attempts) || !reflect.DeepEqual(own.Retries, there.Retries) {
			t.Errorf("%s: attempts or rounds are not those of a scenario that says %s", name, set)
		}
	}
}

// helped runs the scenario with a check that always holds.
func helped(t *testing.T, flags ...string) *result.Result {
	t.Helper()
	return simulated(t, "what-would-help", append(flags, "--set", "checks=[jobs.total > 0]", "--metric", "retries.peak(after=60s)", "--metric", "calls.peak(after=180s)")...)
}

// What others override, or a value that a policy repeats, leaves a policy as it is.
func TestOverridesLeaveTheRestAlone(t *testing.T) {
	alone := helped(t, "-n", "2", "--policy", "as-it-was")
	repeated := helped(t, "-n", "2", "--policy", "as-it-was", "--set", "policies.as-it-was.workers.count=10",
		"--set", "policies.as-it-was.queue.promote.every=5s", "--set", "policies.as-it-was.dependency.outages.main.for=60s")
	among := policyOf(t, helped(t, "-n", "2"), 0, "as-it-was")
	if alone.Digest != repeated.Digest || repeated.Cases[0].Policies[0].World != nil {
		t.Errorf("repeating what the scenario says makes %s of %s", repeated.Digest, alone.Digest)
	}
	for term, m := range policyOf(t, alone, 0, "as-it-was").Metrics {
		if !reflect.DeepEqual(among.Metrics[term], m) {
			t.Errorf("%s is %v among others, %v alone", term, among.Metrics[term].Mean, m.Mean)
		}
	}
}
