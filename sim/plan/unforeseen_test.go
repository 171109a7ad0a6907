package plan

import (
	"strings"
	"testing"
	"time"

	"herdsim/sim/dependency"
	"herdsim/sim/engine"
	"herdsim/sim/policy"
)

// Whatever decides besides the waits is named.
func TestUnforeseen(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		config engine.Config
		want   string // a part of the reason; "" for none
	}{
		{engine.Config{}, ""},
		{engine.Config{Budget: policy.Budget{Tries: policy.Unlimited}}, ""},
		{engine.Config{Budget: policy.Budget{Tries: MostRetries + 1}}, ""},
		{engine.Config{Budget: policy.Budget{Tries: MostRetries + 2}}, "more than 10000 retries"},
		{engine.Config{Discipline: engine.Discipline{Layers: []engine.Layer{{}}}}, "layers"},
		{engine.Config{Discipline: engine.Discipline{Breaker: &engine.BreakerRule{}}}, "breaker"},
		{engine.Config{Discipline: engine.Discipline{RetryBudget: &engine.RetryBudget{}}}, "budget that jobs share"},
		{engine.Config{Discipline: engine.Discipline{Uncharged: engine.CauseSet(0).With(engine.Outage)}}, "outage spend no budget"},
		{engine.Config{Discipline: engine.Discipline{NotRetryable: engine.CauseSet(0).With(engine.Overload)}}, "overload are not retried"},
		{engine.Config{Queue: engine.Queue{Every: second}}, "sweeps"},
		{engine.Config{Queue: engine.Queue{Resolution: 1}}, ""},
		{engine.Config{Queue: engine.Queue{Resolution: time.Millisecond}}, "floors due instants to 1ms"},
		{engine.Config{Queue: engine.Queue{Visibility: second, LeaseFails: true}}, "end of a lease is a failure"},
		{engine.Config{Queue: engine.Queue{Visibility: second}}, "delivers a job once more"},
		{engine.Config{Workers: engine.Workers{Count: 5}}, "number of workers"},
		{engine.Config{Workers: engine.Workers{Count: 5, Crashes: []engine.WorkerCrash{{}}}}, "crash"},
		{engine.Config{Dependency: dependency.Config{FailAfter: second}}, "calls that fail take up to 1s"},
		{engine.Config{Dependency: dependency.Config{Phases: []dependency.Phase{{FailAfter: &second}}}}, "calls that fail take up to 1s"},
		{engine.Config{Cohorts: []engine.Cohort{{Rule: &engine.Rule{}}}}, "rules of their own"},
		{engine.Config{Cohorts: []engine.Cohort{{Key: "k"}}}, "one key"},
	} {
		got := Unforeseen(&c.config)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.config, got, c.want)
		}
	}
}

// Where each wait depends on the one before, fewer retries are looked at: one more takes long.
func TestMostOfDependentWaits(t *testing.T) {
	d := policy.Decorrelated(time.Second, time.Minute)
	if Most(d) != mostDependent || Most(policy.New(policy.Fixed(time.Second), policy.Full{})) != MostRetries {
		t.Errorf("of decorrelated waits %d are looked at, of others %d", Most(d), Most(policy.New(policy.Fixed(time.Second), policy.Full{})))
	}
	o, err := Outlast(d, Question{Span: 240 * time.Hour, Confidence: 0.95, Retries: -1})
	if err != nil || o.Likely != nil || o.Most != mostDependent {
		t.Errorf("ten days: %+v, %v", o, err)
	}
}
