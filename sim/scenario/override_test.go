package scenario

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"herdsim/sim/policy"
)

const small = `version: 1
cohorts: {herd: {count: 10}}
dependency: {outages: {main: {for: 60s}}}
policies:
  full: {delay: {exponential: {base: 1s}}, jitter: full, max_attempts: 4}
  ladder: {delay: {ladder: [1s, 2s]}, max_attempts: 4}
  bull: {preset: bullmq, options: {attempts: 3}, queue: preset}
  echo: {preset: echomq, options: {policy: {exponential: [1000, 60000]}}, queue: preset}
matrix:
  policies.full.max_attempts: [5, 6]
  cohorts.herd: [{count: 1}, {arrivals: {every: 1s}, count: 2}]
  policies.full.delay.exponential.base: [1s]
`

func number[T any](n T) *T { return &n }

func TestMatrix(t *testing.T) {
	f, list := Parse("small.yaml", []byte(small), Overrides{})
	if f == nil || len(f.Cases) != 4 {
		t.Fatalf("%+v\n%s", f, rendered(t, list))
	}
	for i, want := range []string{
		"[{policies.full.max_attempts 5} {cohorts.herd {count: 1}} {policies.full.delay.exponential.base 1s}] 5 1",
		"[{policies.full.max_attempts 5} {cohorts.herd {arrivals: {every: 1s}, count: 2}} {policies.full.delay.exponential.base 1s}] 5 2",
		"[{policies.full.max_attempts 6} {cohorts.herd {count: 1}} {policies.full.delay.exponential.base 1s}] 6 1",
		"[{policies.full.max_attempts 6} {cohorts.herd {arrivals: {every: 1s}, count: 2}} {policies.full.delay.exponential.base 1s}] 6 2",
	} {
		c := f.Cases[i]
		if got := fmt.Sprint(c.Set, c.Policies[0].Budget.Tries, " ", c.Base.Cohorts[0].Count); got != want {
			t.Errorf("case %d: %s\nwant    %s", i, got, want)
		}
	}
}

func TestOverrides(t *testing.T) {
	f, list := Parse("small.yaml", []byte(small), Overrides{
		Sets: []Setting{
			{"policies.full.max_attempts", "7"},
			{"policies.full.max_attempts", "unlimited"}, // the later one wins
			{"policies.ladder.delay.ladder.1", "3s"},
			{"policies.bull.options.attempts", "9"},
			{"policies.bull.options.backoff.type", "fixed"},
			{"policies.bull.options.backoff.delay", "500"},
			{"policies.echo.options.policy.exponential.0", "500"},
			{"queue.promote.every", "1s"},
			{"dependency.outages.main", "{at: 5s, for: 1m}"},
			{"matrix.cohorts.herd", "[{count: 3}]"},
			{"name", "renamed"},
		},
		Seed: number(uint64(9)), Replications: number(2), Policies: "[fb]ull", Also: []string{"retries.peak(after=outage.end)"},
	})
	if f == nil || len(list) > 0 {
		t.Fatal(rendered(t, list))
	}
	s := f.Cases[0].Scenario
	got := fmt.Sprint(f.Name, len(f.Cases), s.Seed, s.Base.Seed, s.Replications, s.Queue.Every, s.Outages, s.Base.Cohorts[0].Count, s.Metrics.Also)
	if want := "renamed1 9 9 2 1s [{main 5000000000 65000000000 []}] 3 [retries.peak(after=65s)]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(s.Policies) != 2 || s.Policies[0].Budget.Tries != policy.Unlimited || s.Policies[1].Budget.Tries != 9 {
		t.Errorf("policies: %+v", s.Policies)
	}
}

// TestWrongOverrides compares what is said about bad overrides with a golden.
func TestWrongOverrides(t *testing.T) {
	var b strings.Builder
	for _, o := range []Overrides{
		{Sets: []Setting{{"policies.full.max_attempts", "0"}}},
		{Sets: []Setting{{"policies.ful.max_attempts", "3"}, {"polices.full.max_attempts", "3"}}},
		{Sets: []Setting{{"policies.full.max_attempts", ""}}},
		{Sets: []Setting{{"policies.full.delay", "{fixed: 5"}}},
		{Sets: []Setting{{"policies.full.delay", "{fixed: *x}"}}},
		{Sets: []Setting{{"cohorts.herd.count", "4"}}},
		{Sets: []Setting{{"policies.echo.options.policy.exponential.2", "4"}}},
		{Sets: []Setting{{"policies.echo.options.policy.exponential.0.base", "4"}}},
		{Sets: []Setting{{"dependency.phases.brownout.at", "4s"}}},
		{Sets: []Setting{{"dependency.latency.base", "4s"}}},
		{Sets: []Setting{{"policies.new", "{max_attempts: 1}"}}},
		{Sets: []Setting{{"policies.full.jitter.ratio", "0.5"}}},
		{Sets: []Setting{{"policies.full.delay.fixed", "5s"}}},
		{Sets: []Setting{{"", "5s"}}},
		{Sets: []Setting{{"seed", "1\n---\n2"}}},
		{Sets: []Setting{{"matrix.policies.full.max_tries", "[1]"}}},
		{Replications: number(0)},
		{Replications: number(-3)},
		{Policies: "x*"},
		{Policies: "["},
		{Also: []string{"retries.peak(after=outage.mian.end)"}},
	} {
		f, list := Parse("small.yaml", []byte(small), o)
		if f != nil {
			t.Errorf("%+v was accepted", o)
		}
		fmt.Fprintf(&b, "## %+v %s %s\n%s\n", o.Sets, o.Policies, o.Also, rendered(t, list))
	}
	golden(t, "testdata/overrides.golden", b.String())
}

// A mistake on the command line does not hide those in the file.
func TestWrongEverywhere(t *testing.T) {
	_, list := Parse("f.yaml", []byte("version: 1\ncohorts: {h: {count: 0}}\npolicies: {p: {max_attempts: 1}}\n"), Overrides{
		Sets: []Setting{{"seeds", "1"}, {"policies.p.max_attempts", "x"}},
	})
	var places []string
	for _, d := range list {
		places = append(places, d.Pos.String())
	}
	if got := strings.Join(places, " "); got != "--set:1:1 f.yaml:2:22 --set:1:25" {
		t.Errorf("errors at %s", got)
	}
}

// With --set and --policy the names of what is shipped stay the same: the first case of the file is not changed by them.
func TestOverridesLeaveTheFileAlone(t *testing.T) {
	data, err := os.ReadFile("testdata/right/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := Parse("a", data, Overrides{Beside: files(traces)})
	set, _ := Parse("a", data, Overrides{Beside: files(traces), Sets: []Setting{{"seed", "5"}}})
	if plain.SHA256 != set.SHA256 || set.Cases[0].Seed != 5 || len(set.Cases[0].Set) > 0 {
		t.Errorf("%+v", set)
	}
}
