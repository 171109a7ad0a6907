package report

import (
	"testing"

	"herdsim/sim/result"
)

func TestEnding(t *testing.T) {
	policy := func(succeeded string, verdicts ...string) *result.Policy {
		return &result.Policy{
			Metrics:  map[string]result.Metric{"jobs.succeeded": {Max: numberOf(t, succeeded)}},
			Recovery: result.NewRecovery(verdicts),
		}
	}
	for _, c := range []struct {
		policy *result.Policy
		of     int
		want   string
	}{
		{&result.Policy{}, 2, ""},
		{policy("5", "recovered", "recovered"), 2, ""},
		{policy("5", "stuck", "stuck"), 2, "never recovers, stuck at the end in 2 of 2 replications"},
		{policy("5", "stuck"), 1, "never recovers, stuck at the end"},
		{policy("0", "stuck", "stuck"), 2, "no job succeeds in 2 of 2 replications"},
		{policy("5", "recovering", "recovering"), 2, "still recovering at the end in 2 of 2 replications"},
		{policy("5", "recovered", "recovering", "stuck", "stuck"), 4, "recovered in 1 of 4 replications, still recovering in 1, stuck in 2"},
	} {
		if got := ending(c.policy, c.of); got != c.want {
			t.Errorf("ending is %q, want %q", got, c.want)
		}
	}
}
