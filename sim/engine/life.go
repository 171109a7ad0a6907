package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// arrive takes the jobs whose instant is now: they are pending at once, unless the cohort delays the first run.
func (e *Engine) arrive() {
	for e.arrivals.next == e.now && e.err == nil {
		e.room()
		cohort, index := e.arrivals.pop()
		j := schedule.NewJob(e.now, e.arrived, index, cohort)
		if e.records != nil {
			e.records.arrive(e.now)
		}
		if e.copies != nil {
			e.copies.arrive()
		}
		e.arrived++
		e.live++
		if e.cohorts.delays != nil && e.cohorts.delays[cohort] > 0 {
			due := e.dueAfter(e.cohorts.delays[cohort])
			e.emit(Scheduled, due, j)
			e.wait(schedule.Entry{At: due, Job: j.Next()})
			continue
		}
		e.emit(Arrived, 0, j)
		e.pending.push(schedule.Entry{At: e.now, Job: j.Next()})
	}
}

// promoteDue promotes a job at its due instant, and all that are due with it. The last need not queue up when no other is before
// it: with a worker free, its call begins at once.
func (e *Engine) promoteDue(due schedule.Entry) {
	for e.due() && e.err == nil {
		e.queueUp(due)
		due = e.waiting.Pop()
	}
	if e.pending.count > 0 || !e.idle() || e.records != nil {
		e.queueUp(due)
		return
	}
	e.begin(due)
}

// begin begins the call of a job that is due, and need not queue up.
func (e *Engine) begin(due schedule.Entry) {
	called, ended := e.call(due.Job, uint64(due.Attempt()))
	if ended && due.At == e.now {
		e.settle(called, true)
		return
	}
	e.room()
	e.emit(Promoted, due.At, due.Job)
	e.room()
	e.emit(Began, e.now, due.Job)
	if ended {
		e.settle(called, false)
	}
}

// queueUp makes a job pending that a sweep has taken off the schedule.
func (e *Engine) queueUp(due schedule.Entry) {
	e.room()
	e.emit(Promoted, due.At, due.Job)
	e.pending.push(schedule.Entry{At: e.now, Job: due.Job})
}

// due reports whether a waiting job is due.
func (e *Engine) due() bool {
	if e.waiting.Head == clock.End {
		e.waiting.Find(e.now)
	}
	return e.waiting.Head <= e.now
}

// claim gives pending jobs to free workers.
func (e *Engine) claim() {
	for e.pending.count > 0 && e.idle() && e.err == nil {
		p := e.pending.pop()
		try, again := uint64(p.Attempt()), false
		if e.records != nil {
			if e.copies != nil {
				e.deliver(p)
				continue
			}
			if e.gates != nil && e.stopped(p) {
				continue
			}
			try, again = e.records.call(p.Job), p.Again()
		}
		e.room()
		e.emit(Began, p.At, p.Job).Again = again
		if j, ended := e.call(p.Job, try); ended {
			e.ended.Push(schedule.Entry{At: e.now, Job: j})
		}
	}
}

// idle reports whether a worker is free.
func (e *Engine) idle() bool {
	return e.running < e.slots
}

// call starts a call of a job, which is its try-th, and decides how and when it ends. A call of zero length has ended, and is
// the caller's to settle.
func (e *Engine) call(j schedule.Job, try uint64) (called schedule.Job, ended bool) {
	e.running++
	cause := dependency.Outage
	if !e.service.Down(e.now) {
		e.draws.err.Readdress(uint32(j.Cohort()), uint64(j.Index()), try)
		cause = e.service.Begin(e.now, j.Cohort(), &e.draws.err)
	}
	took := e.service.Took(cause)
	if cause == NoCause {
		took = clock.Plus(e.serviceTime(j), took)
	}
	called = j.WithCause(uint8(cause))
	if e.bounded {
		called, took = e.bound(called, took)
	}
	if took > 0 {
		e.calls.Add(schedule.Entry{At: min(e.now.Add(took), clock.End-1), Job: called})
	}
	return called, took == 0
}

func (e *Engine) serviceTime(j schedule.Job) time.Duration {
	if e.cohorts.services == nil {
		return 0
	}
	service := e.cohorts.services[j.Cohort()]
	if service == nil {
		return 0
	}
	try := uint64(j.Attempt())
	if e.records != nil {
		try = uint64(e.records.at(j.Number()).tries)
	}
	e.draws.service.Readdress(uint32(j.Cohort()), uint64(j.Index()), try)
	return service.Span(&e.draws.service)
}

// endCalls takes in the calls whose end is now, in the order in which they began.
func (e *Engine) endCalls() {
	for e.calls.Head <= e.now && e.err == nil {
		e.end(e.calls.Pop().Job)
	}
	e.settleEnded()
}

// settleEnded takes in the calls that ended as they began.
func (e *Engine) settleEnded() {
	for e.ended.Len() > 0 && e.err == nil {
		e.end(e.ended.Pop().Job)
	}
}

// end goes on with a job whose call, or wait between two calls of its attempt, has ended.
func (e *Engine) end(j schedule.Job) {
	if j.Cause() == uint8(resting) {
		e.repeat(j)
		return
	}
	e.settle(j, false)
}

// settle lets a job whose call has ended succeed, be retried or die. The event is prompt when it also tells how the attempt
// came about.
func (e *Engine) settle(j schedule.Job, prompt bool) {
	e.room()
	e.running--
	cause := Cause(j.Cause())
	if e.bounded && j.Holds() {
		e.service.End()
	}
	if e.copies != nil {
		var decides bool
		if j, decides = e.settles(j); !decides {
			return
		}
	}
	var ev *Event
	if cause == NoCause {
		ev = e.emit(Succeeded, j.Arrival, j)
		e.live--
		if e.records != nil {
			e.succeed(j, ev)
		}
	} else if rule := e.rule(j); e.records != nil {
		ev = e.fail(j, rule)
	} else if n := int(j.Attempt()); n >= rule.Budget.Tries {
		ev = e.die(j, Exhausted)
	} else {
		ev = e.retry(j, rule, uint64(n), policy.Failure{Number: n, Charged: n - 1, Age: e.now.Sub(j.Arrival)})
	}
	if prompt {
		ev.Prompt = true
		e.prompt++
	}
}

// die ends a failed job's life.
func (e *Engine) die(j schedule.Job, why Reason) *Event {
	if e.morgue != nil {
		e.bury(j)
		e.room()
	}
	ev := e.emit(Died, j.Arrival, j)
	ev.Cause, ev.Reason = Cause(j.Cause()), why
	if j.Again() {
		ev.Attempt, ev.Again = e.used(j), true
	}
	e.live--
	return ev
}

// retry puts a job whose try failed on the schedule, unless it would be due too long after its life began. A retry is a
// delayed job like any other.
func (e *Engine) retry(j schedule.Job, rule *Rule, try uint64, f policy.Failure) *Event {
	e.draws.jitter.Readdress(uint32(j.Cohort()), uint64(j.Index()), try)
	due := e.dueAfter(rule.Policy.Wait(f, &e.draws.jitter))
	if due.Sub(e.now)+f.Age > rule.Budget.Elapsed {
		return e.die(j, Expired)
	}
	if rule.gate != nil {
		var instead *Event
		if due, instead = e.ask(j, rule, due); instead != nil {
			return instead
		}
	}
	if due <= e.now && e.zero.count(j.Number()) {
		e.err = &ZeroDelayError{Policy: rule.Name, Job: j.Number(), At: e.now, Resolution: e.config.Queue.Resolution}
	}
	ev := e.emit(Failed, due, j)
	ev.Cause = Cause(j.Cause())
	next := schedule.Entry{At: due, Job: j.Next()}
	if e.copies != nil {
		next = e.handOver(next, e.copies.by)
	}
	e.waiting.Add(next)
	return ev
}

// dueAfter returns the due instant of a wait that begins now.
func (e *Engine) dueAfter(wait time.Duration) clock.Time {
	due := e.now.Add(wait)
	if e.config.Queue.Resolution > 1 {
		due = due.Floor(e.config.Queue.Resolution)
	}
	return min(due, clock.End-1)
}
