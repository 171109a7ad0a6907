// Package scenario reads scenario files: YAML in, a checked Scenario or a list of diagnostics out. Nothing after this
// border looks at YAML or checks a user's input again.
package scenario

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/policy"
)

// A File is one scenario file and the cases that its matrix spans, in order; without a matrix there is one.
type File struct {
	Name        string // `name`, or the file's name without its ending
	Path        string // as the user wrote it
	SHA256      string // of the file's bytes, in hex
	Description string
	Settings    []Setting // what the file and the command line write; see settings.go
	Cases       []Case
}

// A Case is one combination of the matrix.
type Case struct {
	Set []Setting
	Scenario
}

// A Setting replaces what is at a dotted path by a YAML value.
type Setting struct{ Path, Value string }

// A Scenario is a case resolved: every default filled in, every unit an integer.
type Scenario struct {
	Seed         uint64
	Replications int
	Base         engine.Config // without Replication, what policies say, and MaxEvents
	Workload     string        // the cohorts in words, for the head of a report
	Outages      []Outage      // in the file's order, repetitions spelled out as NAME#1, NAME#2, …
	Capacity     string        // the dependency's, in words; "" for none
	Phases       []Phase       // in the file's order
	Replay       string        // when dead letters are replayed, in words; "" for never
	Policies     []Policy      // in the file's order; the first is the baseline
	Metrics      Metrics
	Checks       []Check // in the file's order
	Knobs        []Knob  // what may be turned to mend a failed check; without checks there are none
}

// An Outage is a named span in which the dependency is down. To is clock.End when it has no end.
type Outage struct {
	Name     string
	From, To clock.Time
	Cohorts  []string // whose calls fail, in the file's order; nil for all
}

// A Phase is a named set of spans in which the dependency differs. A window's To is clock.End when it has no end.
type Phase struct {
	Name    string
	Windows []dependency.Window // in order
	Changes string              // in words
}

// A Policy is one row of the comparison.
type Policy struct {
	Name, Label string // Label is Name when the file gives none
	Policy      policy.Policy
	Budget      policy.Budget
	Discipline  engine.Discipline
	Queue       *engine.Queue // overrides Base.Queue; nil keeps it
	Notes       []string      // what a reader of the result must know, e.g. a preset run without its promotion
}

// Metrics says what is measured beside the standard set.
type Metrics struct {
	Bin    time.Duration // 0: auto
	Window time.Duration // of peaks
	Also   []metrics.Term
}

// Config returns what one replication (from 0) of a policy of s runs.
func (s *Scenario) Config(p *Policy, replication uint64) engine.Config {
	c := s.Base
	c.Replication = replication
	c.PolicyName, c.Policy, c.Budget, c.Discipline = p.Name, p.Policy, p.Budget, p.Discipline
	if p.Queue != nil {
		c.Queue = *p.Queue
	}
	return c
}
