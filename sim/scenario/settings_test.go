package scenario

import (
	"regexp"
	"strings"
	"testing"
)

// A file keeps what was written and set, so that two results can tell what changed between them.
func TestSettings(t *testing.T) {
	const text = `
version: 1
name: told-apart
description: nothing of this
x-repeated: &later {max_attempts: 7}
seed: 3
replications: 2
cohorts: {jobs: {count: 10}}
dependency: {outages: {main: {for: 1s}}}
policies:
  long: {delay: {ladder: [LONG]}, max_attempts: 3}
  a: {delay: {ladder: [1s, "2s"]}, max_attempts: 3}
  b: {delay: {fixed: 1s}, max_attempts: 4, label: "x: y"}
matrix: {policies.b.max_attempts: [2, 3]}
checks: [jobs.dead <= 1]
`
	f, list := Parse("x.yaml", []byte(strings.Replace(text, "LONG", strings.Repeat("1s, ", 254)+"1s", 1)),
		Overrides{Sets: []Setting{{"policies.a.max_attempts", "5"}, {"dependency.capacity", "{rate: 9/s}"}}})
	if f == nil {
		t.Fatal(list)
	}
	var lines []string
	for _, s := range f.Settings {
		lines = append(lines, s.Path+"="+s.Value)
	}
	const want = `cohorts.jobs.count=10
dependency.outages.main.for=1s
dependency.capacity.rate=9/s
policies.long.delay.ladder=LONG
policies.long.max_attempts=3
policies.a.delay.ladder=[1s, "2s"]
policies.a.max_attempts=5
policies.b.delay.fixed=1s
policies.b.max_attempts=4
policies.b.label="x: y"`
	if got := regexp.MustCompile("sha256:[0-9a-f]{64}").ReplaceAllString(strings.Join(lines, "\n"), "LONG"); got != want {
		t.Errorf("settings:\n%s\nwant:\n%s", got, want)
	}
}
