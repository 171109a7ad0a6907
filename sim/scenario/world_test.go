package scenario

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"herdsim/sim/diag"
)

const worldly0 = `
version: 1
cohorts: {a: {count: 1}, b: {count: 2, priority: 1}}
queue: {order: priority, promote: {every: 2s, batch: 5}, resolution: 1ms}
workers: {count: 5, service: 1s, crashes: {one: {at: 1s, workers: 1, for: 1s}, two: {at: 9s, workers: 2, for: 3s}}}
dependency:
  capacity: {rate: 50/s, burst: 7}
  error_rate: 0.1
  latency: {base: 1s, per_call: 1ms}
  outages: {main: {for: 60s}, late: {at: 5m, for: 10s, every: 1m, times: 2}}
  phases: {slow: {at: 1m, for: 1m, latency: 5s, capacity: {concurrency: 3}}}
dead_letter: {max: 10, replay: {at: 100s, rate: 5/s}}
policies:
  p: {delay: {fixed: 1s}, max_attempts: 3, %s}
`

// A policy that overrides a field lives in the world of a document that says so at the same path, and the others in their own.
func TestOverridesAreAsIfTheDocumentSaidSo(t *testing.T) {
	for _, c := range []struct{ path, value string }{
		{"queue.order", "lifo"},
		{"queue.promote.every", "0s"},
		{"queue.promote.every", "{uniform: [1s, 3s]}"},
		{"queue.promote.batch", "9"},
		{"queue.visibility", "30s"},
		{"workers.count", "50"},
		{"workers.service", "{exponential: {mean: 3s}}"},
		{"workers.timeout", "3s"},
		{"workers.crashes.two.workers", "5"},
		{"dependency.error_rate", "0"},
		{"dependency.latency", "2s"},
		{"dependency.capacity.rate", "5/s"},
		{"dependency.capacity.burst", "1"},
		{"dependency.capacity", "{servers: 3, service: 1s}"},
		{"dependency.capacity", "{concurrency: 3}"},
		{"dependency.outages.main.for", "30s"},
		{"dependency.outages.main.cohorts", "[b]"},
		{"dependency.outages.late.times", "5"},
		{"dependency.phases.slow.latency", "1s"},
		{"dependency.phases.slow.capacity", "{rate: 1/s}"},
		{"dead_letter.max", "3"},
		{"dead_letter.replay.at", "200s"},
		{"dead_letter.replay.reset_attempts", "false"},
	} {
		plain := fmt.Sprintf(worldly0, "label: x")
		want, list := Parse("f.yaml", []byte(plain), Overrides{Sets: []Setting{{c.path, c.value}}})
		if want == nil {
			t.Fatalf("%s: %s", c.path, rendered(t, list))
		}
		parts := strings.Split(c.path, ".")
		flow := strings.Join(parts, ": {") + ": " + c.value + strings.Repeat("}", len(parts)-1)
		written, list := Parse("f.yaml", []byte(fmt.Sprintf(worldly0, flow)), Overrides{})
		if written == nil {
			t.Fatalf("%s: %s", flow, rendered(t, list))
		}
		set, list := Parse("f.yaml", []byte(plain), Overrides{Sets: []Setting{{"policies.p." + c.path, c.value}}})
		if set == nil {
			t.Fatalf("--set policies.p.%s: %s", c.path, rendered(t, list))
		}
		base, _ := Parse("f.yaml", []byte(plain), Overrides{})
		for how, got := range map[string]*File{"written": written, "set": set} {
			s := &got.Cases[0].Scenario
			if !reflect.DeepEqual(*s.For(&s.Policies[0]), want.Cases[0].World) {
				t.Errorf("%s %s: %+v\nwant %+v", flow, how, *s.For(&s.Policies[0]), want.Cases[0].World)
			}
			if !reflect.DeepEqual(s.World, base.Cases[0].World) {
				t.Errorf("%s %s changes the document's own world: %+v", flow, how, s.World)
			}
		}
	}
}

// What a policy adds by name stands beside what the document has.
func TestOverridesAdd(t *testing.T) {
	f, list := Parse("f.yaml", []byte(fmt.Sprintf(worldly0, "dependency: {outages: {extra: {at: 10m, for: 1s}}}, workers: {crashes: {three: {at: 20s, workers: 1, for: 1s}}}")), Overrides{})
	if f == nil {
		t.Fatal(rendered(t, list))
	}
	s := &f.Cases[0].Scenario
	w := s.For(&s.Policies[0])
	var names []string
	for _, o := range w.Outages {
		names = append(names, o.Name)
	}
	if got := strings.Join(names, " "); got != "main late#1 late#2 extra" || len(w.Workers.Crashes) != 3 || len(s.Outages) != 3 {
		t.Errorf("outages %s, %d crashes; the document has %d outages", got, len(w.Workers.Crashes), len(s.Outages))
	}
}

// A check reads the capacity of the policy that it judges.
func TestCapacityOfACheckIsThePolicys(t *testing.T) {
	const text = `
version: 1
cohorts: {a: {count: 1}}
dependency: {capacity: {rate: 50/s}}
policies:
  shared: {max_attempts: 1}
  own: {max_attempts: 1, dependency: {capacity: {rate: 20/s}}}
  free: {max_attempts: 1, dependency: {capacity: {concurrency: 3}}}
checks:
  - {expect: calls.peak <= dependency.capacity, policies: [%s]}
`
	f, list := Parse("f.yaml", []byte(fmt.Sprintf(text, "shared, own")), Overrides{})
	if f == nil {
		t.Fatal(rendered(t, list))
	}
	c := &f.Cases[0].Checks[0]
	if c.For("shared") == c.For("own") {
		t.Error("one expression for two capacities")
	}
	if f, list := Parse("f.yaml", []byte(fmt.Sprintf(text, "shared, free")), Overrides{}); f != nil || !strings.Contains(rendered(t, list), "no capacity that is a rate") {
		t.Errorf("a capacity that is no rate is read: %s", rendered(t, list))
	}
}

// A document is read again for every policy that overrides something large: that is bounded, and told once.
func TestOverridesAreBounded(t *testing.T) {
	policies := func(n int, override string) string {
		var b strings.Builder
		b.WriteString("policies:\n")
		for i := range n {
			fmt.Fprintf(&b, "  p%d: {max_attempts: 1, %s}\n", i, override)
		}
		return b.String()
	}
	const head = "version: 1\ncohorts: {a: {count: 1}}\n"
	cycle := "workers: {service: {cycle: [" + strings.Repeat("1s, ", 4000) + "1s]}}\n"
	flutter := "dependency: {outages: {f: {for: 1ns, every: 1ns, times: 1000}}}\n"
	for text, want := range map[string]string{
		head + cycle + policies(100, "workers: {timeout: 5s}"):                                        "",
		head + cycle + policies(200, "workers: {timeout: 5s}"):                                        "policies override",
		head + cycle + "matrix: {seed2: [1]}\n" + policies(100, "workers: {timeout: 5s}"):             "names nothing",
		head + cycle + "matrix: {workers.timeout: [1s, 2s]}\n" + policies(100, "workers: {count: 1}"): "in 2 cases",
		head + flutter + policies(200, "dependency: {error_rate: 1}"):                                 "come more than 100000 times",
	} {
		f, list := Parse("f.yaml", []byte(text), Overrides{})
		if got := rendered(t, list); (f == nil) != (want != "") || !strings.Contains(got, want) || list.Count(diag.Error) > 1 {
			t.Errorf("want %q, got %.300s", want, got)
		}
	}
}
