package engine

import (
	"time"

	"herdsim/sim/schedule"
)

// bound completes what is to be known of a call that has just begun: whether it is counted among those in flight, and whether
// its caller waits till its end.
func (e *Engine) bound(called schedule.Job, took time.Duration) (schedule.Job, time.Duration) {
	counted := e.service.Counts(Cause(called.Cause()))
	if patience := e.config.Workers.Timeout; patience > 0 && took > patience {
		called, took = called.WithCause(uint8(Timeout)), patience
	}
	if counted {
		called = called.Holding()
	}
	return called, took
}
