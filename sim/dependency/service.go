package dependency

import (
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// A Cause says why an attempt failed. The dependency's causes stand in the order in which it decides them; behind them
// stand those that it knows nothing of.
type Cause uint8

// The causes.
const (
	NoCause  Cause = iota // the call succeeds
	Outage                // the dependency is down
	Overload              // refused: the capacity is spent
	Poison                // the job makes the dependency fail
	Errored               // the error coin
	Timeout               // the caller waited no longer
	Crash                 // the worker went away
	Breaker               // no call was made, because too many before had failed
	Causes                // how many there are
)

// A Service is a dependency at work. Calls must begin in the order of time.
type Service struct {
	downUntil clock.Time // changeAt while an outage is on, else in the past
	changeAt  clock.Time // until which the state holds
	state

	special bool // not every admitted call is like the other: see poison, counts, servers
	*shared

	base    state
	outages track
	phases  []phase
	faces   *faces // where not all cohorts meet the same service: then its own state never holds
}

// shared is what all faces of a service have in common.
type shared struct {
	counts   bool   // inFlight is kept: something hangs on it
	inFlight uint64 // admitted calls that have not ended
	callers  Callers
	extra    time.Duration // of the call that has just begun, beyond what its cause says
	stalls   []Window      // spans in which servers begin no work
	usual    *limit        // outside phases; nil for no limit
	limits   []*limit      // of the phases; nil for no limit of their own
	scratch  []phase       // for Hint to look ahead with
}

// New returns a service that no call has reached yet.
func New(c Config, k Callers) *Service {
	all := &shared{counts: c.countsCalls(), callers: k, stalls: c.stalls()}
	all.usual = all.limitOf(c.Capacity)
	for i := range c.Phases {
		all.limits = append(all.limits, all.limitOf(c.Phases[i].Capacity))
	}
	s := newFace(&c, all, everybody)
	s.faces = newFaces(&c, s)
	return s
}

// special reports whether not every admitted call is like the other.
func (all *shared) special() bool {
	return all.counts || all.callers.Poison != nil || slices.ContainsFunc(append(all.limits, all.usual), (*limit).served)
}

// countsCalls reports whether the number of calls in flight matters at any time.
func (c *Config) countsCalls() bool {
	_, counts := c.Capacity.(Concurrency)
	counts = counts || c.PerCall > 0
	for i := range c.Phases {
		p := &c.Phases[i]
		_, limits := p.Capacity.(Concurrency)
		counts = counts || limits || p.PerCall != nil && *p.PerCall > 0
	}
	return counts
}

// limitOf puts a capacity to work; no limit is nil.
func (all *shared) limitOf(c Capacity) *limit {
	if c == nil {
		return nil
	}
	return c.start(all)
}

// Down reports whether every call that begins at now is known to meet an outage: what Begin would say needs no draw.
func (s *Service) Down(now clock.Time) bool { return now < s.downUntil }

// Begin decides the fate of a call that begins at now: NoCause when it will succeed. coin is the call's own draw.
func (s *Service) Begin(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	if s.Down(now) {
		return Outage
	}
	return s.decide(now, cohort, coin)
}

// decide is Begin beyond what is known to be an outage, which is short enough to be compiled into its caller. What is rare is
// left to functions that are called last, lest everybody pays for saving what must survive a call.
func (s *Service) decide(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	if now >= s.changeAt {
		return s.turned(now, cohort, coin)
	}
	if l := s.limit; l != nil {
		if now >= l.until {
			return s.ask(now, cohort, coin)
		}
		if l.left == 0 {
			return Overload
		}
		l.left--
	}
	if s.special {
		return s.answer(now, cohort, coin)
	}
	if s.errorRate > 0 && coin.Chance(s.errorRate) {
		return Errored
	}
	return NoCause
}

// turned is Begin at an instant at which the state is another, or of a cohort to which it may be another.
func (s *Service) turned(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	if s.faces != nil {
		face := s.face(cohort)
		cause := face.Begin(now, cohort, coin)
		s.took = face.took
		return cause
	}
	s.turn(now)
	return s.Begin(now, cohort, coin)
}

// ask decides the fate of a call at an instant at which the limit has to be asked again.
func (s *Service) ask(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	l := s.limit
	l.left, l.until = l.grant(now, l.left)
	if l.left == 0 {
		return Overload
	}
	l.left--
	return s.answer(now, cohort, coin)
}

// answer decides the fate of a call that no rate refuses.
func (s *Service) answer(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	if s.limit.served() {
		took, ok := s.limit.servers.take(now, coin)
		if !ok {
			return Overload
		}
		s.extra = took
	}
	others := s.inFlight
	if s.counts {
		s.inFlight++
	}
	switch {
	case s.callers.Poison != nil && s.callers.Poison[cohort]:
		return Poison
	case s.errorRate > 0 && coin.Chance(s.errorRate):
		return Errored
	}
	if s.perCall > 0 {
		s.extra = clock.Plus(s.extra, clock.Times(s.perCall, others))
	}
	return NoCause
}

// Took returns how long the call lasts to which Begin has just given the cause; one that succeeds lasts so much longer than
// the job's own service time.
func (s *Service) Took(cause Cause) time.Duration {
	if s.special && s.extra > 0 {
		return s.longer(cause)
	}
	return s.took[cause]
}

// longer is Took of a call that waits for a server, is served by one, or shares the service with others.
func (s *Service) longer(cause Cause) time.Duration {
	took := clock.Plus(s.took[cause], s.extra)
	s.extra = 0
	return took
}

// Counts reports whether a call to which Begin gave the cause is counted among those in flight; then End must follow.
func (s *Service) Counts(cause Cause) bool {
	return s.counts && cause != Outage && cause != Overload
}

// End takes note that a call that is counted among those in flight has ended.
func (s *Service) End() { s.inFlight-- }
