package compare

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// values are whole numbers, -1 standing for none.
func metric(values ...int64) result.Metric {
	rats := make([]*big.Rat, len(values))
	for i, v := range values {
		if v >= 0 {
			rats[i] = big.NewRat(v, 1)
		}
	}
	return result.NewMetric(rats, true)
}

// saved is a result of one case and two policies, of four replications.
func saved() *result.Result {
	r := &result.Result{
		Format: result.Format, Version: "1.2.3", Seed: 7, Replications: 4, Digest: "d1",
		Scenario: result.Scenario{Name: "s", File: "s.yaml", SHA256: "5", Settings: result.Settings{
			{Path: "cohorts.jobs.count", Value: "10"},
			{Path: "metrics.window", Value: "1s"},
			{Path: "policies.a.max_attempts", Value: "3"},
		}},
		Cases: []result.Case{{Set: result.Settings{}, Cohorts: []string{"jobs"}, Herd: "retries.peak", Window: result.Integer(1)}},
	}
	for _, name := range []string{"a", "b"} {
		r.Cases[0].Policies = append(r.Cases[0].Policies, result.Policy{Name: name, Label: "policy " + name, Metrics: map[string]result.Metric{
			"retries.peak": metric(5, 6, 7, 8), "jobs.dead": metric(100, 110, 90, 100), "dead.total": metric(100, 110, 90, 100), "jobs.succeeded": metric(10, 10, 10, 10),
			"retries.drained_at": metric(20, 21, 22, 23), "calls.total": metric(1, 2, 3, 4),
		}})
	}
	return r
}

// changed is a result in which policy a differs.
func changed(put map[string]result.Metric) *result.Result {
	r := saved()
	r.Digest = "d2"
	for key, m := range put {
		r.Cases[0].Policies[0].Metrics[key] = m
	}
	return r
}

func mustCompare(t *testing.T, before, after *result.Result) *result.Delta {
	t.Helper()
	d, err := Results(before, after)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func find(t *testing.T, d *result.Delta, policy, metric string) *result.DeltaRow {
	t.Helper()
	for i := range d.Rows {
		if d.Rows[i].Policy == policy && d.Rows[i].Metric == metric {
			return &d.Rows[i]
		}
	}
	t.Fatalf("no row of %s, %s", policy, metric)
	return nil
}

// Whatever keeps two results from sharing their draws, or their numbers from meaning the same, is named, all at once.
func TestMismatch(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(r *result.Result)
		want  string
	}{
		{"seed", func(r *result.Result) { r.Seed = 8 }, "seed: 7 and 8"},
		{"replications", func(r *result.Result) { r.Replications = 5 }, "replications: 4 and 5"},
		{"cases", func(r *result.Result) { r.Cases = append(r.Cases, r.Cases[0]) }, "number of cases: 1 and 2"},
		{"settings", func(r *result.Result) { r.Cases[0].Set = result.Settings{{Path: "seed", Value: "1"}} }, "settings: [] and [{seed 1}]"},
		{"cohorts", func(r *result.Result) { r.Cases[0].Cohorts = []string{"jobs", "more"} }, "cohorts: jobs and jobs, more"},
		{"policies", func(r *result.Result) { r.Cases[0].Policies = r.Cases[0].Policies[:1] }, "policies: a, b and a"},
		{"window", func(r *result.Result) { r.Cases[0].Window = result.Integer(2) }, "`metrics.window`: 1s and 2s"},
		{"bins", func(r *result.Result) {
			r.Scenario.Settings = append(r.Scenario.Settings, result.Setting{Path: "metrics.bin", Value: "5s"})
		}, "`metrics.bin`: auto and 5s"},
		{"two things", func(r *result.Result) { r.Seed, r.Replications = 8, 5 }, "seed: 7 and 8; replications: 4 and 5"},
		{"nothing", func(*result.Result) {}, ""},
		{"order of policies", func(r *result.Result) {
			p := r.Cases[0].Policies
			p[0], p[1] = p[1], p[0]
		}, ""},
		{"digest, version, file", func(r *result.Result) { r.Digest, r.Version, r.Scenario.File = "x", "y", "z" }, ""},
	} {
		r := saved()
		c.spoil(r)
		_, err := Results(saved(), r)
		if got := Mismatch(nil); err != nil && (!errors.As(err, &got) || got.Error() != c.want) || err == nil && c.want != "" {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestChanges(t *testing.T) {
	after := saved()
	after.Scenario.Settings = result.Settings{
		{Path: "policies.a.max_attempts", Value: "4"},
		{Path: "cohorts.jobs.count", Value: "10"},
		{Path: "policies.a.jitter", Value: "full"},
	}
	var got []string
	for _, c := range mustCompare(t, saved(), after).Changes {
		show := func(s *string) string {
			if s == nil {
				return "-"
			}
			return *s
		}
		got = append(got, c.Path+" "+show(c.Before)+" "+show(c.After))
	}
	want := "policies.a.max_attempts 3 4; policies.a.jitter - full; metrics.window 1s -"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("changes %s, want %s", s, want)
	}
	after.Scenario.Settings = nil
	if c := mustCompare(t, saved(), after).Changes; c == nil || len(c) != 0 {
		t.Errorf("changes %v of a result that does not say what was run", c)
	}
}

// Differences are taken replication by replication; rows come by policy, headlines first.
func TestRows(t *testing.T) {
	d := mustCompare(t, saved(), changed(map[string]result.Metric{
		"jobs.dead": metric(101, 111, 91, 101), "drain.time": metric(3, -1, 5, 6), "retries.drained_at": metric(20, -1, -1, 25),
	}))
	r := find(t, d, "a", "jobs.dead")
	if r.Diff.String() != "1" || r.P.String() != "0" || !r.Headline || r.Better != result.Lower || !r.Changed() || r.Label != "policy a" {
		t.Errorf("always one more: %+v, %+v", r, r.Difference)
	}
	if r := find(t, d, "b", "jobs.dead"); r.Changed() || r.Diff.String() != "0" {
		t.Errorf("the same: %+v, %+v", r, r.Difference)
	}
	if r := find(t, d, "a", "drain.time"); r.Before != nil || r.Difference != nil || r.Gained != 3 || r.Lost != 0 || !r.Changed() || r.Headline {
		t.Errorf("new values: %+v", r)
	}
	if r := find(t, d, "a", "retries.drained_at"); r.Lost != 2 || r.Pairs != 2 || r.Diff.String() != "1" {
		t.Errorf("lost values: %+v, %+v", r, r.Difference)
	}
	if r := find(t, d, "a", "jobs.succeeded"); r.Headline || r.Better != result.Higher {
		t.Errorf("a metric that is better high: %+v", r)
	}
	var order []string
	for _, r := range d.Rows[:6] {
		order = append(order, r.Metric)
	}
	if s := strings.Join(order, " "); s != "retries.peak jobs.dead retries.drained_at calls.total dead.total drain.time" {
		t.Errorf("order %s", s)
	}
}

// The herd is judged after the last outage: when that has moved, so has the metric's name, and its rows are compared still.
func TestMovedOutage(t *testing.T) {
	before, after := saved(), saved()
	before.Cases[0].Herd, after.Cases[0].Herd = "retries.peak(after=60s)", "retries.peak(after=90s)"
	for i := range 2 {
		before.Cases[0].Policies[i].Metrics["retries.peak(after=60s)"] = metric(5, 5, 5, 5)
		after.Cases[0].Policies[i].Metrics["retries.peak(after=90s)"] = metric(4, 4, 4, 4)
	}
	r := find(t, mustCompare(t, before, after), "b", "retries.peak(after=60s)")
	if r.Now != "retries.peak(after=90s)" || r.Diff.String() != "-1" {
		t.Errorf("%+v, %+v", r, r.Difference)
	}
}

func TestParseLimit(t *testing.T) {
	known := []string{"dead.total", "drain.time", "retries.peak(window=100ms, after=60s)", "latency.p99", "calls.per_job"}
	for _, c := range []struct{ text, want string }{
		{"dead.total > +5%", "{dead.total > +5% dead.total true true 1/20}"},
		{"dead.total>+10", "{dead.total>+10 dead.total true false 10}"},
		{"dead.total  <  -1.5", "{dead.total < -1.5 dead.total false false -3/2}"},
		{"dead.total > 0", "{dead.total > 0 dead.total true false 0}"},
		{"drain.time > +2s", "{drain.time > +2s drain.time true false 2}"},
		{"latency.p99 < -250ms", "{latency.p99 < -250ms latency.p99 false false -1/4}"},
		{"latency.p99 > 0", "{latency.p99 > 0 latency.p99 true false 0}"},
		{"retries.peak(window=100ms, after=60s) > +5/s", "{retries.peak(window=100ms, after=60s) > +5/s retries.peak(window=100ms, after=60s) true false 5}"},
		{"retries.peak(window=100ms, after=60s) > +5%", "{retries.peak(window=100ms, after=60s) > +5% retries.peak(window=100ms, after=60s) true true 1/20}"},
		{"calls.per_job > +0.1", "{calls.per_job > +0.1 calls.per_job true false 1/10}"},
		{"", "want a metric, `>` or `<`, and a change, e.g. 'dead.total > +5%'"},
		{"dead.total", "want a metric, `>` or `<`, and a change, e.g. 'dead.total > +5%'"},
		{"dead.totl > +5%", "the results have no metric `dead.totl`: did you mean `dead.total`?"},
		{"sunshine > +5%", "the results have no metric `sunshine`"},
		{"dead.total >= +5%", "write `>` or `<`: a limit is exceeded when the whole interval lies beyond it"},
		{"dead.total > 5%", "`5%` is no change: write it with its sign, e.g. `+5%`, `+10` or `-2s`"},
		{"dead.total > ", "`` is no change: write it with its sign, e.g. `+5%`, `+10` or `-2s`"},
		{"dead.total > +5s", "`5s` is not a number: write `0.02` or `2%`"},
		{"dead.total > +5/s", "`5/s` is not a number: write `0.02` or `2%`"},
		{"drain.time > +2", "duration `2` has no unit: write `2ms` or `2s`"},
		{"retries.peak(window=100ms, after=60s) > +5", "retries.peak(window=100ms, after=60s) is a rate: write a change as `5/s`"},
		{"dead.total > +", "`` is not a number: write `0.02` or `2%`"},
		{"dead.total > ++5", "`+5` is not a number: write `0.02` or `2%`"},
	} {
		l, err := ParseLimit(c.text, known)
		got := fmt.Sprintf("{%s %s %v %v ", l.text, l.metric, l.above, l.relative)
		if err != nil {
			got = err.Error()
		} else {
			got += l.amount.RatString() + "}"
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// A limit is exceeded by a whole interval or not at all.
func TestJudge(t *testing.T) {
	wide, narrow := metric(100, 140, 80, 120), metric(109, 121, 100, 110)
	for _, c := range []struct {
		limit string
		after result.Metric
		want  string // beyond, open, excess
	}{
		// differences 9, 11, 10, 10: 10 ± 1.3; of the value before: 4, 5.5, 5.5, 5 above 5 %
		{"dead.total > +5%", narrow, "true false 5"},
		{"dead.total > +10%", narrow, "false true 0"},
		{"dead.total > +9", narrow, "false true 1"},
		{"dead.total > +8", narrow, "true false 2"},
		{"dead.total > +12", narrow, "false false -2"},
		{"dead.total > 0", narrow, "true false 10"},
		{"dead.total < -5%", narrow, "false false -15"},
		{"dead.total > +5%", wide, "false true 5"},
		{"dead.total > 0", metric(100, 110, 90, 100), "false false 0"},
		{"dead.total < 0", metric(99, 109, 89, 99), "true false 1"},
		{"dead.total < -1", metric(99, 109, 89, 99), "false false 0"},
	} {
		d := mustCompare(t, saved(), changed(map[string]result.Metric{"dead.total": c.after}))
		l, err := ParseLimit(c.limit, Known(d))
		if err != nil {
			t.Fatal(err)
		}
		all := l.Judge(d)
		if len(all) != 2 || all[1].Beyond || all[1].Open || all[0].Policy != "a" || all[0].Limit != c.limit {
			t.Errorf("%s: %+v", c.limit, all)
		}
		if got := fmt.Sprintf("%v %v %s", all[0].Beyond, all[0].Open, all[0].Excess); got != c.want {
			t.Errorf("%s: %s %v, want %s", c.limit, got, all[0].CI95, c.want)
		}
		d.Limits = all
		if d.Failed() != all[0].Beyond {
			t.Errorf("%s: the comparison failed is %v", c.limit, d.Failed())
		}
	}
}

// Values that are lost are the worst change of all; where there never were any, there is nothing to judge.
func TestJudgeWithoutValues(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []int64
		want          string
	}{
		"lost in some":    {[]int64{1, 2, 3, 4}, []int64{1, -1, 3, -1}, "true false of the replications that had a value 2 have none"},
		"gained":          {[]int64{-1, -1, 3, 4}, []int64{1, 2, 3, 4}, "false false "},
		"one is left":     {[]int64{-1, -1, -1, 4}, []int64{1, 2, 3, 4}, "false true one replication has a value: there is no interval"},
		"none in common":  {[]int64{-1, -1, -1, 4}, []int64{1, 2, 3, -1}, "true false of the replications that had a value 1 have none"},
		"gained them all": {nil, []int64{1, 2, 3, 4}, "false false no replication has a value in both results"},
	} {
		before, after := saved(), saved()
		if c.before != nil {
			before.Cases[0].Policies[0].Metrics["drain.time"] = metric(c.before...)
		}
		after.Cases[0].Policies[0].Metrics["drain.time"] = metric(c.after...)
		d := mustCompare(t, before, after)
		l, err := ParseLimit("drain.time > +1s", Known(d))
		if err != nil {
			t.Fatal(err)
		}
		v := l.Judge(d)[0]
		if got := fmt.Sprintf("%v %v %s", v.Beyond, v.Open, v.Why); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
