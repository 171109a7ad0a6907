package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"herdsim/sim/report"
	"herdsim/sim/result"
)

// failing runs check on one of the scenarios that are made to fail.
func failing(t *testing.T, name string, flags ...string) (*result.Result, int) {
	t.Helper()
	a, stdout, stderr := fake("")
	args := append([]string{"check", filepath.Join("testdata", "failing", name+".yaml"), "--json", "-q"}, flags...)
	code := a.run(context.Background(), args)
	r, err := report.ReadJSON(strings.NewReader(stdout.String()))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr)
	}
	return r, code
}

// Each scenario fails for one cause, which is named; each fix that is shown holds when it is set by hand, and costs what was
// said.
func TestCausesAndFixes(t *testing.T) {
	for name, c := range map[string]struct{ cause, fix string }{
		"budget":   {"budget exhausted: every dead job used 5 attempts, the last died at 13.566s", "policies.full.max_attempts"},
		"capacity": {"over capacity: 1500 calls were refused after the outage, the capacity being 50/s", "policies.none.jitter"},
		"sweep":    {"re-formed herd: the sweep every 5s", "queue.promote.every"},
		"batch":    {"batch limit: a sweep promotes at most 10 jobs every 1s", "queue.promote.batch"},
		"waits":    {"long waits: some jobs needed 8 attempts", "policies.patient.delay.exponential.cap"},
		"hints":    {"calls were refused, those of one instant are told the same instant to come back at", "policies.told.retry_after"},
		"workers":  {"workers saturated: with 10 workers", "policies.fixed.jitter"},
	} {
		r, code := failing(t, name)
		k := r.Checks[0]
		if code != exitCheck || k.Status != result.Fail || !strings.Contains(strings.Join(k.Why, "\n"), c.cause) {
			t.Errorf("%s: exit code %d, status %s, why %q; want %q", name, code, k.Status, k.Why, c.cause)
		}
		var paths []string
		for _, f := range k.Fixes {
			paths = append(paths, f.Path)
			again, code := failing(t, name, "--set", f.Path+"="+f.Value)
			if code != exitDone || again.Failed() {
				t.Errorf("%s: with %s=%s the exit code is %d", name, f.Path, f.Value, code)
			}
			for _, p := range f.Prices {
				if m, ok := again.Cases[0].Policies[0].Metrics[p.Metric]; ok != (p.After != nil) || ok && m.Mean != *p.After {
					t.Errorf("%s: with %s=%s %s is %s, and was said to be %s", name, f.Path, f.Value, p.Metric, m.Mean, p.After)
				}
			}
		}
		if !strings.Contains(strings.Join(paths, " "), c.fix) {
			t.Errorf("%s: the fixes are %v, want %s among them", name, paths, c.fix)
		}
	}
}

func TestNoFix(t *testing.T) {
	r, code := failing(t, "poison")
	k := r.Checks[0]
	if code != exitCheck || len(k.Fixes) > 0 || k.Tried < 10 || !strings.HasPrefix(k.Why[0], "poison: 3 of the dead are of cohort `bad`") {
		t.Errorf("exit code %d, %d fixes of %d, why %q", code, len(k.Fixes), k.Tried, k.Why)
	}
	a, stdout, _ := fake("")
	a.run(context.Background(), []string{"check", "testdata/failing/poison.yaml", "--fix", "3"})
	if want := "no single change of 3 that were simulated makes it hold"; !strings.Contains(stdout.String(), want) {
		t.Errorf("printed\n%s\nwant %q", stdout, want)
	}
	if r, _ := failing(t, "budget", "--fix", "off"); r.Checks[0].Tried > 0 || r.Checks[0].Fixes != nil {
		t.Errorf("without the search there are %d fixes of %d", len(r.Checks[0].Fixes), r.Checks[0].Tried)
	}
}

// A fix of one check may not break another, of whichever policy; it holds in every case of the matrix.
func TestFixesBreakNothing(t *testing.T) {
	r, _ := failing(t, "others")
	for _, k := range r.Checks {
		for _, f := range k.Fixes {
			again, _ := failing(t, "others", "--set", f.Path+"="+f.Value)
			for i, now := range again.Checks {
				if was := r.Checks[i]; now.Status != result.Pass && (was.Status == result.Pass || was.Name == k.Name && was.Policy == k.Policy) {
					t.Errorf("%s=%s: check %s of %s is %s, and was %s", f.Path, f.Value, now.Name, now.Policy, now.Status, was.Status)
				}
			}
		}
	}
	if n := len(r.Checks[0].Fixes); n == 0 || len(r.Checks) != 8 {
		t.Errorf("%d fixes, %d checks", n, len(r.Checks))
	}
}
