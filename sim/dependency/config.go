// Package dependency models the service that the workers call: when it is down, whom it refuses, how long it takes.
package dependency

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Config describes a dependency. The zero value answers every call at once.
type Config struct {
	Outages   []Downtime      // may overlap, in any order
	Capacity  Capacity        // nil for no limit
	ErrorRate rng.Probability // chance that an admitted call fails
	Latency   time.Duration   // added to the service time of a succeeding call
	PerCall   time.Duration   // added to Latency for every other admitted call that has not ended
	FailAfter time.Duration   // how long a call that fails by outage, poison or error holds its worker
	Tells     bool            // a refused caller is told when there is capacity again
	Phases    []Phase         // of those in force the last one that has a field decides it
}

// A Window is the half-open span [From, To).
type Window struct{ From, To clock.Time }

// A Downtime is an outage: a span in which calls fail.
type Downtime struct {
	From, To clock.Time // half open
	Cohorts  []uint16   // whose calls, by index; nil for all
}

// A Phase is what differs while one of its windows lasts. What is nil stays as it is. The phase has one capacity for all its
// windows, which counts from the start of the run.
type Phase struct {
	Windows   []Window // in order, none overlapping another
	Cohorts   []uint16 // for whose calls, by index; nil for all, as it must be of one that stalls
	Capacity  Capacity
	ErrorRate *rng.Probability
	Latency   *time.Duration
	PerCall   *time.Duration
	FailAfter *time.Duration
	Stall     *bool // servers begin no work
	Tells     *bool
}

// Callers are what the dependency knows of those who call it.
type Callers struct {
	Poison  []bool        // by cohort, whether its jobs are poison to the service; nil when none are
	Timeout time.Duration // how long they wait for an answer; 0 for ever
	Server  rng.Draw      // of the servers' service times; its address follows that of the call
}
