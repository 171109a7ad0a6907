package advice

import (
	"strings"
	"testing"

	"herdsim/sim/scenario"
)

func TestTurned(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"policies.p.max_attempts", "5", "6 7 9 14"},
		{"policies.p.max_retries", "unlimited", ""},
		{"policies.p.options.attempts", "1", "2 3 5 6"},
		{"policies.p.jitter", "full", "equal"},
		{"policies.p.jitter", "{add: [0s, 1s]}", "equal full"},
		{"policies.p.retry_after", "clamp", "honour ignore"},
		{"policies.p.delay.exponential.base", "1s", "2s 4s 500ms 8s"},
		{"policies.p.delay.fixed", "0s", ""},
		{"policies.p.delay.exponential.cap", "1h", "30m 2h 15m 225s 56.25s"},
		{"policies.p.max_elapsed", "100000000h", ""},
		{"queue.promote.every", "1s", "0s 500ms 250ms"},
		{"queue.promote.batch", "100", "200 400 1000"},
		{"queue.promote.drain", "false", "true"},
	} {
		if got := strings.Join(turned(scenario.Knob{Path: c.path, Value: c.value}), " "); got != c.want {
			t.Errorf("%s: %s is turned to %q, want %q", c.path, c.value, got, c.want)
		}
	}
}

// parsed returns the scenario of a text, with one thing more set if a setting is given.
func parsed(t *testing.T, text string, sets ...scenario.Setting) *scenario.File {
	t.Helper()
	f, list := scenario.Parse("x.yaml", []byte(text), scenario.Overrides{Sets: sets})
	if f == nil {
		t.Fatal(list)
	}
	return f
}

const several = `
version: 1
cohorts: {herd: {count: 10}}
queue: {promote: {every: 1s, batch: 5}}
policies:
  a: {delay: {exponential: {base: 1s, cap: 8s}}, max_attempts: 3}
  b: {preset: bullmq, options: {attempts: 3, backoff: 1000}, queue: preset}
  c: {delay: {decorrelated: {base: 1s, cap: 8s}}, max_retries: 2}
  d: {preset: echomq}
matrix:
  policies.c.max_retries: [2, 3]
checks:
  - jobs.dead <= 1
  - policy.a.jobs.dead <= policy.c.jobs.dead
  - {expect: jobs.dead <= 2, policies: [b]}
`

// One step of every knob comes before the second of any; what the matrix turns is left alone, and so is a queue that a policy
// does not use.
func TestChanges(t *testing.T) {
	f := parsed(t, several)
	for name, want := range map[string]string{
		"a": "max_attempts=4 delay.exponential.base=2s delay.exponential.cap=4s jitter=equal queue.promote.every=0s queue.promote.batch=10 queue.promote.drain=true max_attempts=5",
		"b": "jitter=equal options.attempts=4 jitter=full options.attempts=5",
		"c": "delay.decorrelated.base=2s delay.decorrelated.cap=4s jitter=equal",
		"d": "jitter=equal queue.promote.every=0s",
	} {
		var got []string
		for _, s := range changes(&f.Cases[0].Scenario, name, func(string) int { return 0 }) {
			got = append(got, strings.TrimPrefix(s.Path, "policies."+name+".")+"="+s.Value)
		}
		if text := strings.Join(got, " "); !strings.HasPrefix(text, want) {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
}

// Of a changed policy, those are run again that a check compares it with.
func TestTouched(t *testing.T) {
	f := parsed(t, several)
	for _, c := range []struct{ path, policy, policies, checks string }{
		{"policies.a.jitter", "a", "a c", "check-1:a check-1:c check-2:a"},
		{"policies.b.jitter", "b", "b", "check-1:b check-3:b"},
		{"queue.promote.every", "a", "a b c d", "check-1:a check-1:b check-1:c check-1:d check-2:a check-3:b"},
	} {
		k := touched(f, scenario.Setting{Path: c.path}, c.policy).Cases[0]
		var policies, checks []string
		for _, p := range k.Policies {
			policies = append(policies, p.Name)
		}
		for _, check := range k.Checks {
			for _, p := range check.Policies {
				checks = append(checks, check.Name+":"+p)
			}
		}
		if got := strings.Join(policies, " "); got != c.policies {
			t.Errorf("%s: policies %s, want %s", c.path, got, c.policies)
		}
		if got := strings.Join(checks, " "); got != c.checks {
			t.Errorf("%s: checks %s, want %s", c.path, got, c.checks)
		}
	}
	if len(f.Cases[0].Policies) != 4 || len(f.Cases[0].Checks[0].Policies) != 4 {
		t.Error("the file itself was changed")
	}
}

func TestThree(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1234.4: "1234", 99.96: "100", 0.12345: "0.123", 41: "41", 2.5: "2.5", 1e-7: "1e-07"} {
		if got := three(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
}
