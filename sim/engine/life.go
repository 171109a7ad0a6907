package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// arrive takes the jobs whose instant is now; they are pending at once.
func (e *Engine) arrive() {
	for e.arrivals.next == e.now && e.err == nil {
		e.room()
		cohort, index := e.arrivals.pop()
		slot := e.jobs.add(job{arrival: e.now, index: index, cohort: cohort})
		e.emit(Arrived, 0, e.jobs.at(slot), 0)
		e.pending.push(schedule.Entry{At: e.now, Job: slot, Tag: 1})
	}
}

// sweep promotes what is due, if a sweep's turn is now.
func (e *Engine) sweep() {
	moved := 0
	if e.due() {
		for left := e.sweeps.limit(e.now); moved < left && e.due() && e.err == nil; moved++ {
			e.room()
			due := e.waiting.Pop()
			e.emit(Promoted, due.At, e.jobs.at(due.Job), due.Tag)
			e.pending.push(schedule.Entry{At: e.now, Job: due.Job, Tag: due.Tag})
		}
	}
	e.sweeps.end(e.now, moved)
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
	for e.pending.len() > 0 && e.idle() && e.err == nil {
		e.begin(e.pending.pop())
	}
}

// idle reports whether a worker is free.
func (e *Engine) idle() bool {
	return e.config.Workers.Count == 0 || e.running < e.config.Workers.Count
}

// begin starts the call of one attempt and decides how and when it ends.
func (e *Engine) begin(p schedule.Entry) {
	e.room()
	j := e.jobs.at(p.Job)
	e.emit(Began, p.At, j, p.Tag)
	e.draws.err.Readdress(uint32(j.cohort), uint64(j.index), uint64(p.Tag))
	j.cause = e.service.Begin(e.now, &e.draws.err)
	var took time.Duration
	if j.cause != NoCause {
		took = e.service.FailsAfter(j.cause)
	} else {
		took = clock.Time(e.serviceTime(j, p.Tag)).Add(e.service.Latency()).Sub(0)
	}
	e.running++
	if took == 0 {
		e.ended.Push(schedule.Entry{At: e.now, Job: p.Job, Tag: p.Tag})
		return
	}
	e.calls.Add(schedule.Entry{At: min(e.now.Add(took), clock.End-1), Job: p.Job, Tag: p.Tag})
}

func (e *Engine) serviceTime(j *job, attempt uint32) time.Duration {
	if e.config.Workers.Service == nil {
		return 0
	}
	e.draws.service.Readdress(uint32(j.cohort), uint64(j.index), uint64(attempt))
	return e.config.Workers.Service.Span(&e.draws.service)
}

// endCalls settles the calls whose end is now, in the order in which they began.
func (e *Engine) endCalls() {
	for e.calls.Head <= e.now {
		e.ended.Push(e.calls.Pop())
	}
	e.settleEnded()
}

// settleEnded lets the calls that have ended succeed, be retried or die. It reports whether the instant goes on: whether
// a worker became free for a pending job, or a retry is due at once.
func (e *Engine) settleEnded() (again bool) {
	for e.ended.Len() > 0 && e.err == nil {
		e.room()
		call := e.ended.Pop()
		e.running--
		j := e.jobs.at(call.Job)
		if j.cause != NoCause && int(call.Tag) < e.config.Budget.Tries {
			e.retry(call, j)
			continue
		}
		if j.cause == NoCause {
			e.emit(Succeeded, j.arrival, j, call.Tag)
		} else {
			ev := e.emit(Died, j.arrival, j, call.Tag)
			ev.Cause, ev.Reason = j.cause, Exhausted
		}
		e.jobs.remove(call.Job)
	}
	return e.pending.len() > 0 && e.idle() || e.sweeps.every == 0 && e.due()
}

// retry puts a failed job on the schedule. A retry is a delayed job like any other.
func (e *Engine) retry(call schedule.Entry, j *job) {
	e.draws.jitter.Readdress(uint32(j.cohort), uint64(j.index), uint64(call.Tag))
	failure := policy.Failure{Number: int(call.Tag), Charged: int(call.Tag) - 1}
	due := e.now.Add(e.config.Policy.Wait(failure, &e.draws.jitter))
	if e.config.Queue.Resolution > 1 {
		due = due.Floor(e.config.Queue.Resolution)
	}
	due = min(due, clock.End-1)
	if due <= e.now {
		e.err = e.zero.count(call.Job, j.number, e.config.PolicyName, e.now)
	}
	e.emit(Failed, due, j, call.Tag).Cause = j.cause
	e.waiting.Add(schedule.Entry{At: due, Job: call.Job, Tag: call.Tag + 1})
}
