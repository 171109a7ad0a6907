package engine

import (
	"slices"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// A record is what the engine remembers of a job beyond what travels with it: what only some runs need to know.
type record struct {
	since   clock.Time // when its present life began: its arrival
	charged uint32     // failures of this life that spent budget
	tries   uint32     // calls of all its lives: they address what a call draws

	attempts uint32 // of all its lives: they address the waits
	probe    uint32 // the round of the breaker whose probe its attempt is; 0 for none
	paid     bool   // the retry budget has given the token of the attempt to come
}

// records hold every job's record, by job number. They are nil when the number of the attempt and the instant of arrival say
// all that a record would.
type records []record

// newRecords returns the records that c needs.
func newRecords(c *Config) records {
	if slices.ContainsFunc(c.disciplines(), (*Discipline).needsRecords) {
		return records{}
	}
	return nil
}

// arrive begins the record of the job that arrives at now.
func (r *records) arrive(now clock.Time) { *r = append(*r, record{since: now}) }

// call counts an attempt that the job makes and its call, and returns which try that is.
func (r records) call(j schedule.Job) uint64 {
	r[j.Number()].attempts++
	r[j.Number()].tries++
	return uint64(r[j.Number()].tries)
}

// succeed takes note of an attempt that succeeded.
func (e *Engine) succeed(j schedule.Job) {
	if g := e.rule(j).gate; g != nil {
		g.succeeded(&e.records[j.Number()])
	}
}

// fail decides about a job whose call has failed where attempts alone do not tell what has been spent.
func (e *Engine) fail(j schedule.Job, rule *Rule) *Event {
	r, cause := &e.records[j.Number()], Cause(j.Cause())
	if rule.gate != nil && cause != Breaker {
		rule.gate.failed(e.now, r)
	}
	if rule.Discipline.NotRetryable.Has(cause) {
		return e.die(j, NotRetryable)
	}
	f := policy.Failure{Number: int(j.Attempt()), Charged: int(r.charged), Age: e.now.Sub(r.since)}
	if !rule.Discipline.Uncharged.Has(cause) {
		r.charged++
	}
	if int(r.charged) >= rule.Budget.Tries {
		return e.die(j, Exhausted)
	}
	return e.retry(j, rule, uint64(r.attempts), f)
}
