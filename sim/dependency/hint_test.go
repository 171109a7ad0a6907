package dependency

import (
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

func TestHint(t *testing.T) {
	slow := TokenBucket{clock.Rate{Count: 3, Per: 100}, 1} // a token each 34 ns, thirds are kept
	closed := PerWindow{Per: 10}
	for _, c := range []struct {
		name   string
		config Config
		calls  []clock.Time
		want   clock.Time // after the last call; 0 for nothing
	}{
		{"the next window", Config{Capacity: PerWindow{1, 10}}, []clock.Time{3, 4}, 10},
		{"the next token", Config{Capacity: slow}, []clock.Time{5, 6, 7}, 39},
		{"never", Config{Capacity: closed}, []clock.Time{3}, 0},
		{"calls in flight", Config{Capacity: Concurrency(1)}, []clock.Time{3, 4}, 0},
		{"the end of a phase", Config{Phases: []Phase{{Windows: []Window{{0, 25}}, Capacity: closed}}}, []clock.Time{3}, 25},
		{
			"and whose window is spent then",
			Config{Capacity: PerWindow{1, 10}, Phases: []Phase{{Windows: []Window{{4, 8}}, Capacity: closed}}},
			[]clock.Time{3, 5},
			10,
		},
		{
			"the next phase that admits any",
			Config{Capacity: closed, Phases: []Phase{{Windows: []Window{{0, 5}, {20, 30}}, Capacity: closed}, {Windows: []Window{{22, 23}}, Capacity: slow}}},
			[]clock.Time{3},
			22,
		},
		{"no outage", Config{Capacity: PerWindow{1, 10}, Outages: []Downtime{{From: 10, To: 20}}}, []clock.Time{3, 4}, 10},
		{"a place in the queue", Config{Capacity: &Servers{Count: 1, Service: rng.Fixed(10), Queue: new(uint64(2))}}, []clock.Time{0, 1, 2, 3}, 10},
		{"a free server", Config{Capacity: &Servers{Count: 1, Service: rng.Fixed(10), Queue: new(uint64)}}, []clock.Time{0, 1}, 10},
		{
			"servers that stall",
			Config{Capacity: &Servers{Count: 1, Service: rng.Fixed(10), Queue: new(uint64)}, Phases: []Phase{{Windows: []Window{{5, 15}}, Stall: new(true)}}},
			[]clock.Time{0, 1},
			15,
		},
		{"a phase that tells nothing", Config{Capacity: closed, Phases: []Phase{{Windows: []Window{{0, 9}}, Tells: new(false)}}}, []clock.Time{3}, 0},
	} {
		c.config.Tells = true
		s := New(c.config, Callers{})
		got := causes(s, c.calls...)
		now := c.calls[len(c.calls)-1]
		if last := got[len(got)-1]; last != Overload {
			t.Errorf("%s: the last call is not refused but %v", c.name, last)
		}
		for range 2 { // asking changes nothing
			if at := s.Hint(now, 0); at != max(c.want, now) {
				t.Errorf("%s: told %d, want %d", c.name, at, c.want)
			}
		}
	}
}

// Outages and phases of some cohorts leave the others alone, but for the capacity that they share.
func TestCohortsMeetTheirOwn(t *testing.T) {
	s := New(Config{
		Capacity: PerWindow{2, time.Second}, Latency: 5, FailAfter: 7, Tells: true,
		Outages: []Downtime{{From: 10, To: 20, Cohorts: []uint16{1}}, {From: 15, To: 17}},
		Phases:  []Phase{{Windows: []Window{{20, 40}}, Cohorts: []uint16{0, 1}, Latency: new(time.Duration), Capacity: PerWindow{Per: time.Second}}},
	}, Callers{})
	for _, c := range []struct {
		at     clock.Time
		cohort uint16
		want   Cause
		took   time.Duration
		told   clock.Time
	}{
		{10, 1, Outage, 7, 10},
		{10, 2, NoCause, 5, 10},
		{16, 0, Outage, 7, 16},
		{18, 0, NoCause, 5, 18},
		{19, 2, Overload, 0, second},
		{20, 0, Overload, 0, second},
		{30, 2, Overload, 0, second},
		{39, 1, Overload, 0, second},
		{second, 1, NoCause, 5, second},
	} {
		if got := s.Begin(c.at, c.cohort, coin(0)); got != c.want {
			t.Errorf("at %d, cohort %d: %v, want %v", c.at, c.cohort, got, c.want)
		}
		if got := s.Took(c.want); got != c.took {
			t.Errorf("at %d, cohort %d: takes %d, want %d", c.at, c.cohort, got, c.took)
		}
		if c.want != Overload {
			continue
		}
		if got := s.Hint(c.at, c.cohort); got != c.told {
			t.Errorf("at %d, cohort %d: told %d, want %d", c.at, c.cohort, got, c.told)
		}
	}
}
