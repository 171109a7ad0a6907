package engine

import (
	"math"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// sweeps says when promotion sweeps come and how much each may move. Sweeps that would find nothing are not events: the
// next one that matters is computed from what is due.
type sweeps struct {
	every, idle time.Duration
	phase       clock.Time
	batch       int
	notBefore   clock.Time // instants before it have had their sweep
	first       clock.Time // the next sweep, if the last found something: where doubling starts
}

func newSweeps(q Queue, stream rng.Stream) sweeps {
	s := sweeps{every: q.Every, idle: q.IdleEvery, phase: clock.Time(q.Phase), batch: q.Batch}
	if q.Every == 0 || q.Batch == 0 || q.Drain { // without a cost, draining batch by batch is one sweep without limit
		s.batch = math.MaxInt
	}
	if q.RandomPhase && q.Every > 0 {
		draw := stream.Draw(rng.Sweep, 0, 0, 0)
		s.phase = clock.Time(draw.Below(uint64(q.Every)))
	}
	s.first = s.phase
	return s
}

// next returns the first sweep that could promote an entry due at due.
func (s *sweeps) next(due clock.Time) clock.Time {
	if s.every == 0 {
		return due
	}
	return s.nextTick(max(due, s.notBefore))
}

func (s *sweeps) nextTick(from clock.Time) clock.Time {
	if s.idle > s.every {
		return s.nextIdle(from)
	}
	return onGrid(s.phase, s.every, from)
}

// onGrid returns the first of phase, phase+every, … at or after from.
func onGrid(phase clock.Time, every time.Duration, from clock.Time) clock.Time {
	if from <= phase {
		return phase
	}
	past := from.Sub(phase) % every
	if past == 0 {
		return from
	}
	return from.Add(every - past)
}

// nextIdle follows the sweeps from the last one that found something: each that finds nothing doubles the interval to the
// next, up to idle.
func (s *sweeps) nextIdle(from clock.Time) clock.Time {
	at, interval := s.first, s.every
	for at < from && interval < s.idle {
		interval = min(2*interval, s.idle)
		at = at.Add(interval)
	}
	return onGrid(at, s.idle, from)
}

// limit returns how many entries may be promoted at now: none when no sweep's turn is now.
func (s *sweeps) limit(now clock.Time) int {
	if s.every > 0 && !s.turn(now) {
		return 0
	}
	return s.batch
}

func (s *sweeps) turn(now clock.Time) bool { return now >= s.notBefore && s.next(now) == now }

// end closes the instant's turn. What becomes due later in the same instant waits for the next sweep, unless each job has
// its own exact timer.
func (s *sweeps) end(now clock.Time, found bool) {
	if s.every == 0 {
		return
	}
	s.notBefore = now + 1
	if found {
		s.first = now.Add(s.every)
	}
}
