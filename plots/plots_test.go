package plots

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"herdsim/sim/result"
)

func TestOnlyChosenPicturesAreDrawnInTheOrderOfNames(t *testing.T) {
	for _, tc := range []struct {
		ids  []string
		want []string
	}{
		{nil, []string{"arrivals.svg", "rounds.svg", "attempts.svg", "dead.svg"}},
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
		"picture":  {Options{"png", []string{"arivals"}}, nil, `unknown picture "arivals": allowed are arrivals, rounds, attempts, dead`},
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
			c.Policies[0].Metrics["jobs.dead"] = result.Metric{Mean: huge}
		}, "metric jobs.dead: 1e300"},
		"dead":   {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Attempts[2].Dead = number("1e9") }, "attempt 3: dead: 1e9 is not"},
		"deaths": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[1].Series.Dead.First = []int64{-1} }, `policy "wobble": dead: bin 0 holds -1`},
		"most": {Options{Format: "png", Pictures: []string{"dead"}}, func(r *result.Result, c *result.Case) {
			r.Replications = 2
			c.Policies[0].Metrics["dead.total"] = result.Metric{Max: huge}
		}, "metric dead.total: 1e300 is not"},
		"round":   {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Retries[2].Retry = 0 }, "retry 0: is not from 1"},
		"instant": {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Retries[2].Mean = huge }, "retry 3: 1e300 is not a number"},
		"width":   {Options{Format: "png"}, func(_ *result.Result, c *result.Case) { c.Policies[0].Retries[2].P95 = number("0") }, "retry 3: p95_s lies before p5_s"},
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
		change         func(*result.Case)
		arrivals, dead string
	}{
		{func(*result.Case) {}, "Retries per second: equal jitter peaks at 63/s after the outage, fixed exponential at 1034/s", ": equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) { c.Policies = c.Policies[3:] }, "Retries per second: full jitter peaks at 79/s after the outage, 1.6× the capacity", ": full jitter leaves 32 jobs dead"},
		{func(c *result.Case) { c.Policies = c.Policies[3:]; c.Capacity = nil }, "Retries per second: full jitter peaks at 79/s after the outage", ": full jitter leaves 32 jobs dead"},
		{func(c *result.Case) { c.Policies[1] = c.Policies[0]; c.Policies = c.Policies[:2] }, "Retries per second: every policy peaks at 1034/s after the outage", ": every policy leaves 808 jobs dead"},
		{func(c *result.Case) {
			c.Policies[2].Metrics["retries.peak(after=60s)"] = result.Metric{Mean: number("0")}
		}, "Retries per second: full jitter peaks at 79/s after the outage, fixed exponential at 1034/s", ": equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) {
			c.Policies[1] = c.Policies[0]
			c.Policies[2].Metrics["retries.peak(after=60s)"] = result.Metric{Mean: number("0")}
			c.Policies = c.Policies[:3]
			delete(c.Policies[2].Metrics, "jobs.dead")
		}, "Retries per second: 2 of 3 policies peak at 1034/s after the outage", ": 2 of 3 policies leave 808 jobs dead"},
		{func(c *result.Case) { c.Outages, c.Herd = nil, "retries.peak" }, "Retries per second: equal jitter peaks at 1003/s, full jitter at 1283/s", ": equal jitter leaves no job dead, fixed exponential 808"},
		{func(c *result.Case) {
			c.Herd = "retries.peak"
			for i := range c.Policies {
				c.Policies[i].Metrics = map[string]result.Metric{"retries.peak": {Mean: number("0")}, "jobs.dead": {Mean: number("0")}}
			}
		}, "Retries per second: none", ": no job ends dead"},
		{func(c *result.Case) {
			for i := range c.Policies {
				c.Policies[i].Metrics = nil
			}
		}, "Retries per second", ""},
	} {
		r := outageHerd(1)
		tc.change(&r.Cases[0])
		s, err := newScene(r, &r.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]string{"arrivals": tc.arrivals, "attempts": "Attempts used" + tc.dead, "dead": "Dead letters" + tc.dead} {
			sheet, err := kindNamed(t, id).compose(s)
			if err != nil {
				t.Fatal(err)
			}
			if sheet.title != want {
				t.Errorf("title %q, want %q", sheet.title, want)
			}
		}
	}
}

func kindNamed(t *testing.T, id string) kind {
	t.Helper()
	i := slices.Index(Names(), id)
	if i < 0 {
		t.Fatalf("no picture %s", id)
	}
	return kinds()[i]
}

func TestRoundsFinding(t *testing.T) {
	for want, change := range map[string]func(*result.Case){
		"Rounds of retries: retry 8 comes all at once with fixed exponential, over 70.2s with full jitter":   func(*result.Case) {},
		"Rounds of retries: retry 8 spreads over 2.22s with fixed wobble 0s–1s, over 70.2s with full jitter": func(c *result.Case) { c.Policies = c.Policies[1:] },
		"Rounds of retries: retry 9 spreads over 62.9s with full jitter":                                     func(c *result.Case) { c.Policies = c.Policies[3:] },
		"Rounds of retries: retry 9 comes all at once":                                                       func(c *result.Case) { c.Policies = c.Policies[:1] },
		"Rounds of retries: none": func(c *result.Case) {
			for i := range c.Policies {
				c.Policies[i].Retries = nil
			}
		},
	} {
		v := variant{result: outageHerd(1)}
		change(&v.result.Cases[0])
		s, err := newScene(v.result, &v.result.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := rounds(s)
		if err != nil {
			t.Fatal(err)
		}
		if sheet.title != want {
			t.Errorf("title %q, want %q", sheet.title, want)
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
	for i, p := range render(t, r, Options{Format: "svg", Pictures: []string{"arrivals", "attempts"}}) {
		if p.Name != want[i] {
			t.Errorf("picture %d is %s, want %s", i, p.Name, want[i])
		}
		if setting := fmt.Sprintf("main.for = %d0s", 6+i/2*3); !strings.Contains(string(p.Data), setting) {
			t.Errorf("%s does not say %q", p.Name, setting)
		}
	}
}

// Names keep their order, stay a gap apart and within bounds, and move no more than they must.
func TestApart(t *testing.T) {
	for _, tc := range []struct{ at, want []vg.Length }{
		{[]vg.Length{50, 20}, []vg.Length{50, 20}},
		{[]vg.Length{50, 50}, []vg.Length{55, 45}},
		{[]vg.Length{50, 52, 20}, []vg.Length{46, 56, 20}},
		{[]vg.Length{0, 0, 0}, []vg.Length{20, 10, 0}},
		{[]vg.Length{100, 100}, []vg.Length{100, 90}},
		{[]vg.Length{12, 0, 0}, []vg.Length{20, 10, 0}},
		{[]vg.Length{30, 31, 28, 12}, []vg.Length{30.25, 40.25, 20.25, 10.25}},
	} {
		got := apart(tc.at, 10, 0, 100)
		for i := range got {
			if math.Abs(float64(got[i]-tc.want[i])) > 1e-9 {
				t.Errorf("%v: %v, want %v", tc.at, got, tc.want)
			}
			for k := range got[:i] {
				if d := math.Abs(float64(got[i] - got[k])); d < 10-1e-9 || tc.at[i] > tc.at[k] && got[i] < got[k] {
					t.Errorf("%v: %v are not apart, or out of order", tc.at, got)
				}
			}
		}
	}
}

func TestThinnedLinesKeepTheirShape(t *testing.T) {
	var line plotter.XYs
	for i := range 10_000 {
		line = append(line, plotter.XY{X: float64(i), Y: float64(i * i)})
	}
	thin := thinned(line, 100)
	if n := len(thin); n > 202 || thin[0] != line[0] || thin[n-1] != line[9999] {
		t.Errorf("%d points from %v to %v", n, thin[0], thin[n-1])
	}
	if few := thinned(line[:50], 100); len(few) != 50 {
		t.Errorf("a line of 50 points lost %d", 50-len(few))
	}
}
