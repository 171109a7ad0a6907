package plots

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"herdsim/sim/result"
)

func TestOnlyChosenPicturesAreDrawnInTheOrderOfNames(t *testing.T) {
	for _, tc := range []struct {
		ids  []string
		want []string
	}{
		{nil, []string{"arrivals.svg", "attempts.svg"}},
		{[]string{"attempts"}, []string{"attempts.svg"}},
		{[]string{"attempts", "arrivals", "attempts"}, []string{"arrivals.svg", "attempts.svg"}},
	} {
		var got []string
		for _, p := range render(t, outageHerd(1), Options{Format: "svg", Pictures: tc.ids}) {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("pictures %v: drew %v, want %v", tc.ids, got, tc.want)
		}
	}
}

func TestWrongRequestsAndResultsAreErrors(t *testing.T) {
	huge, low := number("1e300"), number("-1")
	for name, tc := range map[string]struct {
		options Options
		change  func(*result.Result, *result.Case)
		want    string
	}{
		"picture":  {Options{"png", []string{"arivals"}}, nil, `unknown picture "arivals": allowed are arrivals, attempts`},
		"format":   {Options{Format: "pdf"}, nil, `unknown picture format "pdf": allowed are png, svg`},
		"no case":  {Options{Format: "png"}, func(r *result.Result, _ *result.Case) { r.Cases = nil }, "no case"},
		"cases":    {Options{Format: "png"}, func(r *result.Result, _ *result.Case) { r.Cases = make([]result.Case, 65) }, "65 cases are too many to draw (at most 64)"},
		"case":     {Options{Format: "png"}, func(r *result.Result, c *result.Case) { r.Cases = append(r.Cases, result.Case{}) }, "case 2 of 2: there is no policy"},
		"policies": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { withPolicies(25, short)(c) }, "25 policies are too many for one picture (at most 24): choose some with --policy"},
		"series":   {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[1].Series = nil }, `no series for policy "wobble": run again without --no-series`},
		"count":    {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[1].Series.Retries.First[3] = -4 }, "bin 3 holds -4"},
		"rate": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) {
			c.Policies[1].Series.Bin = number("1e-9")
			c.Policies[1].Series.Retries.First[3] = 1 << 62
		}, "which is no count"},
		"bin":      {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[1].Series.Bin = number("0") }, "bin_s 0 is not a width"},
		"time":     {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Series.Bin = number("1e9") }, "beyond the end of time"},
		"capacity": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Capacity = &huge }, "capacity_per_s: 1e300 is not a number from 0"},
		"outage":   {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Outages[0].Start = low }, `outage "main": start_s: -1 is not a number from 0`},
		"end":      {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Outages[0].End = &huge }, `outage "main": end_s: 1e300`},
		"order":    {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Outages[0].Start = number("61") }, "end_s 60 lies before start_s 61"},
		"metric": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) {
			c.Policies[0].Metrics["dead.total"] = result.Metric{Mean: huge}
		}, "metric dead.total: 1e300"},
		"dead":    {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Attempts[2].Dead = number("1e9") }, "attempt 3: dead: 1e9 is not"},
		"attempt": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Attempts[2].Attempt = 0 }, "attempt 0 is not from 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := outageHerd(1)
			if tc.change != nil {
				tc.change(r, &r.Cases[0])
			}
			pictures, err := Render(r, tc.options)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
			if pictures != nil {
				t.Errorf("%d pictures beside the error", len(pictures))
			}
		})
	}
}

func TestAttemptsNeedNoSeries(t *testing.T) {
	r := outageHerd(1)
	for i := range r.Cases[0].Policies {
		r.Cases[0].Policies[i].Series = nil
	}
	if p := render(t, r, Options{"png", []string{"attempts"}}); len(p) != 1 {
		t.Errorf("drew %d pictures, want 1", len(p))
	}
}

func TestFileNamesTellCasesApart(t *testing.T) {
	set := func(pairs ...string) result.Case {
		var c result.Case
		for i := 0; i < len(pairs); i += 2 {
			c.Set = append(c.Set, result.Setting{Path: pairs[i], Value: pairs[i+1]})
		}
		return c
	}
	got := fileNames([]result.Case{
		set("policies.full.delay.exponential.base", "2s"),
		set("policies.full.delay.exponential.base", "2S"),
		set("policies.full.max_attempts", "4", "policies.fixed.max_attempts", "5"),
		set("cohorts.herd.count", "../../etc/passwd"),
		set("x", "指数"),
		set(),
		set("x", strings.Repeat("long ", 99)),
		set("x", strings.Repeat("long ", 98)),
	})
	want := []string{"-exponential.base-2s", "-exponential.base-2s-2", "-full.max_attempts-4-fixed.max_attempts-5", "-herd.count-..-..-etc-passwd", "-x", "-case"}
	if !slices.Equal(got[:len(want)], want) {
		t.Errorf("names %q, want %q", got[:len(want)], want)
	}
	for i, n := range got {
		if !regexp.MustCompile(`^[a-z0-9._-]+$`).MatchString(n) || len(n) > 128 || slices.Contains(got[i+1:], n) {
			t.Errorf("file name %q is too long, not unique or holds other characters", n)
		}
	}
	if one := fileNames([]result.Case{set("a", "b")}); one[0] != "" {
		t.Errorf("a single case is called %q", one[0])
	}
}

func TestFindingsNameTheExtremes(t *testing.T) {
	for _, tc := range []struct {
		change             func(*result.Case)
		arrivals, attempts string
	}{
		{func(*result.Case) {}, "Retries per second: equal jitter peaks at 63/s after the outage, fixed exponential at 1034/s", "Attempts used: equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) { c.Policies = c.Policies[3:] }, "Retries per second: full jitter peaks at 79/s after the outage, 1.6× the capacity", "Attempts used: full jitter leaves 32 jobs dead"},
		{func(c *result.Case) { c.Policies = c.Policies[3:]; c.Capacity = nil }, "Retries per second: full jitter peaks at 79/s after the outage", "Attempts used: full jitter leaves 32 jobs dead"},
		{func(c *result.Case) { c.Policies[1] = c.Policies[0]; c.Policies = c.Policies[:2] }, "Retries per second: every policy peaks at 1034/s after the outage", "Attempts used: every policy leaves 808 jobs dead"},
		{func(c *result.Case) {
			c.Policies[2].Metrics["retries.peak(after=60s)"] = result.Metric{Mean: number("0")}
		}, "Retries per second: full jitter peaks at 79/s after the outage, fixed exponential at 1034/s", "Attempts used: equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) {
			c.Policies[1] = c.Policies[0]
			c.Policies[2].Metrics["retries.peak(after=60s)"] = result.Metric{Mean: number("0")}
			c.Policies = c.Policies[:3]
			delete(c.Policies[2].Metrics, "dead.total")
		}, "Retries per second: 2 of 3 policies peak at 1034/s after the outage", "Attempts used: 2 of 3 policies leave 808 jobs dead"},
		{func(c *result.Case) { c.Outages, c.Herd = nil, "retries.peak" }, "Retries per second: equal jitter peaks at 1003/s, full jitter at 1283/s", "Attempts used: equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) {
			c.Herd = "retries.peak"
			for i := range c.Policies {
				c.Policies[i].Metrics = map[string]result.Metric{"retries.peak": {Mean: number("0")}, "dead.total": {Mean: number("0")}}
			}
		}, "Retries per second: none", "Attempts used: no job ends dead"},
		{func(c *result.Case) {
			for i := range c.Policies {
				c.Policies[i].Metrics = nil
			}
		}, "Retries per second", "Attempts used"},
	} {
		r := outageHerd(1)
		tc.change(&r.Cases[0])
		s, err := newScene(r, &r.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{tc.arrivals, tc.attempts} {
			sheet, err := kinds()[i].compose(s)
			if err != nil {
				t.Fatal(err)
			}
			if sheet.title != want {
				t.Errorf("title %q, want %q", sheet.title, want)
			}
		}
	}
}

func TestCaptionSaysWhereThePictureComesFrom(t *testing.T) {
	r := outageHerd(2)
	s, err := newScene(r, &r.Cases[0])
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := arrivals(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"outage-herd", "sha256 9f2c41d7 ", "seed 42", "replication 1 of 2", "means of 2 replications"} {
		if !strings.Contains(sheet.caption, want) {
			t.Errorf("caption %q lacks %q", sheet.caption, want)
		}
	}
}

func TestMatrixGivesASetOfPicturesPerCase(t *testing.T) {
	r := outageHerd(1)
	second := r.Cases[0]
	r.Cases[0].Set = result.Settings{{Path: "dependency.outages.main.for", Value: "60s"}}
	second.Set = result.Settings{{Path: "dependency.outages.main.for", Value: "90s"}}
	r.Cases = append(r.Cases, second)
	want := []string{"arrivals-main.for-60s.svg", "attempts-main.for-60s.svg", "arrivals-main.for-90s.svg", "attempts-main.for-90s.svg"}
	for i, p := range render(t, r, Options{Format: "svg"}) {
		if p.Name != want[i] {
			t.Errorf("picture %d is %s, want %s", i, p.Name, want[i])
		}
		if setting := fmt.Sprintf("main.for = %d0s", 6+i/2*3); !strings.Contains(string(p.Data), setting) {
			t.Errorf("%s does not say %q", p.Name, setting)
		}
	}
}
