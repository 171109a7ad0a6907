package dependency

import (
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

	special  bool   // not every admitted call is like the other: see poison, counts, servers
	counts   bool   // inFlight is kept: something hangs on it
	inFlight uint64 // admitted calls that have not ended
	callers  Callers
	extra    time.Duration // of the call that has just begun, beyond what its cause says

	base    state
	outages track
	phases  []phase
	stalls  []Window // spans in which servers begin no work
}

// New returns a service that no call has reached yet.
func New(c Config, k Callers) *Service {
	s := &Service{counts: c.countsCalls(), callers: k, outages: disjoint(c.Outages), stalls: c.stalls()}
	s.base = state{limit: s.limitOf(c.Capacity), capacity: c.Capacity, errorRate: c.ErrorRate, perCall: c.PerCall}
	s.base.setLatency(c.Latency)
	s.base.setFailAfter(c.FailAfter)
	s.special = s.counts || k.Poison != nil || s.base.limit.served()
	for i := range c.Phases {
		p := &c.Phases[i]
		l := s.limitOf(p.Capacity)
		s.special = s.special || l.served()
		s.phases = append(s.phases, phase{p, l, p.Windows})
	}
	return s
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
func (s *Service) limitOf(c Capacity) *limit {
	if c == nil {
		return nil
	}
	return c.start(s)
}

// Begin decides the fate of a call that begins at now: NoCause when it will succeed. coin is the call's own draw.
func (s *Service) Begin(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
	if now < s.downUntil {
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

// turned is Begin at an instant at which the state is another.
func (s *Service) turned(now clock.Time, cohort uint16, coin *rng.Draw) Cause {
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
