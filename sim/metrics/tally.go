package metrics

import (
	"math"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// A selection says which events a tally takes. Selections of one run are equal exactly when they take the same events
// and judge peaks by the same window.
type selection struct {
	cohort int    // index; allCohorts
	after  uint64 // events at or after it
	before uint64 // events before it; forever
	retry  uint32 // of the begun attempts only the k-th retries; 0: every attempt
	window time.Duration
}

const (
	allCohorts        = -1
	forever    uint64 = math.MaxUint64
)

// admits tells whether a tally of the selection takes e. Arrivals pass whatever the span of time: calls.per_job divides
// by all jobs.
func (s *selection) admits(e *engine.Event) bool {
	if s.cohort != allCohorts && s.cohort != int(e.Cohort) {
		return false
	}
	if e.Kind == engine.Arrived || e.Kind == engine.Scheduled {
		return true
	}
	if at := uint64(e.At); at < s.after || at >= s.before {
		return false
	}
	return s.retry == 0 || 1<<e.Kind&starts == 0 || e.Attempt == s.retry+1
}

// A tally collects one selection. The parts that no term reads are nil, so that a narrow tally is cheap.
type tally struct {
	counts
	selection
	narrow    bool       // the selection leaves events out
	collected parts      // the kinds of events and the parts below that it takes in
	outage    clock.Time // end of the last one; clock.End when there is none

	now       clock.Time // instant of the last event
	calm      uint64     // until then a retry changes neither bins nor windows: see storm
	lastRetry clock.Time // instant of the last retry; before the start when there was none
	pending   int64      // now
	backlog   int64      // now

	calls, retries      *peak
	attempts            *attempts
	latency, fresh, lag *spans
	spread              *round  // of all retries selected
	rounds              []round // of each retry up to roundLimit, growing
	layers              []int64 // calls that each layer of tries inside attempts has added, the outermost first
	keepRounds          bool
	payloads            []int64 // by cohort
	bins                *bins
}

// counts are the plain numbers of a selection; an instant counts only when the number it belongs to is above 0.
type counts struct {
	arrived, began, retried, succeeded int64
	held                               int64 // retries that waited for a token
	furtherRetried                     int64 // calls of retries beyond their first
	replayed, dropped                  int64 // letters of dead jobs
	payload                            int64 // bytes of the letters that are kept
	duplicates                         int64 // calls of further copies of an attempt
	instants                           int64 // distinct instants of retries
	recovered                          int64 // successes at or after the end of the last outage
	finishedLate                       int64 // jobs that failed at least once and are finished
	causes                             [engine.Causes]int64
	reasons                            [engine.Reasons]int64
	lost                               int64 // of the dead those that no recovery would have saved: see mark
	backlogPeak, pendingPeak           int64

	firstSuccess, lastSuccess clock.Time
	firstDeath, lastDeath     clock.Time
	firstRecovered            clock.Time
	lastFinish                clock.Time
	lastFinishLate            clock.Time
}

func (c *counts) failed() int64 {
	n := -c.causes[engine.NoCause] - c.causes[engine.Breaker] // no call was made
	for _, v := range c.causes {
		n += v
	}
	return n
}

func (c *counts) died() int64 {
	var n int64
	for _, v := range c.reasons {
		n += v
	}
	return n
}

// dead is how many jobs are dead.
func (c *counts) dead() int64 { return c.died() - c.replayed }

// observe takes the events that the tally collects and its selection admits.
func (t *tally) observe(batch []engine.Event) {
	if t.narrow {
		t.observeSome(batch)
		return
	}
	t.observeAll(batch)
}

// observeSome is observe of a tally whose selection leaves events out.
func (t *tally) observeSome(batch []engine.Event) {
	if t.misses(batch) {
		return
	}
	for e := range engine.Unfold(batch) {
		if t.collected>>e.Kind&1 != 0 && t.admits(e) {
			t.take(e)
		}
	}
}

// take takes an event, a prompt one as all that it stands for: promoted without lag, it was pending for no time.
func (t *tally) take(e *engine.Event) {
	if e.At != t.now {
		t.turn(e.At)
	}
	if e.Prompt {
		if t.lag != nil {
			t.lag.zeros++
		}
		t.begin(e, 0)
	}
	switch e.Kind {
	case engine.Failed, engine.Faltered, engine.Ignored:
		t.causes[e.Cause]++
	case engine.Promoted:
		t.pending++
		if t.lag != nil {
			t.lag.add(e.At.Sub(e.Ref))
		}
	case engine.Began:
		t.pending--
		t.begin(e, e.At.Sub(e.Ref))
	case engine.Arrived:
		t.arrived++
		t.pending++
		t.backlog++
	case engine.Scheduled:
		t.arrived++
		t.backlog++
	case engine.Succeeded:
		t.succeed(e)
	case engine.Died:
		t.die(e)
	case engine.Called:
		t.again(e)
		t.layer(e)
	case engine.Duplicated:
		t.pending--
		t.duplicates++
		t.again(e)
	case engine.Redelivered:
		if e.Ref <= e.At {
			t.pending++
		}
	case engine.Refused:
		t.pending--
	case engine.Held:
		t.causes[e.Cause]++
		t.held++
	case engine.Replayed:
		t.revive(e)
	case engine.Dropped:
		t.dropped++
		t.weigh(e, -1)
	}
}

// revive takes back that a job is finished.
func (t *tally) revive(e *engine.Event) {
	t.replayed++
	t.weigh(e, -1)
	t.pending++
	t.backlog++
	t.finishedLate--
	if t.attempts != nil {
		t.attempts.remove(e.Attempt)
	}
}

// weigh counts the payload of a letter that comes or goes.
func (t *tally) weigh(e *engine.Event, letters int64) {
	if t.payloads != nil {
		t.payload += letters * t.payloads[e.Cohort]
	}
}

// misses tells whether a batch, which is in the order of time, lies outside the tally's span of time as a whole.
func (t *tally) misses(batch []engine.Event) bool {
	return len(batch) == 0 || t.collected&arrivals == 0 &&
		(uint64(batch[len(batch)-1].At) < t.after || uint64(batch[0].At) >= t.before)
}

// turn ends an instant: what it left is judged, and the bins before the next one are closed.
func (t *tally) turn(at clock.Time) {
	if at < t.now {
		panic("metrics: time runs backwards")
	}
	t.settle()
	if t.bins != nil && uint64(at) >= t.bins.end {
		t.bins.reach(at, t.mark())
	}
	t.now = at
}

// settle judges the levels at the end of an instant.
func (t *tally) settle() {
	t.backlogPeak = max(t.backlogPeak, t.backlog)
	t.pendingPeak = max(t.pendingPeak, t.pending)
}

func (t *tally) mark() mark {
	return mark{
		retries: t.retried, calls: t.began, succeeded: t.succeeded, failed: t.failed(), dead: t.died(),
		backlog: t.backlog, lost: t.lost,
	}
}

// begin takes the begin of the event's attempt, which was pending for so long.
func (t *tally) begin(e *engine.Event, pending time.Duration) {
	t.began++
	if t.calls != nil {
		t.calls.add(e.At)
	}
	if e.Attempt == 1 {
		if t.fresh != nil && !e.Again {
			t.fresh.add(pending)
		}
		return
	}
	t.retry(e.At)
	if t.retries != nil {
		t.retries.add(e.At)
	}
	if t.spread != nil {
		t.spread.add(e.At)
	}
	if k := int(e.Attempt) - 2; t.keepRounds && (k < len(t.rounds) || t.extend(k)) {
		t.rounds[k].add(e.At)
	}
}

// retry counts a retry.
func (t *tally) retry(at clock.Time) {
	t.retried++
	if at != t.lastRetry {
		t.lastRetry = at
		t.instants++
	}
}

// again takes a call of an attempt that is not its first.
func (t *tally) again(e *engine.Event) {
	t.began++
	if t.calls != nil {
		t.calls.add(e.At)
	}
	if e.Attempt > 1 {
		t.furtherRetried++
	}
}

// layer takes a call that a layer of tries has added.
func (t *tally) layer(e *engine.Event) {
	for len(t.layers) < int(e.Layer) {
		t.layers = append(t.layers, 0)
	}
	t.layers[e.Layer-1]++
}

// extend makes the row of a retry, and those before it: a breaker may have stopped these. It reports false when there is none.
func (t *tally) extend(k int) bool {
	for k >= len(t.rounds) && k < roundLimit {
		t.rounds = append(t.rounds, round{peak: *newPeak(t.window)})
	}
	return k < roundLimit
}

func (t *tally) succeed(e *engine.Event) {
	if t.succeeded == 0 {
		t.firstSuccess = e.At
	}
	t.succeeded++
	t.lastSuccess = e.At
	if e.At >= t.outage {
		if t.recovered == 0 {
			t.firstRecovered = e.At
		}
		t.recovered++
	}
	if t.latency != nil {
		t.latency.add(e.At.Sub(e.Ref))
	}
	t.finish(e, e.Attempt > 1, 0)
}

func (t *tally) die(e *engine.Event) {
	if t.died() == 0 {
		t.firstDeath = e.At
	}
	t.causes[e.Cause]++
	t.reasons[e.Reason]++
	if e.Cause == engine.Poison || e.Cause == engine.Errored {
		t.lost++
	}
	t.lastDeath = e.At
	t.weigh(e, 1)
	t.finish(e, true, 1)
}

func (t *tally) finish(e *engine.Event, late bool, dead uint64) {
	t.backlog--
	t.lastFinish = e.At
	if late {
		t.finishedLate++
		t.lastFinishLate = e.At
	}
	if t.attempts != nil {
		t.attempts.add(e.Attempt, dead)
	}
}
