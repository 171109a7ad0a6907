// Package metrics measures a run: a Recorder observes the engine's events and leaves a Summary of integers, from which
// every number of a result is read. What can be read, and by which name, is the metric table (docs/metrics.md).
package metrics

import (
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// A Spec says what to measure beside the standard set.
type Spec struct {
	Bin           time.Duration // of the series; 0: 1 s, doubled until 4096 bins cover the run
	Window        time.Duration // of peaks that name none; above 0
	Cohorts       []string      // names, in the order of Config.Cohorts
	Payloads      []int64       // bytes of a job's payload, by cohort; nil when none has one
	LastOutageEnd clock.Time    // what recovery.* count from
	HasOutageEnd  bool          // there is one
	Terms         []Term        // whatever of them the standard set does not give is collected beside it
}

// A Recorder measures one run. It keeps no state of any job.
type Recorder struct {
	spec   Spec
	whole  *tally
	narrow []*tally // one for each selection that a term of the spec names, in that order
}

// NewRecorder returns a recorder for one run. The spec's terms must be ones that ParseTerm gave for its cohorts.
func NewRecorder(spec Spec) *Recorder {
	if spec.Window <= 0 {
		panic("metrics: the window of peaks must be above 0")
	}
	r := &Recorder{spec: spec, whole: spec.tally(spec.selection(Term{}))}
	r.whole.collect(wholeParts)
	r.whole.keepRounds = true
	r.whole.bins = newBins(spec.Bin)
	for _, term := range spec.Terms {
		if s := spec.selection(term); s != r.whole.selection {
			r.narrowTo(s).collect(mustFind(term.ID).reads)
		}
	}
	return r
}

// narrowTo returns the tally of a selection, made when it is the first to ask for it.
func (r *Recorder) narrowTo(s selection) *tally {
	i := slices.IndexFunc(r.narrow, func(t *tally) bool { return t.selection == s })
	if i >= 0 {
		return r.narrow[i]
	}
	t := r.spec.tally(s)
	t.narrow = true
	r.narrow = append(r.narrow, t)
	return t
}

// tally returns an empty tally of a selection that only counts.
func (s *Spec) tally(sel selection) *tally {
	t := &tally{selection: sel, outage: clock.End, lastRetry: -1, payloads: s.Payloads}
	if s.HasOutageEnd {
		t.outage = s.LastOutageEnd
	}
	return t
}

// selection returns what a term selects.
func (s *Spec) selection(t Term) selection {
	sel := selection{
		cohort: allCohorts, after: uint64(t.After), before: forever, retry: uint32(t.Retry), window: s.Window,
	}
	if t.Before > 0 {
		sel.before = uint64(t.Before)
	}
	if t.Window > 0 {
		sel.window = t.Window
	}
	if t.Cohort != "" {
		sel.cohort = slices.Index(s.Cohorts, t.Cohort)
		if sel.cohort < 0 {
			panic("metrics: no cohort " + t.Cohort)
		}
	}
	return sel
}

// collect makes the given parts, unless they are there.
func (t *tally) collect(p parts) {
	p &^= t.collected
	t.collected |= p
	if p&attemptsPart != 0 {
		t.attempts = &attempts{high: map[uint32]finished{}}
	}
	if p&callsPart != 0 {
		t.calls = newPeak(t.window)
	}
	if p&retriesPart != 0 {
		t.retries = newPeak(t.window)
	}
	if p&latencyPart != 0 {
		t.latency = new(spans)
	}
	if p&freshPart != 0 {
		t.fresh = new(spans)
	}
	if p&lagPart != 0 {
		t.lag = new(spans)
	}
	if p&spreadPart != 0 {
		t.spread = &round{peak: *newPeak(t.window)}
	}
}

// Observe measures a batch of events, which come in the order of time. Its error is a *BinError, or nil.
func (r *Recorder) Observe(batch []engine.Event) error {
	r.whole.observe(batch)
	for _, t := range r.narrow {
		t.observe(batch)
	}
	if err := r.whole.bins.err; err != nil {
		return err
	}
	return nil
}

// Finish ends the recording; end is the instant at which the run ended. Its error is a *BinError, or nil.
func (r *Recorder) Finish(end clock.Time) (*Summary, error) {
	whole := r.whole
	whole.bins.finish(whole.now, end, whole.mark())
	if err := whole.bins.err; err != nil {
		return nil, err
	}
	s := &Summary{spec: r.spec, end: end, Series: whole.bins.series(), Verdict: whole.bins.verdict(), whole: whole.facts(&r.spec)}
	for i := range whole.rounds {
		if whole.rounds[i].peak.seen > 0 {
			s.Rounds = append(s.Rounds, Round{Retry: i + 1, facts: whole.rounds[i].facts()})
		}
	}
	for _, t := range r.narrow {
		s.narrow = append(s.narrow, t.facts(&r.spec))
	}
	return s, nil
}
