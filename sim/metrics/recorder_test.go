package metrics

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// A term narrowed to a cohort is the same term of a run that had only that cohort.
func TestCohortIsARunOfItsOwn(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var terms []Term
	for _, term := range Standard() {
		if mustFind(term.ID).takes&byCohort != 0 {
			terms = append(terms, Term{ID: term.ID, Cohort: "steady"})
		}
	}
	for range 20 {
		events := randomRun(rng, 50, ms(20_000))
		var alone []engine.Event
		for _, e := range events {
			if e.Cohort == steady {
				alone = append(alone, e)
			}
		}
		end := ms(50_000)
		both, one := record(t, storySpec(terms...), events, end), record(t, storySpec(), alone, end)
		for _, term := range terms {
			if got, want := read(both, term), read(one, Term{ID: term.ID}); got != want {
				t.Errorf("%s = %s, want %s", term, got, want)
			}
		}
	}
}

// A term narrowed to a span of time is the same term of the events in it.
func TestSpanOfTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	from, to := ms(4000), ms(9000)
	var terms []Term
	for _, term := range Standard() {
		if term.ID != "calls.per_job" && mustFind(term.ID).takes&(byAfter|byBefore) != 0 {
			terms = append(terms, Term{ID: term.ID, After: from, Before: to})
		}
	}
	if len(terms) < 10 {
		t.Fatalf("only %d terms take a span of time", len(terms))
	}
	for range 20 {
		events := randomRun(rng, 50, ms(20_000))
		var inside []engine.Event
		for _, e := range events {
			if from <= e.At && e.At < to {
				inside = append(inside, e)
			}
		}
		end := ms(50_000)
		wide, narrow := record(t, storySpec(terms...), events, end), record(t, storySpec(), inside, end)
		for _, term := range terms {
			if got, want := read(wide, term), read(narrow, Term{ID: term.ID}); got != want {
				t.Errorf("%s = %s, want %s", term, got, want)
			}
		}
	}
}

// The k-th round has the same peak and the same spread as the terms with retry=k.
func TestRoundsAgreeWithTerms(t *testing.T) {
	events := randomRun(rand.New(rand.NewPCG(17, 18)), 200, ms(20_000))
	var terms []Term
	for k := 1; k <= 8; k++ {
		terms = append(terms, Term{ID: "retries.spread", Retry: k}, Term{ID: "retries.peak", Retry: k})
	}
	s := record(t, storySpec(terms...), events, ms(50_000))
	if len(s.Rounds) != 8 {
		t.Fatalf("%d rounds, want 8", len(s.Rounds))
	}
	for i, r := range s.Rounds {
		spread, err := s.Value(terms[2*i])
		if err != nil || spread.Rat.Cmp(seconds(r.P95().Sub(r.P5()))) != 0 {
			t.Errorf("%s = %v (%v), the round says %v", terms[2*i], spread.Rat, err, r.P95().Sub(r.P5()))
		}
		peak, err := s.Value(terms[2*i+1])
		if err != nil || peak.Rat.Cmp(r.Peak()) != 0 {
			t.Errorf("%s = %v (%v), the round says %v", terms[2*i+1], peak.Rat, err, r.Peak())
		}
	}
}

// The digest sees every change of the run and no label.
func TestAppendCanonical(t *testing.T) {
	spec := storySpec(Term{ID: "calls.peak", Cohort: "herd"}, Term{ID: "attempts.p50", Cohort: "steady"})
	bytesOf := func(spec Spec, events []engine.Event) []byte {
		return record(t, spec, events, ms(10_000)).AppendCanonical([]byte("x"))
	}
	base := bytesOf(spec, fourJobs())
	if base[0] != 'x' || len(base)%8 != 1 {
		t.Errorf("%d bytes, beginning with %q", len(base), base[0])
	}
	renamed := spec
	renamed.Cohorts = []string{"a", "b"}
	renamed.Terms = []Term{{ID: "calls.peak", Cohort: "a"}, {ID: "attempts.p50", Cohort: "b"}}
	if !bytes.Equal(base, bytesOf(renamed, fourJobs())) {
		t.Error("the cohorts' names matter")
	}
	for i := range fourJobs() {
		changed := fourJobs()
		changed[i].At += ms(1000)
		if bytes.Equal(base, bytesOf(spec, changed)) {
			t.Errorf("event %d may move unnoticed", i)
		}
	}
}

func TestTimeRunsForward(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an earlier event was taken")
		}
	}()
	r := NewRecorder(Spec{Window: time.Second})
	events := []engine.Event{{Kind: engine.Arrived, At: 5}, {Kind: engine.Arrived, At: 4}}
	t.Errorf("observed: %v", r.Observe(events))
}

func TestWindowIsRequired(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a recorder without a window was made")
		}
	}()
	NewRecorder(Spec{})
}

// Levels are judged at the end of an instant: what comes and goes within one is no peak.
func TestLevelsAtTheEndOfAnInstant(t *testing.T) {
	var s story
	for job := range uint32(5) {
		s.arrive(10, job, herd)
		s.begin(10, 10, job, 1, herd)
		s.succeed(10, 10, job, 1, herd)
	}
	s.arrive(20, 5, herd)
	sum := record(t, storySpec(), s, clock.Time(ms(20)))
	for _, id := range []string{"backlog.peak", "pending.peak"} {
		if got := read(sum, Term{ID: id}); got != "1" {
			t.Errorf("%s = %s, want 1", id, got)
		}
	}
}

// A job whose first run is delayed has arrived and is not pending; its first run is no retry.
func TestDelayedFirstRun(t *testing.T) {
	var s story
	s.schedule(0, 2000, 0, herd)
	s.schedule(0, 2000, 1, herd)
	s.promote(3000, 2000, 0, 1, herd)
	s.promote(3000, 2000, 1, 1, herd)
	s.begin(3000, 3000, 0, 1, herd)
	s.succeed(3000, 0, 0, 1, herd)
	s.begin(5000, 3000, 1, 1, herd)
	s.succeed(5000, 0, 1, 1, herd)
	terms := []Term{parse(t, "calls.per_job(after=4s)"), parse(t, "jobs.total(cohort=herd)")}
	sum := record(t, storySpec(terms...), s, ms(5000))
	for text, want := range map[string]string{
		"jobs.total": "2", "jobs.total(cohort=herd)": "2", "calls.per_job(after=4s)": "1/2 about", "backlog.peak": "2", "pending.peak": "1",
		"calls.first": "2", "calls.retries": "0", "retries.instants": "0", "retries.peak": "0", "retries.drained_at": noLate.Error(),
		"fresh.wait.max": "2", "promotion.lag.max": "1", "latency.max": "5", "attempts.max": "1",
	} {
		if got := read(sum, parse(t, text)); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

// A job that is replayed is dead no more: it is pending and unfinished, and what it used before counts with its next finish.
func TestReplays(t *testing.T) {
	var s story
	for job := range uint32(3) {
		s.arrive(0, job, herd)
		s.begin(0, 0, job, 1, herd)
		s.die(1000, 0, job, 1, herd, engine.Outage, engine.Exhausted)
	}
	s.replay(3000, 1000, 0, 1, herd)
	s.replay(3000, 1000, 1, 1, herd)
	s.drop(4000, 1000, 2, 1, herd)
	s.begin(5000, 3000, 0, 1, herd)
	s.again()
	s.succeed(5000, 0, 0, 2, herd)
	s.begin(5000, 3000, 1, 1, herd)
	s.again()
	early := record(t, storySpec(), slices.Clone(s), ms(6000))
	s.fail(6000, 7000, 1, 1, herd, engine.Overload)
	s.promote(7000, 7000, 1, 2, herd)
	s.begin(7000, 7000, 1, 2, herd)
	s.die(7000, 0, 1, 3, herd, engine.Errored, engine.Exhausted)
	terms := []Term{parse(t, "dead.replayed(before=3s)"), parse(t, "dead.dropped(after=4s)"), parse(t, "jobs.dead(cohort=herd)")}
	late := record(t, storySpec(terms...), s, ms(8000))
	for text, want := range map[string][2]string{
		"jobs.dead": {"1", "2"}, "jobs.unfinished": {"1", "0"}, "dead.total": {"3", "4"}, "dead.replayed": {"2", "2"}, "dead.dropped": {"1", "1"},
		"attempts.max": {"2", "3"}, "attempts.mean": {"3/2 about", "2 about"}, "backlog.peak": {"3", "3"}, "pending.peak": {"2", "2"},
		"drain.time": {"1 job unfinished", "7"}, "retries.drained_at": {"5", "7"}, "calls.first": {"5", "5"}, "calls.retries": {"0", "1"},
		"fresh.wait.max": {"0", "0"}, "latency.max": {"5", "5"},
		"dead.replayed(before=3s)": {"", "0"}, "dead.dropped(after=4s)": {"", "1"}, "jobs.dead(cohort=herd)": {"", "2"},
	} {
		for i, sum := range []*Summary{early, late} {
			if want[i] == "" {
				continue
			}
			if got := read(sum, parse(t, text)); got != want[i] {
				t.Errorf("run %d: %s = %s, want %s", i, text, got, want[i])
			}
		}
	}
}

// The payload of the dead is that of the letters which are there at the end: neither replayed nor dropped.
func TestPayload(t *testing.T) {
	var s story
	for job, cohort := range []uint16{herd, herd, herd, steady, steady} {
		s.arrive(0, uint32(job), cohort)
		s.begin(0, 0, uint32(job), 1, cohort)
		s.die(1000, 0, uint32(job), 1, cohort, engine.Outage, engine.Exhausted)
	}
	spec := storySpec(parse(t, "dead.payload(cohort=herd)"), parse(t, "dead.payload(cohort=steady)"))
	plain := record(t, spec, slices.Clone(s), ms(6000))
	spec.Payloads = []int64{1000, 1 << 30}
	dead := record(t, spec, slices.Clone(s), ms(6000))
	s.replay(3000, 1000, 0, 1, herd)
	s.begin(3000, 3000, 0, 1, herd)
	s.again()
	s.succeed(3000, 0, 0, 2, herd)
	s.drop(4000, 1000, 3, 1, steady)
	left := record(t, spec, s, ms(6000))
	for text, want := range map[string][3]string{
		"dead.payload":                {noPayload.Error(), "2147486648", "1073743824"},
		"dead.payload(cohort=herd)":   {noPayload.Error(), "3000", "2000"},
		"dead.payload(cohort=steady)": {noPayload.Error(), "2147483648", "1073741824"},
	} {
		for i, sum := range []*Summary{plain, dead, left} {
			if got := read(sum, parse(t, text)); got != want[i] {
				t.Errorf("run %d: %s = %s, want %s", i, text, got, want[i])
			}
		}
	}
	if slices.Equal(plain.AppendCanonical(nil), dead.AppendCanonical(nil)) {
		t.Error("a payload leaves no trace in the canonical bytes")
	}
}

// What is taken back of the attempts leaves no row, however many there were.
func TestAttemptsTakenBack(t *testing.T) {
	for _, tries := range []uint32{3, denseAttempts + 5} {
		a := &attempts{high: map[uint32]finished{}}
		a.add(tries, 1)
		a.add(tries, 1)
		a.remove(tries)
		if rows := a.rows(); !slices.Equal(rows, attemptRows{{Attempt: tries, Jobs: 1, Dead: 1}}) {
			t.Errorf("%d tries, one of two taken back: %v", tries, rows)
		}
		a.remove(tries)
		if rows := a.rows(); len(rows) > 0 {
			t.Errorf("%d tries, all taken back: %v", tries, rows)
		}
	}
}
