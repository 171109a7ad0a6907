package experiment

import (
	"fmt"
	"strings"
	"testing"

	"herdsim/sim/scenario"
)

// busy is a scenario in which jobs queue up for workers, fail and come back.
const busy = `
version: 1
replications: 3
cohorts:
  herd: {count: 40, priority: 0}
  load: {arrivals: {every: 250ms}, for: 20s}
queue: {order: priority}
workers: {count: 5, service: 900ms}
dependency: {error_rate: 20%, fail_after: 300ms, outages: {main: {at: 2s, for: 3s}}}
policies:
  fixed: {delay: {fixed: 2s}, max_attempts: 4}
  full: {delay: {exponential: {base: 1s}}, jitter: full, max_attempts: 9}
metrics: {also: [fresh.wait.mean, drain.time]}
`

func sets(pairs ...string) []scenario.Setting {
	var list []scenario.Setting
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, scenario.Setting{Path: pairs[i], Value: pairs[i+1]})
	}
	return list
}

// Ways to say the same thing give the same integers.
func TestSameThing(t *testing.T) {
	for _, c := range []struct {
		name     string
		one, two []scenario.Setting
	}{
		{"equal priorities are first in, first out", nil, sets("queue.order", "fifo")},
		{"no limit of workers leaves no choice: by job number", sets("workers", "{service: 900ms}"), sets("workers", "{service: 900ms}", "queue.order", "oldest")},
		{"no limit of workers leaves no choice: at the head", sets("workers", "{service: 900ms}"), sets("workers", "{service: 900ms}", "queue.retries", "head")},
		{"no limit of workers leaves no choice: after fresh jobs", sets("workers", "{service: 900ms}"), sets("workers", "{service: 900ms}", "queue.retries", "after_fresh")},
		{"every job at the head", sets("queue.order", "lifo"), sets("queue.order", "lifo", "queue.retries", "head")},
		{"a uniform span between equal ends", nil, sets("workers.service", "{uniform: [900ms, 900ms]}")},
		{"a cycle of one", nil, sets("workers.service", "{cycle: [900ms]}")},
		{"a lognormal span without spread", nil, sets("workers.service", "{lognormal: {p50: 900ms, p99: 900ms}}")},
		{"each cohort's own service", nil, sets("workers.service", "1h", "cohorts.herd.service", "900ms", "cohorts.load.service", "900ms")},
		{"a list of instants", nil, sets("cohorts.load", "{arrivals: {csv: load.csv}}")},
		{"a list that is cut off", nil, sets("cohorts.load", "{arrivals: {csv: long.csv}, count: 80}")},
		{"a list that ends", nil, sets("cohorts.load", "{arrivals: {csv: long.csv}, for: 20s}")},
	} {
		one, two := mustRun(t, parseBeside(t, c.one), Options{}), mustRun(t, parseBeside(t, c.two), Options{})
		if one.Digest != two.Digest {
			t.Errorf("%s: digests %.8s and %.8s", c.name, one.Digest, two.Digest)
		}
	}
	if plain, other := mustRun(t, parseBeside(t, nil), Options{}), mustRun(t, parseBeside(t, sets("queue.retries", "after_fresh")), Options{}); plain.Digest == other.Digest {
		t.Error("where retries join changes nothing although jobs queue up for workers")
	}
}

// parseBeside reads busy with the lists that the tests name: the instants of its cohort load, and more than those.
func parseBeside(t *testing.T, list []scenario.Setting) *scenario.File {
	t.Helper()
	f, problems := scenario.Parse("busy.yaml", []byte(busy), scenario.Overrides{Sets: list, Beside: func(name string) ([]byte, error) {
		lines := map[string]int{"load.csv": 80, "long.csv": 97}[name]
		var b strings.Builder
		for k := range lines {
			fmt.Fprintf(&b, "%d.%02d\n", k/4, 25*(k%4))
		}
		return []byte(b.String()), nil
	}})
	if f == nil {
		t.Fatal(problems)
	}
	return f
}

// When every cohort has one policy of its own, all rows are the row of that policy.
func TestOwnPolicyDecidesAlone(t *testing.T) {
	plain := mustRun(t, parse(t, busy), Options{}).Cases[0].Policies
	own := mustRun(t, parse(t, busy, sets("cohorts.herd.policy", "full", "cohorts.load.policy", "full")...), Options{}).Cases[0].Policies
	for _, p := range own {
		p.Name, p.Label = plain[1].Name, plain[1].Label
		if got, want := encoded(t, p), encoded(t, plain[1]); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// A first run that is delayed is a later arrival, but for the time since the arrival.
func TestDelayIsALaterArrival(t *testing.T) {
	untied := sets("cohorts.load.arrivals.every", "251ms") // within an instant arrivals come before promotions
	delayed := mustRun(t, parse(t, busy, append(untied, sets("cohorts.load.delay", "7013100us")...)...), Options{}).Cases[0].Policies
	later := mustRun(t, parse(t, busy, append(untied, sets("cohorts.load.at", "7013100us")...)...), Options{}).Cases[0].Policies
	for i := range later {
		for _, id := range []string{"calls.total", "calls.first", "retries.peak", "retries.peak_at", "success.last_at", "dead.last_at", "attempts.mean", "pending.peak", "fresh.wait.mean", "drain.time"} {
			if a, b := delayed[i].Metrics[id], later[i].Metrics[id]; encoded(t, a) != encoded(t, b) {
				t.Errorf("%s: %s is %s delayed and %s later", later[i].Name, id, a.Mean, b.Mean)
			}
		}
	}
	if a, b := delayed[0].Metrics["latency.max"].Mean.Float(), later[0].Metrics["latency.max"].Mean.Float(); a <= b {
		t.Errorf("the longest latency is %g s delayed and %g s later", a, b)
	}
}

// While all jobs take the same time, no order makes the workers idle or the jobs wait less in total.
func TestOrderConservesWork(t *testing.T) {
	calm := sets("dependency", "{latency: 0s}", "cohorts.herd.priority", "3")
	want := mustRun(t, parse(t, busy, calm...), Options{}).Cases[0].Policies[0].Metrics
	for _, order := range []string{"fifo", "lifo", "oldest"} {
		got := mustRun(t, parse(t, busy, append(calm, sets("queue.order", order)...)...), Options{}).Cases[0].Policies[0].Metrics
		for _, id := range []string{"drain.time", "fresh.wait.mean", "latency.mean", "pending.peak"} {
			if encoded(t, got[id]) != encoded(t, want[id]) {
				t.Errorf("%s: %s is %s, by priority %s", order, id, got[id].Mean, want[id].Mean)
			}
		}
		if order == "fifo" && encoded(t, got["fresh.wait.max"]) == encoded(t, want["fresh.wait.max"]) {
			t.Errorf("%s: the longest wait is %s, as by priority", order, got["fresh.wait.max"].Mean)
		}
	}
}

// More workers never finish later when nothing fails.
func TestMoreWorkersAreNoSlower(t *testing.T) {
	last := 1e9
	for _, n := range []string{"1", "2", "3", "5", "8", "100"} {
		set := sets("dependency", "{latency: 0s}", "workers.service", "{lognormal: {p50: 900ms, p99: 9s}}", "workers.count", n)
		end := mustRun(t, parse(t, busy, set...), Options{}).Cases[0].Policies[0].Metrics["drain.time"].Max.Float()
		if end > last {
			t.Errorf("%s workers are done at %g s, fewer at %g s", n, end, last)
		}
		last = end
	}
}
