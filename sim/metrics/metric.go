package metrics

import (
	"herdsim/sim/engine"
)

// A Dimension is what a number measures: only numbers of one dimension compare.
type Dimension uint8

// Dimensions, and what the numbers of a Value are in.
const (
	Count   Dimension = iota // things
	Ratio                    // a pure number
	Rate                     // per second
	Span                     // seconds
	Instant                  // seconds since the start of the run
)

// String returns the dimension's unit in words.
func (d Dimension) String() string {
	return [...]string{"count", "ratio", "per second", "seconds", "instant, seconds"}[d]
}

// arguments is a set of the arguments of terms.
type arguments uint8

const (
	byWindow arguments = 1 << iota
	byAfter
	byBefore
	byRetry
	byCohort
)

// argumentNames are in the order in which a term is written.
func argumentNames() []string { return []string{"window", "after", "before", "retry", "cohort"} }

// names returns the names of the set's arguments.
func (a arguments) names() []string {
	var names []string
	for i, name := range argumentNames() {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// parts is a set of what a tally takes in: kinds of events, and what it collects of them beside counts.
type parts uint64

const (
	arrivals   parts = 1<<engine.Arrived | 1<<engine.Scheduled
	promotions parts = 1 << engine.Promoted
	starts     parts = 1<<engine.Began | 1<<engine.Called | 1<<engine.Duplicated
	successes  parts = 1 << engine.Succeeded
	failures   parts = 1<<engine.Failed | 1<<engine.Faltered | 1<<engine.Ignored
	deaths     parts = 1 << engine.Died
	refusals   parts = 1 << engine.Refused
	holds      parts = 1 << engine.Held
	replays    parts = 1 << engine.Replayed
	drops      parts = 1 << engine.Dropped
	again      parts = 1 << engine.Redelivered
	finishes         = successes | deaths | replays
)

const (
	attemptsPart parts = 1 << (iota + 32)
	callsPart
	retriesPart
	latencyPart
	freshPart
	lagPart
	spreadPart

	wholeParts = ^spreadPart // of the tally of all events
)

// A metric is a row of the metric table.
type metric struct {
	id         string
	dimension  Dimension
	takes      arguments
	needs      arguments // of those, the ones without which it means nothing
	reads      parts
	definition string
	value      func(f *facts) (Value, error)
}

// byID holds the metric table for finding: terms are looked up for every case of a matrix and every run.
var byID = func() map[string]metric {
	all := map[string]metric{}
	for _, m := range table() {
		all[m.id] = m
	}
	return all
}()

// find returns the metric of that id.
func find(id string) (metric, bool) {
	m, ok := byID[id]
	return m, ok
}

// mustFind returns the metric of a term that was checked when it was read.
func mustFind(id string) metric {
	m, ok := find(id)
	if !ok {
		panic("metrics: no metric " + id)
	}
	return m
}

// Standard returns the terms that every run is measured by, in the order of the metric table.
func Standard() []Term {
	var terms []Term
	for _, m := range table() {
		if m.needs == 0 {
			terms = append(terms, Term{ID: m.id})
		}
	}
	return terms
}
