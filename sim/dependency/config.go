// Package dependency models the service that the workers call: when it is down, whom it refuses, how long it takes.
package dependency

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Config describes a dependency. The zero value answers every call at once.
type Config struct {
	Outages   []Window        // may overlap, in any order
	Capacity  *clock.Rate     // admitted calls per aligned window of Per; nil for no limit
	ErrorRate rng.Probability // chance that an admitted call fails
	Latency   time.Duration   // added to the service time of a succeeding call
	FailAfter time.Duration   // how long a call that fails by outage or error holds its worker
}

// A Window is the half-open span [From, To).
type Window struct{ From, To clock.Time }
