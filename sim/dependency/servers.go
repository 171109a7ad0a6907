package dependency

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Servers are a queue, first in, first out, in front of so many servers. Callers wait. Who finds the queue full is refused. Work
// is done also for callers who have gone, unless DropExpired.
type Servers struct {
	Count       uint64
	Service     rng.Span // nil for no time
	Queue       *uint64  // most calls that wait, those in service not counted; nil for no limit
	DropExpired bool     // work whose caller has gone when its turn comes is left out, and takes no time
}

// Sustained returns the servers' number in their mean service time; false when that is 0, or not known in whole numbers.
func (c *Servers) Sustained() (clock.Rate, bool) {
	if c.Service == nil {
		return clock.Rate{}, false
	}
	mean, ok := rng.Mean(c.Service)
	return clock.Rate{Count: int64(c.Count), Per: mean}, ok && mean > 0
}

// start returns a limit that admits every call: the servers refuse, when their turn comes.
func (c *Servers) start(s *shared) *limit {
	at := &servers{Servers: c, draw: s.callers.Server, patient: s.callers.Timeout, stalls: s.stalls}
	return &limit{left: math.MaxUint64, until: clock.End, servers: at}
}

// servers are Servers at work. When a call's service begins and ends is known when the call begins, as those who come later do not
// overtake; so nothing has to be looked at again.
type servers struct {
	*Servers
	draw    rng.Draw
	patient time.Duration // how long callers wait; 0 for ever
	free    instants      // of each server that has worked: when it is done
	starts  []clock.Time  // of the calls that may still wait, in order; kept where the queue is limited
	stalls  track         // spans in which no service begins; starts never go back in time
}

// take lets the call that coin is about join at now. It returns how long it waits and is served, or false when the queue is full.
func (s *servers) take(now clock.Time, coin *rng.Draw) (time.Duration, bool) {
	start := s.turn(now, &s.stalls)
	if s.Queue != nil && start > now {
		passed, _ := slices.BinarySearch(s.starts, now+1)
		s.starts = s.starts[passed:]
		if uint64(len(s.starts)) >= *s.Queue {
			return 0, false
		}
		s.starts = append(s.starts, start)
	}
	took := time.Duration(0)
	if s.Service != nil {
		s.draw.Follow(coin)
		took = s.Service.Span(&s.draw)
	}
	end := start.Add(took)
	if s.DropExpired && s.patient > 0 && start.Sub(now) >= s.patient {
		return end.Sub(now), true
	}
	if uint64(len(s.free)) < s.Count {
		heap.Push(&s.free, end)
	} else {
		s.free[0] = end
		heap.Fix(&s.free, 0)
	}
	return end.Sub(now), true
}

// turn returns when the service of a call that joins at now begins.
func (s *servers) turn(now clock.Time, stalls *track) clock.Time {
	start := now
	if uint64(len(s.free)) >= s.Count {
		start = max(start, s.free[0])
	}
	if stalled, until := stalls.at(start); stalled {
		start = until
	}
	return start
}

// next is what a source's is: there is room in the queue when the turn comes of one that waits, or without a queue when a server is
// free.
func (s *servers) next(at clock.Time) clock.Time {
	stalls := s.stalls // a look ahead must not forget what comes before
	turn := s.turn(at, &stalls)
	if s.Queue == nil || turn == at {
		return at
	}
	passed, _ := slices.BinarySearch(s.starts, at+1)
	switch waiting := s.starts[passed:]; {
	case uint64(len(waiting)) < *s.Queue:
		return at
	case len(waiting) == 0:
		return turn
	default: // there are never more than may wait
		return waiting[0]
	}
}

// instants are a heap, the earliest first.
type instants []clock.Time

func (h instants) Len() int           { return len(h) }
func (h instants) Less(i, j int) bool { return h[i] < h[j] }
func (h instants) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *instants) Push(x any)        { *h = append(*h, x.(clock.Time)) }
func (h *instants) Pop() any          { panic("dependency: a server that went away") }

// stalls returns the spans in which no service begins: where the last of the phases in force that says whether it stalls says so.
func (c *Config) stalls() []Window {
	s := Service{shared: &shared{}}
	for i := range c.Phases {
		if p := &c.Phases[i]; p.Stall != nil {
			s.phases = append(s.phases, phase{Phase: &Phase{Stall: p.Stall}, ahead: p.Windows})
		}
	}
	var found []Window
	for s.changeAt < clock.End {
		from := s.changeAt
		if s.turn(from); s.stalled {
			found = append(found, Window{from, s.changeAt})
		}
	}
	return disjoint(found)
}
