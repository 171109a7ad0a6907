package metrics

import (
	"slices"
	"strings"
	"testing"

	"herdsim/sim/engine"
)

// Values of fourJobs, worked out by hand. "about" marks numbers that were divided or may be rounded.
const storyText = `
jobs.total: 4
jobs.total(cohort=herd): 2
jobs.succeeded: 1
jobs.succeeded(cohort=herd): 0
jobs.dead: 2
jobs.dead(cohort=steady): 0
jobs.unfinished: 1
jobs.unfinished(cohort=herd): 0
calls.total: 8
calls.total(after=1s, before=4s): 3
calls.total(after=1s, before=4s, cohort=herd): 2
calls.first: 4
calls.first(after=1ms): 3
calls.retries: 4
calls.retries(before=4s): 2
calls.failed: 6
calls.failed(after=1.25s): 3
calls.cause.outage: 4
calls.cause.outage(before=1s): 2
calls.cause.overload: 1
calls.cause.overload(cohort=herd): 0
calls.cause.poison: 0
calls.cause.crash: 0
calls.duplicate: 0
calls.cause.error: 1
calls.cause.timeout: 0
refused.breaker: 0
calls.per_job: 2 about
calls.per_job(cohort=herd): 5/2 about
calls.per_job(after=6s): 1/2 about
attempts.mean: 7/3 about
attempts.mean(cohort=herd): 5/2 about
attempts.p50: 2
attempts.p99: 3
attempts.max: 3
attempts.max(cohort=steady): 2
retries.peak: 1
retries.peak(window=2s): 1
retries.peak(window=4s): 3/4 about
retries.peak(window=1ms): 1000
retries.peak(after=10s): 0
retries.peak(window=8s, retry=1): 3/8 about
retries.peak_at: 1
retries.peak_at(after=2.5s): 5/2
retries.peak_at(after=2501ms, before=6s): 4
retries.peak_at(retry=2): 4
retries.peak_at(cohort=steady): 6
retries.peak_at(retry=3): no retry began
retries.instants: 4
retries.instants(cohort=herd): 3
retries.instants(retry=1): 3
retries.spread(retry=1): 5 about
retries.spread(retry=1, cohort=herd): 3/2 about
retries.spread(retry=2): 0 about
retries.spread(retry=7): no job had retry 7
retries.held: 0
retries.drained_at: 7
retries.drained_at(cohort=herd): 4
calls.peak: 3
calls.peak(retry=1): 1
calls.peak(window=1ns): 2000000000
calls.peak_at: 1/2
calls.peak_at(after=5s): 6
calls.peak_at(after=9s): no call began
dead.total: 2
dead.total(cohort=steady): 0
dead.reason.exhausted: 1
dead.reason.expired: 1
dead.reason.expired(cohort=steady): 0
dead.reason.not_retryable: 0
dead.reason.budget_empty: 0
dead.reason.stalled: 0
dead.replayed: 0
dead.dropped: 0
dead.payload: no cohort has a payload
dead.first_at: 5/2
dead.first_at(cohort=steady): no job died
dead.last_at: 4
success.first_at: 7
success.last_at: 7
success.last_at(cohort=herd): no job succeeded
success.total: 1
success.total(after=7s): 1
success.total(before=7s): 0
drain.time: 1 job unfinished
drain.time(cohort=herd): 4
recovery.lag: 2
recovery.lag(cohort=herd): no job succeeded after the last outage
recovery.time: 2
latency.mean: 6 about
latency.p50: 6 about
latency.p95: 6 about
latency.p99: 6 about
latency.max: 6
latency.max(cohort=herd): no job succeeded
fresh.wait.mean: 1/8 about
fresh.wait.mean(cohort=herd): 1/4 about
fresh.wait.p99: 1/2 about
fresh.wait.max: 1/2
fresh.wait.max(cohort=steady): 0
promotion.lag.mean: 1/8 about
promotion.lag.p99: 1/2 about
promotion.lag.max: 1/2
promotion.lag.max(cohort=steady): 0
backlog.peak: 3
backlog.peak(cohort=steady): 1
pending.peak: 1
pending.peak(cohort=steady): 0
`

// storyValues are the lines of storyText: terms and their values.
func storyValues() [][2]string {
	var values [][2]string
	for line := range strings.Lines(strings.TrimSpace(storyText)) {
		term, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		values = append(values, [2]string{term, value})
	}
	return values
}

func TestValues(t *testing.T) {
	var terms []Term
	for _, c := range storyValues() {
		terms = append(terms, parse(t, c[0]))
	}
	s := record(t, storySpec(terms...), fourJobs(), ms(10_000))
	for i, c := range storyValues() {
		if got := read(s, terms[i]); got != c[1] {
			t.Errorf("%s = %s, want %s", c[0], got, c[1])
		}
	}
}

// Every metric is in some hand-worked example, with arguments that it takes.
func TestValuesCoverTheTable(t *testing.T) {
	for _, m := range table() {
		var seen arguments
		shown := false
		for _, c := range storyValues() {
			id, args, _ := strings.Cut(c[0], "(")
			if id != m.id {
				continue
			}
			shown = true
			for i, name := range argumentNames() {
				if strings.Contains(args, name+"=") {
					seen |= 1 << i
				}
			}
		}
		if !shown {
			t.Errorf("no example of %s", m.id)
		}
		if seen&^m.takes != 0 {
			t.Errorf("%s is shown with %v, which it does not take", m.id, (seen &^ m.takes).names())
		}
	}
}

func TestValuesOfNothing(t *testing.T) {
	s := record(t, Spec{Window: 1}, nil, 0)
	want := map[string]string{
		"calls.per_job": "no job arrived", "drain.time": "no job arrived",
		"attempts.mean": "no job finished", "attempts.p50": "no job finished",
		"attempts.p99": "no job finished", "attempts.max": "no job finished",
		"retries.peak_at": "no retry began", "retries.drained_at": "no job that failed has finished",
		"calls.peak_at": "no call began",
		"dead.first_at": "no job died", "dead.last_at": "no job died", "dead.payload": "no cohort has a payload",
		"success.first_at": "no job succeeded", "success.last_at": "no job succeeded",
		"recovery.lag": "no outage ends", "recovery.time": "no outage ends",
		"latency.mean": "no job succeeded", "latency.p50": "no job succeeded", "latency.p95": "no job succeeded",
		"latency.p99": "no job succeeded", "latency.max": "no job succeeded",
		"fresh.wait.mean": "no first attempt began", "fresh.wait.p99": "no first attempt began",
		"fresh.wait.max":     "no first attempt began",
		"promotion.lag.mean": "no job was promoted", "promotion.lag.p99": "no job was promoted",
		"promotion.lag.max": "no job was promoted",
	}
	for _, term := range Standard() {
		w, absent := want[term.ID]
		if !absent {
			w = "0"
		}
		if got := read(s, term); got != w {
			t.Errorf("%s = %s, want %s", term, got, w)
		}
	}
}

func TestDrainTime(t *testing.T) {
	events := fourJobs()
	finished := record(t, storySpec(), events[:len(events)-2], ms(7000))
	if got := read(finished, Term{ID: "drain.time"}); got != "7" {
		t.Errorf("drain.time = %s, want 7", got)
	}
	var s story
	s.arrive(1, 0, herd)
	s.arrive(1, 1, herd)
	if got := read(record(t, storySpec(), s, ms(2)), Term{ID: "drain.time"}); got != "2 jobs unfinished" {
		t.Errorf("drain.time = %s, want 2 jobs unfinished", got)
	}
}

// A success at the very end of the outage counts as recovery, one before it does not.
func TestRecoveryAtTheEdge(t *testing.T) {
	var s story
	for job, at := range []int64{4999, 5000, 6000} {
		s.arrive(0, uint32(job), herd)
		s.begin(at, 0, uint32(job), 1, herd)
		s.succeed(at, 0, uint32(job), 1, herd)
	}
	sum := record(t, storySpec(), s, ms(6000))
	if got := read(sum, Term{ID: "recovery.lag"}); got != "0" {
		t.Errorf("recovery.lag = %s, want 0", got)
	}
	if got := read(sum, Term{ID: "recovery.time"}); got != "1" {
		t.Errorf("recovery.time = %s, want 1", got)
	}
	early := record(t, storySpec(), s[:3], ms(6000))
	if got := read(early, Term{ID: "recovery.time"}); got != string(noRecovery) {
		t.Errorf("recovery.time = %s, want %s", got, noRecovery)
	}
}

func TestRounds(t *testing.T) {
	s := record(t, storySpec(), fourJobs(), ms(10_000))
	if len(s.Rounds) != 2 {
		t.Fatalf("%d rounds, want 2", len(s.Rounds))
	}
	r := s.Rounds[0]
	if r.Retry != 1 || r.Count() != 3 || r.First() != ms(1000) || r.Last() != ms(6000) || r.P5() != ms(1000) || r.P95() != ms(6000) {
		t.Errorf("round 1 = %d %d %d %d %d %d", r.Retry, r.Count(), r.First(), r.Last(), r.P5(), r.P95())
	}
	// 1, 2.5 and 6 s: mean 19/6 s, variance 79/18 s²
	if r.Mean().RatString() != "19/6" || r.SD().FloatString(9) != "2.094967515" || r.Peak().RatString() != "1" {
		t.Errorf("round 1: mean %s, sd %s, peak %s", r.Mean(), r.SD().FloatString(9), r.Peak())
	}
	if r := s.Rounds[1]; r.Retry != 2 || r.Count() != 1 || r.Mean().RatString() != "4" || r.SD().Sign() != 0 {
		t.Errorf("round 2: %d, %d jobs, mean %s, sd %s", r.Retry, r.Count(), r.Mean(), r.SD())
	}
}

func TestAttempts(t *testing.T) {
	s := record(t, storySpec(), fourJobs(), ms(10_000))
	if want := []AttemptRow{{2, 2, 1}, {3, 1, 1}}; !slices.Equal(s.Attempts(), want) {
		t.Errorf("attempts %v, want %v", s.Attempts(), want)
	}
}

// Retries beyond the limit have no row, but are counted and reached by terms of their own.
func TestBeyondTheRoundLimit(t *testing.T) {
	var s story
	s.arrive(0, 0, herd)
	for attempt := uint32(1); attempt <= 5000; attempt++ {
		s.begin(int64(attempt), int64(attempt), 0, attempt, herd)
		if attempt < 5000 {
			s.fail(int64(attempt), int64(attempt)+1, 0, attempt, herd, engine.Outage)
		}
	}
	s.succeed(5000, 0, 0, 5000, herd)
	at := Term{ID: "retries.peak_at", Retry: 4321}
	sum := record(t, storySpec(at), s, ms(5000))
	if len(sum.Rounds) != roundLimit {
		t.Errorf("%d rounds, want %d", len(sum.Rounds), roundLimit)
	}
	if got := read(sum, Term{ID: "calls.retries"}); got != "4999" {
		t.Errorf("calls.retries = %s, want 4999", got)
	}
	if got := read(sum, at); got != "2161/500" {
		t.Errorf("%s = %s, want 4.322", at, got)
	}
	if want := []AttemptRow{{5000, 1, 0}}; !slices.Equal(sum.Attempts(), want) {
		t.Errorf("attempts %v, want %v", sum.Attempts(), want)
	}
}

func TestUnaskedTermPanics(t *testing.T) {
	s := record(t, storySpec(), fourJobs(), ms(10_000))
	defer func() {
		if recover() == nil {
			t.Error("reading a term that was not collected did not panic")
		}
	}()
	_, err := s.Value(Term{ID: "calls.total", After: 1})
	t.Errorf("read a term that was not collected: %v", err)
}
