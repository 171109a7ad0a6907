package engine

import (
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// A record is what the engine remembers of a job beyond what travels with it: what only some runs need to know.
type record struct {
	since   clock.Time // from when its age counts: its arrival, or a replay that let it start afresh
	charged uint32     // failures of this life that spent budget
	tries   uint32     // calls of all its lives: they address what a call draws

	attempts uint32 // of all its lives: they address the waits
	worker   int    // that runs or ran its present attempt; 0 where that does not matter
	probe    uint32 // the round of the breaker whose probe its attempt is; 0 for none
	calls    uint32 // of its present attempt
	stalls   uint32 // of this life
	repeats  bool   // the call to come is a further one of its attempt
	paid     bool   // the retry budget has given the token of the attempt to come
}

// records hold every job's record, by job number. They are nil when the number of the attempt and the instant of arrival say
// all that a record would.
type records struct{ table[record] }

// newRecords returns the records that a run needs: for what its policies say, or for others, who keep accounts by them.
func newRecords(c *Config, others bool) *records {
	if others || slices.ContainsFunc(c.disciplines(), func(d *Discipline) bool { return !d.Plain() }) {
		return new(records)
	}
	return nil
}

// arrive begins the record of the job that arrives at now.
func (r *records) arrive(now clock.Time) { r.add(record{since: now}) }

// call counts a call that the job makes, and the attempt if it is its first, and returns which try it is.
func (r *records) call(j schedule.Job) uint64 {
	mine := r.at(j.Number())
	if !mine.repeats {
		mine.attempts++
		mine.calls = 0
	}
	mine.repeats = false
	mine.calls++
	mine.tries++
	return uint64(mine.tries)
}

// succeed takes note of an attempt that succeeded.
func (e *Engine) succeed(j schedule.Job, ev *Event) {
	r := e.records.at(j.Number())
	e.crew.put(r.worker)
	if j.Again() {
		ev.Attempt, ev.Again = r.attempts, true
	}
	if g := e.rule(j).gate; g != nil {
		g.succeeded(r)
	}
}

// fail decides about a job whose call has failed where attempts alone do not tell what has been spent.
func (e *Engine) fail(j schedule.Job, rule *Rule) *Event {
	r := e.records.at(j.Number())
	if ev := e.linger(j, rule, r); ev != nil {
		return ev
	}
	e.crew.put(r.worker)
	f, death := e.spend(j, rule, r)
	if death != nil {
		return death
	}
	if e.tells && Cause(j.Cause()) == Overload {
		f.Hint = e.told(j)
	}
	return e.retry(j, rule, uint64(r.attempts), f)
}

// spend spends what a failed attempt costs. It returns what the policy is to know of the failure, or the job's death.
func (e *Engine) spend(j schedule.Job, rule *Rule, r *record) (f policy.Failure, death *Event) {
	cause := Cause(j.Cause())
	if rule.gate != nil && cause != Breaker {
		rule.gate.failed(e.now, r)
	}
	f = policy.Failure{Number: int(j.Attempt()), Charged: int(r.charged), Age: e.now.Sub(r.since)}
	charged := !rule.Discipline.Uncharged.Has(cause)
	if charged {
		r.charged++
	}
	switch {
	case rule.Discipline.NotRetryable.Has(cause):
		return f, e.die(j, NotRetryable)
	case charged && int(r.charged) >= rule.Budget.Tries:
		return f, e.die(j, Exhausted)
	}
	return f, nil
}

// told returns how long it takes, as the refused call of a job was told, until there is capacity again; 0 when it was told
// nothing.
func (e *Engine) told(j schedule.Job) time.Duration {
	at := e.service.Hint(e.now, j.Cohort())
	if at > e.now {
		e.emit(Told, at, j)
		e.room()
	}
	return at.Sub(e.now)
}

// nextRare returns the next instant at which something happens that is told by records: a token comes, a dead job comes back, a
// letter is too old, a worker crashes or returns, a lease ends. Letters and crashes alone do not keep a run going.
func (e *Engine) nextRare() clock.Time {
	at := clock.End
	if e.gates != nil {
		at = e.wake()
	}
	if e.morgue != nil {
		at = min(at, e.morgue.next(e.now))
		if e.live > 0 || e.copies.any() || e.config.RunOn || min(at, e.arrivals.next) < e.config.Stop {
			at = min(at, e.morgue.expiry())
		}
	}
	if e.copies != nil && (e.live > 0 || e.copies.any() || min(at, e.arrivals.next) < e.config.Stop) {
		at = min(at, e.copies.next(), e.hands().next())
	}
	return at
}

// tendRare gives the dead, the workers that crash or return, the leases, and those who wait for a token their turn of the instant.
func (e *Engine) tendRare() {
	if e.morgue != nil {
		e.tend()
	}
	if e.copies != nil {
		e.changeHands()
		e.expire()
	}
	if e.gates != nil {
		e.release()
	}
}
