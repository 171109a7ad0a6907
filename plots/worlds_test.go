package plots

import (
	"strings"
	"testing"

	"herdsim/sim/result"
)

// A panel shades the outages of its own policy and holds its bars against its own capacity.
func TestAPolicyInAWorldOfItsOwn(t *testing.T) {
	r := newOutageHerd(3)
	c := &r.Cases[0]
	end := number("20")
	low := number("7")
	c.Policies[1].World = &result.World{Outages: []result.Outage{{Name: "main", Start: number("0"), End: &end}}, Capacity: &low}
	s, err := newScene(r, c)
	if err != nil {
		t.Fatal(err)
	}
	if own := s.worlds[1]; own.capacity != 7 || own.outages[0].to != 20 || s.worlds[0].capacity != 50 || s.worlds[0].outages[0].to != 60 {
		t.Errorf("worlds %+v", s.worlds[:2])
	}
	if said := strings.Join(s.workload(), "; "); !strings.Contains(said, "otherwise for "+s.labels[1]) {
		t.Errorf("the subtitle does not say that a policy is otherwise: %s", said)
	}
	sh, err := arrivals(s)
	if err != nil || len(sh.panels) != len(c.Policies) {
		t.Fatalf("%d panels, %v", len(sh.panels), err)
	}
	wrong := number("-1")
	c.Policies[1].World.Capacity = &wrong
	if _, err := newScene(r, c); err == nil || !strings.Contains(err.Error(), c.Policies[1].Name) {
		t.Errorf("a capacity of -1 is drawn: %v", err)
	}
}
