package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
)

// An oracleServing is when a server begins with a call, and when it is done.
type oracleServing struct{ start, end clock.Time }

// turn returns when servers begin with a call that joins at an instant.
func (o *oracle) turn(s *dependency.Servers, at clock.Time) clock.Time {
	for o.occupied(s, at) || o.stalled(at) {
		at = o.nextChange(s, at)
	}
	return at
}

// hasRoom reports whether a call may join the queue in front of servers.
func (o *oracle) hasRoom(s *dependency.Servers, at clock.Time) bool {
	waiting := uint64(0)
	for _, v := range o.servings[s] {
		if v.start > at {
			waiting++
		}
	}
	return s.Queue == nil || waiting < *s.Queue || o.turn(s, at) == at
}

// serve lets a call join the queue in front of servers.
func (o *oracle) serve(j *oracleJob, s *dependency.Servers) {
	start := o.turn(s, o.now)
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
	p := o.phase(0, at, func(p dependency.Phase) bool { return p.Stall != nil })
	return p != noPhase && *o.c.Dependency.Phases[p].Stall
}

// nextChange returns the next instant at which servers may be free or a phase turns.
func (o *oracle) nextChange(s *dependency.Servers, after clock.Time) clock.Time {
	next := o.nextPhase(after)
	for _, v := range o.servings[s] {
		for _, at := range []clock.Time{v.start, v.end} {
			if at > after {
				next = min(next, at)
			}
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
