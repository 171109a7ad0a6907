package dependency

import (
	"cmp"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// A Cause says why an attempt failed. The dependency's causes stand in the order in which it decides them.
type Cause uint8

// The causes.
const (
	NoCause  Cause = iota // the call succeeds
	Outage                // the dependency is down
	Overload              // refused: the window's capacity is spent
	Errored               // the error coin
	Causes                // how many there are
)

// A Service is a dependency at work. Calls must begin in the order of time.
type Service struct {
	config    Config
	outages   []Window // disjoint, in order, ahead of the last call
	down      bool
	changeAt  clock.Time // when down ends or begins
	admitted  int64      // in the window that ends at windowEnd
	windowEnd clock.Time
}

// New returns a service that no call has reached yet.
func New(c Config) *Service {
	s := &Service{config: c, outages: disjoint(c.Outages)}
	s.changeAt = s.nextOutage()
	return s
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

func (s *Service) nextOutage() clock.Time {
	if len(s.outages) == 0 {
		return clock.End
	}
	return s.outages[0].From
}

// Begin decides the fate of a call that begins at now: NoCause when it will succeed. coin is the call's own draw.
func (s *Service) Begin(now clock.Time, coin *rng.Draw) Cause {
	for now >= s.changeAt {
		s.change()
	}
	if s.down {
		return Outage
	}
	if s.config.Capacity != nil && !s.admit(now) {
		return Overload
	}
	if s.config.ErrorRate > 0 && coin.Chance(s.config.ErrorRate) {
		return Errored
	}
	return NoCause
}

func (s *Service) change() {
	if s.down = !s.down; s.down {
		s.changeAt = s.outages[0].To
		s.outages = s.outages[1:]
	} else {
		s.changeAt = s.nextOutage()
	}
}

// admit counts a call into the aligned window that holds now.
func (s *Service) admit(now clock.Time) bool {
	if now >= s.windowEnd {
		s.windowEnd = now.Floor(s.config.Capacity.Per).Add(s.config.Capacity.Per)
		s.admitted = 0
	}
	if s.admitted >= s.config.Capacity.Count {
		return false
	}
	s.admitted++
	return true
}

// Latency returns what the dependency adds to the service time of a call that succeeds.
func (s *Service) Latency() time.Duration { return s.config.Latency }

// FailsAfter returns how long a call that fails for cause occupies its caller: nothing when it is refused.
func (s *Service) FailsAfter(cause Cause) time.Duration {
	if cause == Overload {
		return 0
	}
	return s.config.FailAfter
}
