package metrics

import "herdsim/sim/clock"

// A Summary is what is left of one run: integers, from which Value reads every number.
type Summary struct {
	Series  Series
	Verdict Verdict
	Rounds  []Round // of the retries 1, 2, … up to the 1000th, that any job had

	end    clock.Time // the instant at which the run ended
	spec   Spec
	whole  *facts
	narrow []*facts
}

// facts are a selection's numbers. Those of parts that were not collected are zero.
type facts struct {
	counts
	selection
	collected parts
	outage    clock.Time // end of the last one
	hasOutage bool
	attempts  attemptRows
	calls     peakFacts
	retries   peakFacts
	latency   spanFacts
	fresh     spanFacts
	lag       spanFacts
	spread    roundFacts
	layers    []int64
	weighed   bool // some cohort has a payload
}

func (t *tally) facts(spec *Spec) *facts {
	t.settle()
	return &facts{
		counts: t.counts, selection: t.selection, collected: t.collected,
		outage: spec.LastOutageEnd, hasOutage: spec.HasOutageEnd,
		attempts: t.attempts.rows(), calls: t.calls.facts(), retries: t.retries.facts(),
		latency: t.latency.facts(), fresh: t.fresh.facts(), lag: t.lag.facts(), spread: t.spread.facts(),
		layers: t.layers, weighed: t.payloads != nil,
	}
}

// Attempts returns the finished jobs by the tries they used, fewest first; numbers that no job used are left out.
func (s *Summary) Attempts() []AttemptRow { return s.whole.attempts }

// Layers returns how many calls each layer of tries inside attempts has added, the outermost first; the last ones may be
// missing when they added none.
func (s *Summary) Layers() []int64 { return s.whole.layers }

// Value reads a term: one of the standard set, or one of Spec.Terms. The error says why the run has no such value,
// e.g. "no job died".
func (s *Summary) Value(t Term) (Value, error) { return Reading(t)(s) }

// Reading returns what Value gives for a term, for whoever reads it from many summaries: the term is looked up once.
func Reading(t Term) func(*Summary) (Value, error) {
	m := mustFind(t.ID)
	return func(s *Summary) (Value, error) { return m.value(s.find(s.spec.selection(t), m.reads)) }
}

// find returns the facts of a selection that hold the given parts.
func (s *Summary) find(sel selection, p parts) *facts {
	for _, f := range append([]*facts{s.whole}, s.narrow...) {
		if f.selection == sel && f.collected&p == p {
			return f
		}
	}
	panic("metrics: the recorder was not asked for this term")
}
