package engine

import (
	"errors"
	"math"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// n pollers whose intervals are uniform over [0, h] sweep every h/(2n) on average, and after an instant of no matter which
// poller the next sweep comes h/(2n+1) later on average: the way to it is longer than h·x with probability (1−x)^2n. Intervals
// are independent of one another, and so the number of sweeps tells the error.
func TestPollersSweepByTheirLaw(t *testing.T) {
	const h, horizon = 50 * time.Second, clock.Time(10_000_000 * time.Second)
	for _, n := range []int{1, 3, 10} {
		c := Config{Seed: uint64(n), Stop: clock.End, MaxEvents: math.MaxUint32, Queue: Queue{EveryMost: h, Pollers: n}}
		s := newSweeps(&c, rng.NewStream(c.Seed, 0))
		var sweeps, looks, lag float64
		for i := range s.pollers {
			for at := clock.Time(0); at < horizon; at++ {
				if at = s.pollers[i].next(&s.pace, at); at < horizon {
					sweeps++
				}
			}
			s.pollers[i].reset(tick{at: s.firstTick(&c.Queue, &s.pollers[i], n)})
		}
		for at := clock.Time(0); at < horizon; at += clock.Time(1000 * time.Second) {
			lag += (s.next(at) - at).Sub(0).Seconds()
			looks++
		}
		// An interval has mean h/2 and standard deviation h/√12, a count over T the variance T·var/mean³.
		share := math.Sqrt(float64(n) * horizon.Sub(0).Seconds() * (h.Seconds() * h.Seconds() / 12) / math.Pow(h.Seconds()/2, 3))
		if want := horizon.Sub(0).Seconds() * 2 * float64(n) / h.Seconds(); math.Abs(sweeps-want) > 4*share {
			t.Errorf("%d pollers: %.0f sweeps, want %.0f within four times %.0f", n, sweeps, want, share)
		}
		// The lag has mean h/(2n+1) and second moment 2h²/((2n+1)(2n+2)).
		m := float64(2*n + 1)
		se := h.Seconds() * math.Sqrt((2/(m*(m+1))-1/(m*m))/looks)
		if mean := lag / looks; math.Abs(mean-h.Seconds()/m) > 4*se {
			t.Errorf("%d pollers: a mean lag of %.3f s, want %.3f within four times %.3f", n, mean, h.Seconds()/m, se)
		}
	}
}

// Ticks that are drawn cost time even where they find nothing, and so they have a limit.
func TestDrawnTicksAreLimited(t *testing.T) {
	c := Config{
		Stop: clock.Time(24 * time.Hour), Cohorts: []Cohort{{Name: "jobs", Count: 1, Delay: 23 * time.Hour}}, Budget: policy.Budget{Tries: 1},
		Queue: Queue{EveryMost: time.Second}, MaxEvents: 100_000,
	}
	var limit *LimitError
	if _, err := Run(c, &collector{}); !errors.As(err, &limit) {
		t.Errorf("86,400 seconds of two ticks each: %v", err)
	}
	c.MaxEvents = 200_000
	if _, err := Run(c, &collector{}); err != nil {
		t.Error(err)
	}
}
