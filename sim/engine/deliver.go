package engine

import (
	"slices"

	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// deliver gives a pending job to a free worker, as the copy that it is or a new one. A copy of an attempt that has been called
// before asks no gate: that was done for the attempt.
func (e *Engine) deliver(p schedule.Entry) {
	c, r, kind := e.copies, e.records.at(p.Number()), Began
	mark := p.Mark()
	spent := mark != 0 && c.spent(mark)
	var worker int
	switch {
	case mark != 0 && c.attempts.items[c.at(mark).attempt].called:
		kind = Duplicated
		worker = e.crew.take()
	case e.gates != nil && !spent:
		if e.stopped(p) {
			return
		}
		worker = r.worker
	default:
		worker = e.crew.take()
	}
	if mark == 0 {
		mark = c.add(p.Job, 0)
		p.Job = p.WithMark(mark)
	}
	if c.visibility > 0 && !c.renew && !spent && c.at(mark).lease == 0 {
		c.startLease(mark, e.now)
	}
	d := c.at(mark)
	d.worker, d.runs = worker, true
	c.count(mark, r)
	c.attempts.items[d.attempt].called = true
	e.pending.lock(p.Cohort())
	e.room()
	e.emit(kind, p.At, p.Job).Again = kind == Began && p.Again()
	r.calls, r.repeats = 0, true // the attempt is counted
	try := e.records.call(p.Job)
	d.calls = r.calls
	if j, ended := e.call(p.Job, try); ended {
		e.ended.Push(schedule.Entry{At: e.now, Job: j})
	}
}

// settles tells what the end of a claimed job's call decides: it returns the job as others know it, or false when it decides
// nothing, because another copy has settled the attempt or the attempt goes on.
func (e *Engine) settles(j schedule.Job) (schedule.Job, bool) {
	c, r, mark := e.copies, e.records.at(j.Number()), j.Mark()
	c.by = r.worker
	if mark == 0 {
		return j, true // no call was made
	}
	d := *c.at(mark)
	if Cause(j.Cause()) != NoCause {
		r.calls = d.calls
		if e.linger(j, e.rule(j), r) != nil {
			return j, false
		}
	}
	c.by = d.worker
	if d.runs && Cause(j.Cause()) != Breaker {
		e.pending.unlock(j.Cohort())
	}
	if c.spent(mark) {
		if d.runs {
			e.crew.put(d.worker)
		}
		c.drop(mark)
		e.emit(Ignored, 0, d.Job).Cause = Cause(j.Cause())
		return j, false
	}
	if d.worker != nobody {
		r.worker = d.worker
	}
	c.settle(j.Number())
	c.drop(mark)
	return d.WithCause(j.Cause()), true
}

// handOver gives a job that is to wait into the hands of a worker, if workers hold what waits and one is there.
func (e *Engine) handOver(w schedule.Entry, worker int) schedule.Entry {
	c := e.copies
	if !c.hold {
		return w
	}
	if worker == nobody {
		var any bool
		if worker, any = e.hands().lowest(); !any {
			return w
		}
	}
	mark := c.add(w.Job, w.At)
	c.at(mark).worker = worker
	if c.visibility > 0 && !c.renew {
		c.startLease(mark, e.now)
	}
	w.Job = w.WithMark(mark)
	return w
}

// lose takes a copy out of the hands of a worker that has crashed.
func (e *Engine) lose(j schedule.Job) {
	c, mark := e.copies, j.Mark()
	d := c.at(mark)
	if d.runs {
		e.running--
		if e.bounded && j.Holds() {
			e.service.End()
		}
		e.pending.unlock(j.Cohort())
	}
	if c.renew && c.visibility > 0 && !c.spent(mark) {
		c.startLease(mark, e.now)
	}
	ends, job, settled := clock.Time(0), d.Job, c.spent(mark)
	if d.leased {
		ends, d.lost = d.lease, true
		c.lost++
	} else if c.drop(mark); !settled && *c.current.at(job.Number()) == 0 {
		c.gone++
	}
	e.room()
	e.emit(Lost, ends, job)
}

// wait puts a job where it waits for its due instant, which no worker's call has led to.
func (e *Engine) wait(w schedule.Entry) {
	if e.copies != nil && w.Mark() == 0 {
		w = e.handOver(w, nobody)
	}
	e.waiting.Add(w)
}

// letGo makes the jobs pending that workers hold and that are due.
func (e *Engine) letGo() {
	var all []schedule.Entry
	for e.due() {
		all = append(all, e.waiting.Pop())
	}
	slices.SortStableFunc(all, e.copies.byLease)
	for _, due := range all {
		if mark := due.Mark(); mark != 0 {
			e.copies.at(mark).worker = nobody
		}
		if e.err == nil {
			e.queueUp(due)
		}
	}
}
