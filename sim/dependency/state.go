package dependency

import (
	"cmp"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// A state is how a service that is up answers.
type state struct {
	limit     *limit // nil for no limit
	perCall   time.Duration
	stalled   bool
	tells     bool
	capacity  Capacity
	errorRate rng.Probability
	took      [Causes]time.Duration // a refused call takes none
}

func (s *state) setLatency(d time.Duration) { s.took[NoCause] = d }

func (s *state) setFailAfter(d time.Duration) {
	s.took[Outage], s.took[Poison], s.took[Errored] = d, d, d
}

// A phase is a Phase at work.
type phase struct {
	*Phase
	limit *limit
	ahead track
}

// change puts what the phase says in the place of what was there.
func (p *phase) change(s *state) {
	if p.Capacity != nil {
		s.limit, s.capacity = p.limit, p.Capacity
	}
	if p.ErrorRate != nil {
		s.errorRate = *p.ErrorRate
	}
	if p.Latency != nil {
		s.setLatency(*p.Latency)
	}
	if p.PerCall != nil {
		s.perCall = *p.PerCall
	}
	if p.Stall != nil {
		s.stalled = *p.Stall
	}
	if p.Tells != nil {
		s.tells = *p.Tells
	}
	if p.FailAfter != nil {
		s.setFailAfter(*p.FailAfter)
	}
}

// turn brings the service to the state that is in force at now.
func (s *Service) turn(now clock.Time) {
	down, until := s.outages.at(now)
	s.changeAt, s.downUntil = until, 0
	s.state = s.base
	for i := range s.phases {
		p := &s.phases[i]
		inForce, until := p.ahead.at(now)
		s.changeAt = min(s.changeAt, until)
		if inForce {
			p.change(&s.state)
		}
	}
	if down {
		s.downUntil = s.changeAt
	}
}

// A track is a list of windows in order, none overlapping another, of which those that have passed are dropped.
type track []Window

// at tells whether now lies in a window, and until when it is so.
func (t *track) at(now clock.Time) (inside bool, until clock.Time) {
	for len(*t) > 0 && now >= (*t)[0].To {
		*t = (*t)[1:]
	}
	switch {
	case len(*t) == 0:
		return false, clock.End
	case now < (*t)[0].From:
		return false, (*t)[0].From
	}
	return true, (*t)[0].To
}

// disjoint returns the union of windows as disjoint ones in order.
func disjoint(windows []Window) []Window {
	sorted := slices.SortedFunc(slices.Values(windows), func(a, b Window) int { return cmp.Compare(a.From, b.From) })
	var union []Window
	for _, w := range sorted {
		if n := len(union); n > 0 && w.From <= union[n-1].To {
			union[n-1].To = max(union[n-1].To, w.To)
		} else if w.From < w.To {
			union = append(union, w)
		}
	}
	return union
}

// A Step says which capacity is in force from an instant on; nil for none.
type Step struct {
	From     clock.Time
	Capacity Capacity
}

// Capacities returns the capacity in force over time for those whom no phase of some cohorts concerns: the first step is at 0,
// each of the others changes something.
func (c *Config) Capacities() []Step {
	s := newFace(&Config{Capacity: c.Capacity, Phases: c.Phases}, &shared{}, everybody)
	var steps []Step
	for s.changeAt < clock.End {
		now := s.changeAt
		s.turn(now)
		if n := len(steps); n == 0 || steps[n-1].Capacity != s.capacity {
			steps = append(steps, Step{now, s.capacity})
		}
	}
	return steps
}
