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
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("policy `%s` reached the limit of %d events at %v of simulated time: raise --max-events, or bound the run by stop.at or a smaller budget",
		e.Policy, e.MaxEvents, time.Duration(e.At))
}

// A ZeroDelayError says that a job was retried without end in one instant.
type ZeroDelayError struct {
	Policy string
	Job    uint32
	At     clock.Time
}

func (e *ZeroDelayError) Error() string {
	return fmt.Sprintf("policy `%s` retries job %d without delay: it failed %d times at %v of simulated time; give the policy a wait above 0",
		e.Policy, e.Job, maxZeroDelays, time.Duration(e.At))
}

// zeroDelays counts the failures of this instant whose retry is due at once.
type zeroDelays struct{ failures map[uint32]int }

func (z *zeroDelays) reset() {
	if len(z.failures) > 0 {
		clear(z.failures)
	}
}

// count notes such a failure of a job; the error is a *ZeroDelayError when it was one too many.
func (z *zeroDelays) count(number uint32, policy string, now clock.Time) error {
	if z.failures == nil {
		z.failures = make(map[uint32]int)
	}
	z.failures[number]++
	if z.failures[number] < maxZeroDelays {
		return nil
	}
	return &ZeroDelayError{Policy: policy, Job: number, At: now}
}
