package engine

import (
	"math/big"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

func (o *oracle) arrivalsOf(id int, c Cohort) []arrival {
	var all []arrival
	sum := new(big.Int)
	if c.Pattern == Listed {
		return o.listed(id, c)
	}
	for k := 0; k < int(c.Count) || c.Count == 0; k++ {
		d := o.stream.Draw(rng.Arrival, uint32(id), uint64(k), 0)
		at := c.At
		switch c.Pattern {
		case Every:
			at += clock.Time(k) * clock.Time(c.Interval)
		case Constant:
			at += clock.Time(int64(k) * int64(c.Rate.Per) / c.Rate.Count)
		case Spread:
			at += clock.Time(d.Below(uint64(c.Interval)))
		case Poisson: // ⌊Σ gaps · per / count⌋, gaps in units of 1/rng.ExponentialOne
			sum.Add(sum, new(big.Int).SetUint64(d.Exponential()))
			ns := new(big.Int).Mul(sum, big.NewInt(int64(c.Rate.Per)))
			ns.Quo(ns, new(big.Int).Mul(big.NewInt(c.Rate.Count), big.NewInt(rng.ExponentialOne)))
			at += clock.Time(ns.Int64())
		}
		if late := at >= o.c.Stop || c.For > 0 && at >= c.At.Add(c.For); late && c.Pattern != Spread {
			break
		} else if !late {
			all = append(all, arrival{at, id, k})
		}
	}
	return all
}

// listed returns the first jobs in time of a Listed cohort.
func (o *oracle) listed(id int, c Cohort) []arrival {
	var all []arrival
	for _, job := range c.Offsets {
		at := c.At.Add(job.After)
		if at < o.c.Stop && (c.For == 0 || at < c.At.Add(c.For)) && (c.Count == 0 || len(all) < int(c.Count)) {
			all = append(all, arrival{at, id, int(job.Index)})
		}
	}
	return all
}
