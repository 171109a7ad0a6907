package report

import (
	"strings"
	"testing"

	"herdsim/sim/result"
)

// A policy that meets another dependency has its own bar, its own marks above its own capacity, and is named in the head.
func TestAPolicyInAWorldOfItsOwn(t *testing.T) {
	c := oneCase(1, herd{name: "same", size: 100, waves: 9, period: 10}, herd{name: "own", size: 100, waves: 9, period: 10}, herd{name: "free", size: 100, waves: 9, period: 10})
	c.Policies[1].World = &result.World{Outages: []result.Outage{{Name: "outage", Start: result.Integer(0), End: number(20)}}, Capacity: number(1000)}
	c.Policies[2].World = &result.World{Capacity: number(50)}
	var b strings.Builder
	if err := Text(&b, newResult(1, c), TextOptions{Width: 100}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"otherwise for own, free", "2.0×", "0.1×", "never down"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "╴"); n != 2 {
		t.Errorf("%d bars of outages, want 2:\n%s", n, text)
	}
}
