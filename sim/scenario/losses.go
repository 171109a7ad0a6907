package scenario

import (
	"strconv"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// leases reads what `queue` says of leases and of who holds what waits.
func (b *builder) leases(v *value, q *engine.Queue) {
	q.LeaseFails = v.get("lease_end").word == "fail"
	q.RenewLease = v.get("renew").truth
	q.HeldByWorker = v.get("hold").word == "worker"
	if w := v.get("visibility"); w != nil {
		q.Visibility = w.duration()
	}
	if w := v.get("max_stalls"); w != nil {
		q.DeadlyStall = int(w.number.num) + 1
	}
	for _, f := range []struct {
		name string
		said bool
	}{{"renew", q.RenewLease}, {"lease_end", q.LeaseFails}, {"max_stalls", q.DeadlyStall > 0}} {
		if q.Visibility == 0 && f.said {
			b.warn(v.get(f.name).node, "`"+f.name+"` has no effect without `visibility`: no lease ends")
		}
	}
	if q.HeldByWorker && q.Sweeps() {
		b.warn(v.get("hold").node, "`promote` has no effect: with `hold: worker` a worker keeps the time of what waits, and no sweep promotes it")
	}
}

// crashes reads `workers.crashes`, given how many workers there are.
func (b *builder) crashes(v *value, count int) []engine.WorkerCrash {
	all := v.get("crashes")
	if all == nil {
		return nil
	}
	if count == 0 {
		b.conflict(all.key, "`crashes` needs `count`", "workers without limit have no numbers by which some could crash")
		return nil
	}
	var list []engine.WorkerCrash
	for _, c := range entries(all) {
		crash := engine.WorkerCrash{At: clock.Time(c.get("at").duration()), Workers: int(min(c.get("workers").number.num, uint64(count))), For: c.get("for").duration()}
		if most := c.get("workers").number.num; most > uint64(count) {
			b.warn(c.get("workers").node, "crash `"+c.name+"` takes all "+strconv.Itoa(count)+" workers: there are no more")
		}
		if crash.At >= b.stop {
			b.warn(c.get("at").node, "crash `"+c.name+"` never comes: it would at "+units.FormatDuration(time.Duration(crash.At))+", the run stops at "+units.FormatDuration(time.Duration(b.stop)))
		}
		list = append(list, crash)
	}
	return list
}
