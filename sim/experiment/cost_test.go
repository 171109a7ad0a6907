package experiment

import (
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// The number of jobs that is foreseen is the one that arrives: exactly, or on average.
func TestArrivals(t *testing.T) {
	const stop = clock.Time(100 * time.Second)
	rate := clock.Rate{Count: 3, Per: time.Second}
	for _, c := range []struct {
		cohort engine.Cohort
		want   string
		exact  bool
	}{
		{engine.Cohort{Pattern: engine.Together, Count: 7}, "7", true},
		{engine.Cohort{Pattern: engine.Together, Count: 7, At: stop}, "0", true},
		{engine.Cohort{Pattern: engine.Every, Interval: 10 * time.Second}, "10", true},
		{engine.Cohort{Pattern: engine.Every, Interval: 10 * time.Second, For: 30*time.Second + 1}, "4", true},
		{engine.Cohort{Pattern: engine.Every, Interval: 10 * time.Second, Count: 3}, "3", true},
		{engine.Cohort{Pattern: engine.Constant, Rate: rate, For: 5 * time.Second}, "15", true},
		{engine.Cohort{Pattern: engine.Constant, Rate: rate, For: 5*time.Second + 1}, "16", true},
		{engine.Cohort{Pattern: engine.Poisson, Rate: rate, At: stop / 2}, "150", false},
		{engine.Cohort{Pattern: engine.Poisson, Rate: rate, Count: 40}, "40", false},
		{engine.Cohort{Pattern: engine.Spread, Interval: 50 * time.Second, Count: 9}, "9", true},
		{engine.Cohort{Pattern: engine.Spread, Interval: 200 * time.Second, Count: 9}, "9/2", false},
		{engine.Cohort{Pattern: engine.Listed, Offsets: engine.InOrder([]time.Duration{0, 5, 100 * time.Second})}, "2", true},
	} {
		n, exact := arrivals(&c.cohort, stop)
		if n.RatString() != c.want || exact != c.exact {
			t.Errorf("%+v: %s, exact %v, want %s, %v", c.cohort, n.RatString(), exact, c.want, c.exact)
		}
		if !c.exact {
			continue
		}
		events := 0
		config := engine.Config{Stop: stop, Cohorts: []engine.Cohort{c.cohort}}
		config.Budget.Tries = 1
		if _, err := engine.Run(config, countArrivals{&events}); err != nil {
			t.Fatal(err)
		}
		if got := n.Num().Int64(); int64(events) != got {
			t.Errorf("%+v: %d arrive, foreseen %d", c.cohort, events, got)
		}
	}
}

type countArrivals struct{ n *int }

func (c countArrivals) Observe(batch []engine.Event) error {
	for _, e := range batch {
		if e.Kind == engine.Arrived {
			*c.n++
		}
	}
	return nil
}
