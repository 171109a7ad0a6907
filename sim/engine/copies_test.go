package engine

import (
	"math/rand/v2"
	"time"

	"herdsim/sim/clock"
)

// addLosses may let workers crash, leases end, workers hold what waits, and jobs share keys.
func addLosses(rnd *rand.Rand, c *Config, tenth time.Duration) {
	if rnd.IntN(2) == 0 {
		return
	}
	if rnd.IntN(2) == 0 {
		c.Queue.Visibility = tenth * time.Duration(1+rnd.IntN(12))
		c.Queue.RenewLease = rnd.IntN(5) == 0
		c.Queue.LeaseFails = rnd.IntN(3) == 0
		if rnd.IntN(2) == 0 {
			c.Queue.DeadlyStall = 1 + rnd.IntN(3)
		}
	}
	c.Queue.HeldByWorker = rnd.IntN(3) == 0
	for i := range c.Cohorts {
		if rnd.IntN(4) == 0 {
			c.Cohorts[i].Key = []string{"a", "b"}[rnd.IntN(2)]
		}
	}
	if c.Workers.Count == 0 {
		return
	}
	c.Workers.Count = 1 + rnd.IntN(5)
	for range rnd.IntN(4) {
		c.Workers.Crashes = append(c.Workers.Crashes, WorkerCrash{
			At: clock.Time(rnd.IntN(40)) * clock.Time(tenth), Workers: 1 + rnd.IntN(4), For: tenth * time.Duration(1+rnd.IntN(12)),
		})
	}
}

// lossless takes back what addLosses may have done.
func lossless(c *Config) {
	c.Queue.Visibility, c.Queue.HeldByWorker, c.Workers.Crashes = 0, false, nil
	for i := range c.Cohorts {
		c.Cohorts[i].Key = ""
	}
}
