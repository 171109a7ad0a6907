package experiment

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// Arrivals of 40/s on top of a herd against a capacity of 50/s: stopped early, the herd is still being worked off; later it is
// gone. Against 30/s it never will be.
func TestRecovery(t *testing.T) {
	const yaml = `
version: 1
replications: 2
stop: {at: %s, when: never}
cohorts:
  herd: {count: 1000}
  load: {arrivals: {constant: 40/s}}
dependency:
  capacity: {rate: %s}
policies:
  patient: {delay: {fixed: 2s}, jitter: full, max_attempts: unlimited}
`
	for _, c := range []struct{ stop, capacity, want string }{
		{"60s", "50/s", "recovering"},
		{"300s", "50/s", "recovered"},
		{"300s", "30/s", "stuck"},
	} {
		f, problems := scenario.Parse("recovery.yaml", fmt.Appendf(nil, yaml, c.stop, c.capacity), scenario.Overrides{})
		if f == nil {
			t.Fatal(problems)
		}
		r, err := Run(context.Background(), f, Options{NoSeries: true})
		if err != nil {
			t.Fatal(err)
		}
		want := result.NewRecovery([]string{c.want, c.want})
		if got := r.Cases[0].Policies[0].Recovery; !reflect.DeepEqual(got, want) {
			t.Errorf("capacity %s until %s: %+v, want %+v", c.capacity, c.stop, got, want)
		}
	}
}
