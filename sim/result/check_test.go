package result

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// demanding returns a valid result with a check of each kind.
func demanding() *Result {
	r := small()
	observed, limit, held := Integer(41), Integer(10), 1
	check := func(policy string, status Status) Check {
		return Check{
			Name: "dlq", Set: r.Cases[0].Set, Policy: policy, Expect: "jobs.dead <= 10", Over: "every", Status: status,
			Observed: &observed, Sign: "<=", Limit: &limit, Mean: &observed, CI95: &[2]Number{Integer(38), Integer(44)}, Held: &held,
			File: "a.yaml", Line: 7, Column: 3, Length: 15,
		}
	}
	failed := check("full", Fail)
	failed.Hint, failed.Why = "raise base", []string{"all 41 used 10 attempts"}
	failed.Tried = 12
	failed.Fixes = []Fix{{"policies.full.max_attempts", "12", []Price{{"dead.total", &observed, &limit}, {"drain.time", nil, &limit}}}}
	r.Checks = []Check{check("fixed", Pass), failed, check("fixed", Warn), check("full", Inconclusive), check("full", NoData)}
	return r
}

func TestChecksRoundTrip(t *testing.T) {
	r := demanding()
	first, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Checks, r.Checks) {
		t.Errorf("wrote\n%+v\nand read back\n%+v", r.Checks, back.Checks)
	}
	if err := back.Validate(); err != nil {
		t.Error(err)
	}
}

func TestFailed(t *testing.T) {
	r := demanding()
	for status, want := range map[Status]bool{Pass: false, Warn: false, Fail: true, Inconclusive: true, NoData: true} {
		r.Checks[0].Status = status
		if got := (&Result{Checks: r.Checks[:1]}).Failed(); got != want {
			t.Errorf("a check with status %s: failed is %v", status, got)
		}
	}
	if small().Failed() {
		t.Error("a result without checks failed")
	}
}

func TestValidateChecks(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(c *Check)
	}{
		{`checks[1]: status is "maybe"`, func(c *Check) { c.Status = "maybe" }},
		{"checks[1]: set is that of no case", func(c *Check) { c.Set = c.Set[:1] }},
		{`checks[1]: policy "none" is none`, func(c *Check) { c.Policy = "none" }},
		{"checks[1]: name or expect is empty", func(c *Check) { c.Expect = "" }},
		{"checks[1]: place is 0:3", func(c *Check) { c.Line = 0 }},
	} {
		r := demanding()
		c.spoil(&r.Checks[1])
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
