package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
)

// An oracleServing is when a server begins with a call, and when it is done.
type oracleServing struct{ start, end clock.Time }

// serve lets a call join the queue in front of servers, unless that is full.
func (o *oracle) serve(j *oracleJob, s *dependency.Servers) bool {
	start := o.now
	for o.occupied(s, start) || o.stalled(start) {
		start = o.nextChange(s, start)
	}
	waiting := 0
	for _, v := range o.servings[s] {
		if v.start > o.now {
			waiting++
		}
	}
	if s.Queue != nil && start > o.now && waiting >= int(*s.Queue) {
		return false
	}
	work := time.Duration(0)
	if s.Service != nil {
		draw := o.stream.Draw(rng.Server, uint32(j.cohort), uint64(j.index), uint64(j.tries))
		work = s.Service.Span(&draw)
	}
	j.served = time.Duration(start-o.now) + work
	serving := oracleServing{start, start + clock.Time(work)}
	if most := o.c.Workers.Timeout; s.DropExpired && most > 0 && start >= o.now+clock.Time(most) {
		serving.end = start
	}
	o.servings[s] = append(o.servings[s], serving)
	return true
}

// occupied reports whether all servers work at an instant, or calls wait that came before.
func (o *oracle) occupied(s *dependency.Servers, at clock.Time) bool {
	working := uint64(0)
	for _, v := range o.servings[s] {
		if v.start > at {
			return true
		}
		if v.end > at {
			working++
		}
	}
	return working >= s.Count
}

// stalled reports whether servers begin no work at an instant.
func (o *oracle) stalled(at clock.Time) bool {
	stalled := false
	for _, p := range o.c.Dependency.Phases {
		for _, w := range p.Windows {
			if p.Stall != nil && at >= w.From && at < w.To {
				stalled = *p.Stall
			}
		}
	}
	return stalled
}

// nextChange returns the next instant at which servers may be free or a phase turns.
func (o *oracle) nextChange(s *dependency.Servers, after clock.Time) clock.Time {
	next := clock.End
	look := func(at clock.Time) {
		if at > after {
			next = min(next, at)
		}
	}
	for _, v := range o.servings[s] {
		look(v.start)
		look(v.end)
	}
	for _, p := range o.c.Dependency.Phases {
		for _, w := range p.Windows {
			look(w.From)
			look(w.To)
		}
	}
	return next
}

// inFlight counts the admitted calls whose callers wait.
func (o *oracle) inFlight() int {
	n := 0
	for _, j := range o.jobs {
		if j.place == inCall && j.counted {
			n++
		}
	}
	return n
}

// perCall is what each other call in flight adds to the latency.
func (o *oracle) perCall() time.Duration {
	if p := o.phase(func(p dependency.Phase) bool { return p.PerCall != nil }); p != noPhase {
		return *o.c.Dependency.Phases[p].PerCall
	}
	return o.c.Dependency.PerCall
}
