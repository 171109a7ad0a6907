package experiment

import (
	"cmp"
	"maps"
	"slices"

	"herdsim/sim/engine"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// bytesPerLetter is what a dead job costs whose letter is wanted, and its line of text.
const bytesPerLetter = 256

// A mailbox observes a run and keeps the letters of the jobs that are dead.
type mailbox struct {
	next    engine.Observer
	cohorts []engine.Cohort
	letters map[uint32]result.Letter // by job
}

// Observe implements engine.Observer.
func (m *mailbox) Observe(batch []engine.Event) error {
	for i := range batch {
		switch e := &batch[i]; e.Kind {
		case engine.Died:
			l := result.Letter{
				Job: e.Job, Attempts: e.Attempt, Cohort: m.cohorts[e.Cohort].Name, Reason: e.Reason.String(),
				Arrived: e.Ref.Sub(0), Died: e.At.Sub(0), Kept: true, Payload: m.cohorts[e.Cohort].Payload,
			}
			if e.Cause != engine.NoCause {
				l.Cause = e.Cause.String()
			}
			m.letters[e.Job] = l
		case engine.Replayed:
			delete(m.letters, e.Job)
		case engine.Dropped:
			l := m.letters[e.Job]
			l.Kept, l.Dropped = false, e.At.Sub(0)
			m.letters[e.Job] = l
		}
	}
	return m.next.Observe(batch)
}

// sorted returns the letters by death, then by job.
func (m *mailbox) sorted() []result.Letter {
	return slices.SortedFunc(maps.Values(m.letters), func(a, b result.Letter) int {
		return cmp.Or(cmp.Compare(a.Died, b.Died), cmp.Compare(a.Job, b.Job))
	})
}

// hand hands over the letters of a case's runs, if someone wants them.
func hand(c *scenario.Case, runs []run, to func(result.Letters)) {
	if to == nil {
		return
	}
	n := c.Replications
	for i := range runs {
		to(result.Letters{Set: settings(c.Set), Policy: c.Policies[i/n].Name, Replication: i % n, Letters: runs[i].letters})
	}
}

// payloads returns the bytes of a job's payload by cohort; nil when no cohort has one.
func payloads(cohorts []engine.Cohort) []int64 {
	if !slices.ContainsFunc(cohorts, func(c engine.Cohort) bool { return c.Payload > 0 }) {
		return nil
	}
	all := make([]int64, len(cohorts))
	for i := range cohorts {
		all[i] = int64(cohorts[i].Payload)
	}
	return all
}
