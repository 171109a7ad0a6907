package engine

import (
	"fmt"
	"time"

	"herdsim/sim/clock"
)

// maxZeroDelays is how often one job may fail in one instant.
const maxZeroDelays = 10_000

// A LimitError says that a run had more events than it may have.
type LimitError struct {
	Policy    string
	MaxEvents uint64
	At        clock.Time
	Uncharged CauseSet // causes by which a job may fail for ever
}

func (e *LimitError) Error() string {
	why := ""
	if e.Uncharged != 0 {
		why = fmt.Sprintf(" (failures by %v spend no budget, so they may go on for ever)", e.Uncharged)
	}
	return fmt.Sprintf("policy `%s` reached the limit of %d events at %v of simulated time%s: raise --max-events, or bound the run by stop.at or a smaller budget",
		e.Policy, e.MaxEvents, time.Duration(e.At), why)
}

// A ZeroDelayError says that a job was retried without end in one instant.
type ZeroDelayError struct {
	Policy     string
	Job        uint32
	At         clock.Time
	Resolution time.Duration // Queue.Resolution, which may be what makes waits vanish
}

func (e *ZeroDelayError) Error() string {
	mend := "give the policy a wait above 0"
	if e.Resolution > 1 {
		mend += fmt.Sprintf(", and one of at least queue.resolution (%v), to which due instants are cut", e.Resolution)
	}
	return fmt.Sprintf("policy `%s` retries job %d without delay: it failed more than %d times at %v of simulated time; %s",
		e.Policy, e.Job, maxZeroDelays, time.Duration(e.At), mend)
}

// zeroDelays counts the failures of this instant whose retry is due at once.
type zeroDelays struct{ failures map[uint32]int }

func (z *zeroDelays) reset() {
	if len(z.failures) > 0 {
		clear(z.failures)
	}
}

// count notes such a failure of a job and reports whether it was one too many.
func (z *zeroDelays) count(number uint32) bool {
	if z.failures == nil {
		z.failures = make(map[uint32]int)
	}
	z.failures[number]++
	return z.failures[number] > maxZeroDelays
}
