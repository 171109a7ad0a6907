package engine

import (
	"cmp"
	"slices"

	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// next returns when the next lease ends; clock.End when none does.
func (c *copies) next() clock.Time {
	if first := c.leases[0]; first != 0 {
		return c.at(first).lease
	}
	return clock.End
}

// ending returns the copies whose lease ends now, by job number.
func (c *copies) ending(now clock.Time) []uint32 {
	var all []uint32
	for mark := c.leases[0]; mark != 0 && c.at(mark).lease == now; mark = c.at(mark).after {
		all = append(all, mark)
	}
	slices.SortFunc(all, func(a, b uint32) int { return cmp.Compare(c.at(a).Number(), c.at(b).Number()) })
	return all
}

// expire ends the leases whose end is now.
func (e *Engine) expire() {
	c := e.copies
	for _, mark := range c.ending(e.now) {
		if e.err != nil {
			return
		}
		d := c.at(mark)
		r := e.records.at(d.Number())
		r.stalls++
		switch {
		case d.lost && d.runs:
			e.forfeit(mark, Crash)
		case c.fails || c.deadly(r):
			e.forfeit(mark, Timeout)
		default:
			e.redeliver(mark)
		}
	}
}

// deadly reports whether a job's latest stall is its death.
func (c *copies) deadly(r *record) bool { return c.stalls > 0 && int(r.stalls) >= c.stalls }

// redeliver makes another copy of the attempt whose copy's lease has ended: pending, or held if its due instant is ahead.
func (e *Engine) redeliver(mark uint32) {
	c := e.copies
	c.endLease(mark)
	d := *c.at(mark)
	e.room()
	e.emit(Redelivered, max(d.due, e.now), d.Job)
	if d.due > e.now {
		if d.lost {
			c.drop(mark)
		}
		e.waiting.Add(e.handOver(schedule.Entry{At: d.due, Job: d.Job}, nobody))
		return
	}
	another := c.add(d.Job, 0)
	if d.lost {
		c.drop(mark)
	}
	e.pending.push(schedule.Entry{At: e.now, Job: d.WithMark(another)})
}

// forfeit lets the attempt of a copy whose lease ends fail. The next one needs no wait: it is pending at once, or held if its
// due instant is ahead.
func (e *Engine) forfeit(mark uint32, cause Cause) {
	c, r := e.copies, e.records.at(e.copies.at(mark).Number())
	d := *c.at(mark)
	c.count(mark, r)
	if d.worker != nobody {
		r.worker = d.worker
	}
	c.settle(d.Number())
	j := d.WithCause(uint8(cause))
	rule, due := e.rule(j), max(d.due, e.now)
	e.room()
	f, dead := e.spend(j, rule, r)
	if dead != nil {
		return
	}
	if c.deadly(r) {
		e.die(j, Stalled)
		return
	}
	if due.Sub(e.now)+f.Age > rule.Budget.Elapsed {
		e.die(j, Expired)
		return
	}
	if rule.gate != nil {
		var instead *Event
		if due, instead = e.ask(j, rule, due); instead != nil {
			return
		}
	}
	e.emit(Failed, due, j).Cause = cause
	if due > e.now {
		e.waiting.Add(e.handOver(schedule.Entry{At: due, Job: j.Next()}, nobody))
		return
	}
	e.queueUp(schedule.Entry{At: due, Job: j.Next()})
}
