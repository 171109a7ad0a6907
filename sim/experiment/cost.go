package experiment

import (
	"math/big"
	"time"

	"herdsim/sim/check"
	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/scenario"
)

// A Cost is what a run of a scenario takes, as far as that is known before.
type Cost struct {
	Cases, Replications int
	Runs                int    // case × policy × replication
	Loads               []Load // by case
	SeriesBytes         uint64 // at most, of the series that all runs leave behind; a fixed width of bins can take more
}

// A Load is what arrives in a run of a case.
type Load struct {
	Jobs  *big.Rat // the mean number
	Exact bool     // there are always so many
	Bytes uint64   // of those that arrive together or are drawn at once
}

// CostOf tells what a run of f takes.
func CostOf(f *scenario.File) Cost {
	c := Cost{Cases: len(f.Cases), Replications: f.Cases[0].Replications}
	for i := range f.Cases {
		s := &f.Cases[i].Scenario
		c.Runs += s.Replications * len(s.Policies)
		c.Loads = append(c.Loads, loadOf(s))
	}
	c.SeriesBytes = uint64(c.Runs) * mostBins * bytesPerBin
	return c
}

func loadOf(s *scenario.Scenario) Load {
	load := Load{Jobs: new(big.Rat), Exact: true, Bytes: jobsAtOnce(s) * bytesPerJob}
	for i := range s.Base.Cohorts {
		n, exact := arrivals(&s.Base.Cohorts[i], s.Base.Stop)
		load.Jobs.Add(load.Jobs, n)
		load.Exact = load.Exact && exact
	}
	return load
}

// arrivals returns how many jobs of a cohort arrive before a run stops, on average, and whether that is the number of each
// run.
func arrivals(c *engine.Cohort, stop clock.Time) (n *big.Rat, exact bool) {
	count := func(k uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(k)) }
	if c.At >= stop {
		return new(big.Rat), true
	}
	room := stop.Sub(c.At) // jobs arrive before its end
	if c.For > 0 {
		room = min(room, c.For)
	}
	switch c.Pattern {
	case engine.Together:
		return count(c.Count), true
	case engine.Listed:
		k := 0
		for k < len(c.Offsets) && c.Offsets[k].After < room {
			k++
		}
		return count(uint64(k)), true
	case engine.Spread:
		if room < c.Interval {
			return new(big.Rat).Mul(count(c.Count), big.NewRat(int64(room), int64(c.Interval))), false
		}
		return count(c.Count), true
	}
	exact = c.Pattern != engine.Poisson
	if c.Pattern == engine.Every {
		n = count(uint64((room-1)/c.Interval) + 1)
	} else {
		n = new(big.Rat).SetFrac64(int64(room), int64(time.Second))
		n.Mul(n, check.PerSecond(c.Rate))
		if exact {
			n = ceiling(n)
		}
	}
	if most := count(c.Count); c.Count > 0 && n.Cmp(most) >= 0 {
		return most, exact
	}
	return n, exact
}

func ceiling(x *big.Rat) *big.Rat {
	n := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), big.NewInt(1)))
	return new(big.Rat).SetInt(n.Quo(n, x.Denom()))
}

// jobsAtOnce returns how many jobs exist from the start of a run.
func jobsAtOnce(s *scenario.Scenario) uint64 {
	var jobs uint64
	for _, c := range s.Base.Cohorts {
		if c.Pattern == engine.Together || c.Pattern == engine.Spread {
			jobs += c.Count
		}
	}
	return jobs
}
