package experiment

import (
	"slices"
	"testing"
)

// A result says why jobs were left at the end when a policy lets them fail for ever, and only then.
func TestUnchargedLeavesJobs(t *testing.T) {
	r := mustRun(t, parse(t, `
version: 1
stop: {at: 60s}
cohorts: {jobs: {count: 3}}
dependency: {outages: {main: {for: 30s}}, capacity: {rate: 0/s}}
policies:
  stuck: {delay: {fixed: 1s}, max_attempts: 3, uncharged: [outage, overload]}
  spent: {delay: {fixed: 1s}, max_attempts: 3, uncharged: [outage]}
  patient: {delay: {fixed: 1s}, max_attempts: unlimited}
`), Options{})
	for i, want := range [][]string{
		{"jobs of policy stuck were unfinished at the end: failures by outage, overload spend no budget and can go on for ever"}, nil, nil,
	} {
		if p := r.Cases[0].Policies[i]; !slices.Equal(p.Notes, want) {
			t.Errorf("%s: notes %q, want %q", p.Name, p.Notes, want)
		}
	}
}

// The retries that a breaker stops are no calls: their round has no row.
func TestRoundsWithoutCalls(t *testing.T) {
	r := mustRun(t, parse(t, `
version: 1
cohorts: {jobs: {count: 3}}
dependency: {outages: {main: {for: 4s}}}
policies:
  stopped: {delay: {fixed: 2s}, max_attempts: 4, breaker: {failures: 3, within: 1s, open: 3s, probes: 3}}
`), Options{})
	var retries []int
	for _, row := range r.Cases[0].Policies[0].Retries {
		retries = append(retries, row.Retry)
	}
	if !slices.Equal(retries, []int{2}) {
		t.Errorf("rounds %v, want only the second", retries)
	}
}
