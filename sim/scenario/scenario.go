// Package scenario reads scenario files: YAML in, a checked Scenario or a list of diagnostics out. Nothing after this
// border looks at YAML or checks a user's input again.
package scenario

import (
	"time"

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
	Base         engine.Config // without a World, what policies say, Replication and MaxEvents
	Workload     string        // the cohorts in words, for the head of a report
	World                      // of every policy that has none of its own
	Policies     []Policy      // in the file's order; the first is the baseline
	Metrics      Metrics
	Checks       []Check // in the file's order
	Knobs        []Knob  // what may be turned to mend a failed check; without checks there are none
}

// A Policy is one row of the comparison.
type Policy struct {
	Name, Label string // Label is Name when the file gives none
	Policy      policy.Policy
	Budget      policy.Budget
	Discipline  engine.Discipline
	World       *World    // its own; nil for the scenario's
	Overrides   []Setting // the fields of the scenario that make it so, as they are written
	Notes       []string  // what a reader of the result must know, e.g. a preset run without its promotion

	queue *engine.Queue // of the preset, if it is to be that
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
	w := s.For(p)
	c.Queue, c.Workers, c.Dependency, c.DeadLetter = w.Queue, w.Workers, w.Dependency, w.DeadLetter
	return c
}

// For returns the world that the jobs of a policy of s meet.
func (s *Scenario) For(p *Policy) *World {
	if p.World != nil {
		return p.World
	}
	return &s.World
}
