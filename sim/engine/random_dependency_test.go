package engine

import (
	"math/rand/v2"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
)

func randomDependency(rnd *rand.Rand, tenth time.Duration) dependency.Config {
	pick := func(of ...time.Duration) time.Duration { return of[rnd.IntN(len(of))] }
	d := dependency.Config{
		ErrorRate: rng.Certain / 10 * rng.Probability(rnd.IntN(6)), Latency: pick(0, 0, tenth), FailAfter: pick(0, 0, 2*tenth),
		Capacity: randomCapacity(rnd, tenth), PerCall: pick(0, 0, 0, tenth), Tells: rnd.IntN(4) == 0,
	}
	for range rnd.IntN(3) {
		from := clock.Time(rnd.IntN(50)) * clock.Time(tenth)
		to := from + clock.Time(rnd.IntN(40))*clock.Time(tenth)
		d.Outages = append(d.Outages, dependency.Downtime{From: from, To: to, Cohorts: randomCohorts(rnd)})
	}
	for range max(0, rnd.IntN(6)-2) {
		d.Phases = append(d.Phases, randomPhase(rnd, tenth))
	}
	return d
}

// randomCohorts are mostly all, and never none.
func randomCohorts(rnd *rand.Rand) []uint16 {
	var some []uint16
	for i := range uint16(3) {
		if rnd.IntN(9) == 0 {
			some = append(some, i)
		}
	}
	return some
}

func randomCapacity(rnd *rand.Rand, tenth time.Duration) dependency.Capacity {
	rate := clock.Rate{Count: int64(rnd.IntN(4)), Per: []time.Duration{tenth, 7 * tenth, 10 * tenth}[rnd.IntN(3)]}
	switch rnd.IntN(7) {
	case 0, 1:
		return dependency.PerWindow(rate)
	case 2:
		return dependency.TokenBucket{Rate: rate, Burst: 1 + uint64(rnd.IntN(5))}
	case 3:
		return dependency.Concurrency(1 + rnd.IntN(4))
	case 4:
		s := &dependency.Servers{Count: uint64(1 + rnd.IntN(3)), DropExpired: rnd.IntN(2) == 0}
		if rnd.IntN(6) > 0 {
			s.Service = coarseSpan{uint64(rnd.IntN(6)), tenth}
		}
		if rnd.IntN(2) == 0 {
			s.Queue = new(uint64(rnd.IntN(4)))
		}
		return s
	}
	return nil
}

func randomPhase(rnd *rand.Rand, tenth time.Duration) dependency.Phase {
	p := dependency.Phase{Capacity: randomCapacity(rnd, tenth)}
	if rnd.IntN(3) == 0 {
		p.ErrorRate = new(rng.Certain / 2 * rng.Probability(rnd.IntN(3)))
	}
	if rnd.IntN(3) == 0 {
		p.Latency = new(tenth * time.Duration(rnd.IntN(4)))
	}
	if rnd.IntN(3) == 0 {
		p.FailAfter = new(tenth * time.Duration(rnd.IntN(4)))
	}
	if rnd.IntN(3) == 0 {
		p.Stall = new(rnd.IntN(3) > 0)
	}
	if rnd.IntN(5) == 0 {
		p.PerCall = new(tenth * time.Duration(rnd.IntN(2)))
	}
	if rnd.IntN(5) == 0 {
		p.Tells = new(rnd.IntN(2) == 0)
	}
	if p.Stall == nil {
		p.Cohorts = randomCohorts(rnd)
	}
	at := clock.Time(rnd.IntN(30)) * clock.Time(tenth)
	for range 1 + rnd.IntN(3) {
		to := at + clock.Time(1+rnd.IntN(20))*clock.Time(tenth)
		p.Windows = append(p.Windows, dependency.Window{From: at, To: to})
		at = to + clock.Time(rnd.IntN(2))*clock.Time(tenth)
	}
	return p
}
