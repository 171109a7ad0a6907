package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

const small = `
version: 1
seed: 3
replications: 6
cohorts:
  herd: {count: 40}
  load: {arrivals: {poisson: 5/s}, for: 20s}
dependency:
  capacity: {rate: 10/s}
  error_rate: 5%
  outages: {main: {at: 2s, for: 8s}}
policies:
  fixed: {delay: {fixed: 1s}, max_attempts: 8}
  full: {delay: {exponential: {base: 1s, cap: 30s}}, jitter: full, max_attempts: 8}
`

func parse(t *testing.T, yaml string, sets ...scenario.Setting) *scenario.File {
	t.Helper()
	f, problems := scenario.Parse("small.yaml", []byte(yaml), scenario.Overrides{Sets: sets})
	if f == nil {
		t.Fatal(problems)
	}
	return f
}

func mustRun(t *testing.T, f *scenario.File, opt Options) *result.Result {
	t.Helper()
	r, err := Run(context.Background(), f, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCoresNeverShow(t *testing.T) {
	f := parse(t, small)
	want := encoded(t, mustRun(t, f, Options{Cores: 1}))
	for _, cores := range []int{0, 2, 7, 100} {
		done := 0
		got := encoded(t, mustRun(t, f, Options{Cores: cores, Progress: func(n, total int) {
			if done++; n != done || total != 12 {
				t.Errorf("progress %d of %d, want %d of 12", n, total, done)
			}
		}}))
		if got != want {
			t.Errorf("with %d cores the result differs", cores)
		}
	}
}

// Adding, removing or reordering policies, and asking for more metrics, changes no other row.
func TestRowsStandAlone(t *testing.T) {
	both := mustRun(t, parse(t, small), Options{})
	head, full, _ := strings.Cut(small, "  full:")
	swapped := strings.Replace(head, "  fixed:", "  full:"+full+"  fixed:", 1)
	other := mustRun(t, parse(t, swapped), Options{})
	alone := mustRun(t, parse(t, strings.Replace(small, "  fixed: {delay: {fixed: 1s}, max_attempts: 8}\n", "", 1)), Options{})
	want := encoded(t, both.Cases[0].Policies[1])
	for name, r := range map[string]*result.Result{"reordered": other, "alone": alone} {
		if got := encoded(t, r.Cases[0].Policies[0]); got != want {
			t.Errorf("%s: the row of full differs:\n%s\nwant\n%s", name, got, want)
		}
	}
	f, _ := scenario.Parse("small.yaml", []byte(small), scenario.Overrides{Also: []string{"calls.total(after=5s)"}})
	if more := mustRun(t, f, Options{}); more.Digest != both.Digest {
		t.Errorf("asking for a metric changes the digest from %.8s to %.8s", both.Digest, more.Digest)
	}
	if both.Digest == other.Digest {
		t.Error("another order of policies has the same digest")
	}
}

// Without failures every policy is the same.
func TestPoliciesAgreeWithoutFailures(t *testing.T) {
	calm := strings.NewReplacer("  capacity: {rate: 10/s}\n", "", "  error_rate: 5%\n", "", "  outages: {main: {at: 2s, for: 8s}}\n", "  latency: 10ms\n").Replace(small)
	p := mustRun(t, parse(t, calm), Options{}).Cases[0].Policies
	p[1].Name, p[1].Label = p[0].Name, p[0].Label
	if a, b := encoded(t, p[0]), encoded(t, p[1]); a != b {
		t.Errorf("the policies differ:\n%s\n%s", a, b)
	}
}

// Everything before the stop happens, and nothing at it; a run that waits for it measures the same as one that need not.
func TestStop(t *testing.T) {
	run := func(stop string, attempts int) *result.Result {
		return mustRun(t, parse(t, fmt.Sprintf(`
version: 1
%s
cohorts: {jobs: {count: 5, arrivals: {every: 1s}}}
dependency: {outages: {main: {}}}
policies: {p: {delay: {fixed: 2s}, max_attempts: %d}}
`, stop, attempts)), Options{})
	}
	for _, c := range []struct {
		stop                    string
		jobs, calls, unfinished string
	}{
		{"stop: {at: 1ns}", "1", "1", "1"},
		{"stop: {at: 2s}", "2", "2", "2"},
		{"stop: {at: 2.000000001s}", "3", "4", "3"},
		{"stop: {at: 3s, when: never}", "3", "4", "3"},
		{"stop: {at: PT10S, when: drained}", "5", "15", "0"},
		{"stop: {when: never}", "5", "15", "0"},
		{"", "5", "15", "0"},
	} {
		m := run(c.stop, 3).Cases[0].Policies[0].Metrics
		if jobs, calls, left := m["jobs.total"].Mean.String(), m["calls.total"].Mean.String(), m["jobs.unfinished"].Mean.String(); jobs != c.jobs || calls != c.calls || left != c.unfinished {
			t.Errorf("%q: %s jobs, %s calls, %s unfinished, want %s, %s, %s", c.stop, jobs, calls, left, c.jobs, c.calls, c.unfinished)
		}
	}
	drained, waited, early := run("", 3), run("stop: {at: 1h, when: never}", 3), run("stop: {at: 1h}", 3)
	if a, b := encoded(t, drained.Cases), encoded(t, waited.Cases); a != b {
		t.Errorf("a run that goes on to its stop measures\n%s\nwant\n%s", b, a)
	}
	if drained.Digest != early.Digest || drained.Digest == waited.Digest {
		t.Error("the digest must tell when a run ended, and nothing of a stop that it did not come to")
	}
}

// Scaling every duration by k scales every instant by k.
func TestScaling(t *testing.T) {
	yaml := func(ms int) string {
		return fmt.Sprintf(`
version: 1
cohorts: {herd: {count: 30, arrivals: {every: %[2]dms}}}
workers: {count: 3, service: %[2]dms}
queue: {promote: {every: %[4]dms}}
dependency: {outages: {main: {at: 0s, for: %[1]dms}}, fail_after: %[2]dms}
policies: {p: {delay: {exponential: {base: %[3]dms, factor: 3}}, max_attempts: 6}}
metrics: {bin: %[4]dms, window: %[4]dms}
`, 9000*ms, 70*ms, 300*ms, 1000*ms)
	}
	one := mustRun(t, parse(t, yaml(1)), Options{}).Cases[0].Policies[0].Metrics
	ten := mustRun(t, parse(t, yaml(10)), Options{}).Cases[0].Policies[0].Metrics
	for _, id := range []string{"success.last_at", "success.first_at", "drain.time", "latency.max", "retries.peak_at", "recovery.lag", "promotion.lag.max"} {
		if a, b := one[id].Mean.Float(), ten[id].Mean.Float(); a == 0 || math.Abs(b-10*a) > 1e-9*b {
			t.Errorf("%s is %g, and %g with every duration ten times as long", id, a, b)
		}
	}
	if a, b := one["retries.peak"].Mean.Float(), ten["retries.peak"].Mean.Float(); math.Abs(a-10*b) > 1e-5*a { // six digits
		t.Errorf("peaks are %s and %s", one["retries.peak"].Mean, ten["retries.peak"].Mean)
	}
}

// A longer outage never has fewer dead, a bigger budget never more, when nothing else limits.
func TestMonotone(t *testing.T) {
	open := strings.NewReplacer("  capacity: {rate: 10/s}\n", "", "  error_rate: 5%\n", "").Replace(small)
	last := map[string]float64{}
	for _, long := range []string{"1s", "5s", "8s", "20s", "60s"} {
		for _, p := range mustRun(t, parse(t, open, scenario.Setting{Path: "dependency.outages.main.for", Value: long}), Options{}).Cases[0].Policies {
			dead := p.Metrics["jobs.dead"].Mean.Float()
			if dead < last[p.Name] {
				t.Errorf("%s: %g dead with %s of outage, %g with less", p.Name, dead, long, last[p.Name])
			}
			last[p.Name] = dead
		}
	}
	for _, tries := range []string{"8", "9", "12", "30"} {
		r := mustRun(t, parse(t, open, scenario.Setting{Path: "dependency.outages.main.for", Value: "60s"}, scenario.Setting{Path: "policies.full.max_attempts", Value: tries}), Options{})
		if dead := r.Cases[0].Policies[1].Metrics["jobs.dead"].Mean.Float(); dead > last["full"] {
			t.Errorf("%g dead with %s attempts, %g with fewer", dead, tries, last["full"])
		} else {
			last["full"] = dead
		}
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		sets  []scenario.Setting
		opt   Options
		check func(error) bool
	}{
		"events":     {opt: Options{MaxEvents: 50, Cores: 2}, check: func(err error) bool { return errors.As(err, new(*engine.LimitError)) }},
		"zero delay": {sets: []scenario.Setting{{Path: "policies.fixed.delay.fixed", Value: "0s"}, {Path: "policies.fixed.max_attempts", Value: "unlimited"}}, check: func(err error) bool { return errors.As(err, new(*engine.ZeroDelayError)) }},
		"bins":       {sets: []scenario.Setting{{Path: "metrics.bin", Value: "10us"}}, check: func(err error) bool { return errors.As(err, new(*metrics.BinError)) }},
		"memory":     {sets: []scenario.Setting{{Path: "replications", Value: "100000"}}, check: func(err error) bool { return errors.As(err, new(*MemoryError)) }},
		"letters": {
			sets: []scenario.Setting{{Path: "replications", Value: "10000"}, {Path: "cohorts", Value: "{herd: {count: 100000}}"}},
			opt:  Options{Letters: func(result.Letters) {}},
			check: func(err error) bool {
				return errors.As(err, new(*MemoryError)) && strings.Contains(err.Error(), "--dead-letters")
			},
		},
	} {
		_, err := Run(context.Background(), parse(t, small, c.sets...), c.opt)
		if !c.check(err) {
			t.Errorf("%s: %v", name, err)
		}
		var unit *RunError
		if name != "memory" && name != "letters" && (!errors.As(err, &unit) || unit.Policy != "fixed" || unit.Replication != 0) {
			t.Errorf("%s: the error is not that of the first run: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, parse(t, small), Options{Cores: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestPanicsReachTheCaller(t *testing.T) {
	f := parse(t, small)
	f.Cases[0].Scenario.Policies[0].Policy = nil // asked for a wait, it panics on a goroutine
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, "nil pointer") || !strings.Contains(v, "retry") {
			t.Errorf("recovered %q, want the panic and its stack", v)
		}
	}()
	_, err := Run(context.Background(), f, Options{Cores: 2})
	t.Errorf("returned (%v) instead of panicking", err)
}

func TestNoSeries(t *testing.T) {
	f := parse(t, small)
	with, without := mustRun(t, f, Options{}), mustRun(t, f, Options{NoSeries: true})
	if with.Cases[0].Policies[0].Series == nil || without.Cases[0].Policies[0].Series != nil {
		t.Error("series are there when they should not, or not when they should")
	}
	if with.Digest != without.Digest {
		t.Error("leaving the series out changes the digest")
	}
	for i := range with.Cases[0].Policies {
		with.Cases[0].Policies[i].Series = nil
	}
	if !bytes.Equal([]byte(encoded(t, with)), []byte(encoded(t, without))) {
		t.Error("leaving the series out changes more than that")
	}
}

// A call that ends before the next due retry is found also when both lie far ahead: it was once overlooked, and its success
// lost when the stop came in between.
func TestCallsFarAhead(t *testing.T) {
	const yaml = `
version: 1
seed: 44
cohorts: {a: {count: 2, arrivals: {spread: 1h}}}
queue: {promote: {every: 7m}}
workers: {service: 20m}
dependency: {error_rate: 50%}
policies: {p: {delay: {fixed: 50m}, jitter: full, max_attempts: 6}}
`
	whole := mustRun(t, parse(t, yaml), Options{}).Cases[0].Policies[0].Metrics
	cut := mustRun(t, parse(t, yaml, scenario.Setting{Path: "stop.at", Value: "5000s"}), Options{}).Cases[0].Policies[0].Metrics
	for _, c := range []struct {
		of         map[string]result.Metric
		id, expect string
	}{
		{whole, "jobs.succeeded", "2"},
		{whole, "success.first_at", "4980"},
		{cut, "jobs.succeeded", "1"},
		{cut, "jobs.unfinished", "1"},
		{cut, "success.last_at", "4980"},
	} {
		if got := c.of[c.id].Mean.String(); got != c.expect {
			t.Errorf("%s is %s, want %s", c.id, got, c.expect)
		}
	}
}

// The capacity of a result is the rate as written, exactly, however large its count is.
func TestCapacity(t *testing.T) {
	for rate, want := range map[string]string{
		"50/s": "50", "600/m": "10", "2/100ms": "20", "1/h": "0.000277778", "0/s": "0", "1000000000/s": "1000000000",
		"9223372037/10s": "922337203.7",
		"4611686018427387904/4611686018427387904ns": "1000000000",
	} {
		c := mustRun(t, parse(t, small, scenario.Setting{Path: "dependency.capacity.rate", Value: rate}), Options{}).Cases[0].Capacity
		if c == nil || c.String() != want {
			t.Errorf("%s: capacity_per_s is %v, want %s", rate, c, want)
		}
	}
}
