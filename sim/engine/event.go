package engine

import (
	"iter"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
)

// Kind says what happened.
type Kind uint8

// What can happen to a job, in the order of its life.
const (
	Arrived     Kind = iota // the job exists; it is pending
	Scheduled               // the job exists; its first run waits on the schedule; Ref = its due instant
	Promoted                // a sweep moved it from the schedule to pending; Ref = its due instant
	Began                   // a worker claimed it and its call began; Ref = the instant at which it became pending
	Succeeded               // its call succeeded; Ref = its arrival
	Failed                  // its call failed and it waits on the schedule; Ref = its due instant
	Died                    // its call failed and it is dead, or its retry was not to be; Ref = its arrival
	Refused                 // a worker claimed it and no call was made; Ref = the instant at which it became pending
	Held                    // it waits for a token of its retry budget; Ref = when it would be due, Cause that of the failure just before
	Released                // it has its token and waits on the schedule; Ref = its due instant
	Faltered                // its call failed and its worker waits to make another of the same attempt; Ref = when that begins
	Called                  // another call of its attempt began; Ref = its instant
	Replayed                // it was dead and is pending again; Ref = the instant of its death
	Dropped                 // its letter is dropped: it is dead for good; Ref = the instant of its death
	Duplicated              // a worker claimed a further copy of an attempt that has been called, and its call began; Ref as for Began
	Ignored                 // the call of a copy ended, by Cause if it failed, and another copy had settled the attempt before
	Lost                    // a worker crashed that ran or held a copy of it; Ref = when its lease ends, 0 if never
	Redelivered             // a lease ended and there is another copy of its attempt; Ref = when that is pending, or was its due instant
	Told                    // its call was refused, and told when there is capacity again, before a policy prices the wait; Ref = that instant
	Kinds                   // how many there are
)

// Cause says why an attempt failed.
type Cause = dependency.Cause

// The causes, for those who read events and need not know the dependency.
const (
	NoCause  = dependency.NoCause
	Outage   = dependency.Outage
	Overload = dependency.Overload
	Poison   = dependency.Poison
	Errored  = dependency.Errored
	Timeout  = dependency.Timeout
	Crash    = dependency.Crash
	Breaker  = dependency.Breaker
	Causes   = dependency.Causes
)

// Reason says why a job is dead.
type Reason uint8

// Why a job died.
const (
	NoReason     Reason = iota
	Exhausted           // its tries were spent
	Expired             // its next retry would have been due too long after its arrival
	NotRetryable        // its call failed by a cause after which the policy does not retry
	BudgetEmpty         // the retry budget had no token for its retry
	Stalled             // its leases have ended too often
	Reasons             // how many there are
)

// An Event is one step of one job's life. Events come in the order in which they happen.
type Event struct {
	At      clock.Time
	Ref     clock.Time // see Kind
	Job     uint32     // job number: the order of arrival, from 0
	Attempt uint32     // the attempt concerned, from 1 in each life; for Promoted the one to come; 0 for Arrived and Scheduled; for Succeeded, Died, Replayed and Dropped the attempts of all lives
	Cohort  uint16     // index in Config.Cohorts
	Kind    Kind
	Cause   Cause  // Failed, Died
	Reason  Reason // Died
	Again   bool   // Began, Succeeded, Died: the job was replayed before
	Prompt  bool   // it stands for three events of this instant: see Unfold
	Layer   uint8  // Faltered, Called: which layer tries again, from 1, the outermost
}

// Unfold shows events one by one. A prompt event comes last of the three that it stands for: before it, at the same instant,
// the job was promoted, when due, and began its attempt, pending since then. So a retry that meets neither a late sweep nor a
// busy worker, and whose call takes no time, is told in a third of the words; by far most retries are of that kind.
func Unfold(batch []Event) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for i := range batch {
			ev := batch[i]
			if ev.Prompt {
				before := Event{At: ev.At, Ref: ev.At, Job: ev.Job, Attempt: ev.Attempt, Cohort: ev.Cohort, Kind: Promoted}
				if !yield(&before) {
					return
				}
				before.Kind = Began
				if !yield(&before) {
					return
				}
				ev.Prompt = false
			}
			if !yield(&ev) {
				return
			}
		}
	}
}

// An Observer is shown every event, batch by batch; Unfold spells a batch out. The slice is reused: keep no reference to it. An error stops the run.
type Observer interface {
	Observe(batch []Event) error
}
