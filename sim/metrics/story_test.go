package metrics

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// A story is a run told by hand, in milliseconds.
type story []engine.Event

func ms(n int64) clock.Time { return clock.Time(n) * clock.Time(time.Millisecond) }

func (s *story) arrive(at int64, job uint32, cohort uint16) {
	*s = append(*s, engine.Event{Kind: engine.Arrived, At: ms(at), Job: job, Cohort: cohort})
}

func (s *story) schedule(at, due int64, job uint32, cohort uint16) {
	*s = append(*s, engine.Event{Kind: engine.Scheduled, At: ms(at), Ref: ms(due), Job: job, Cohort: cohort})
}

func (s *story) promote(at, due int64, job, attempt uint32, cohort uint16) {
	*s = append(*s, engine.Event{
		Kind: engine.Promoted, At: ms(at), Ref: ms(due), Job: job, Attempt: attempt, Cohort: cohort,
	})
}

func (s *story) begin(at, since int64, job, attempt uint32, cohort uint16) {
	*s = append(*s, engine.Event{
		Kind: engine.Began, At: ms(at), Ref: ms(since), Job: job, Attempt: attempt, Cohort: cohort,
	})
}

func (s *story) succeed(at, arrived int64, job, attempt uint32, cohort uint16) {
	*s = append(*s, engine.Event{
		Kind: engine.Succeeded, At: ms(at), Ref: ms(arrived), Job: job, Attempt: attempt, Cohort: cohort,
	})
}

func (s *story) fail(at, due int64, job, attempt uint32, cohort uint16, cause engine.Cause) {
	*s = append(*s, engine.Event{
		Kind: engine.Failed, At: ms(at), Ref: ms(due), Job: job, Attempt: attempt, Cohort: cohort, Cause: cause,
	})
}

func (s *story) die(at, arrived int64, job, attempt uint32, cohort uint16, cause engine.Cause, why engine.Reason) {
	*s = append(*s, engine.Event{
		Kind: engine.Died, At: ms(at), Ref: ms(arrived), Job: job, Attempt: attempt, Cohort: cohort, Cause: cause,
		Reason: why,
	})
}

func (s *story) replay(at, died int64, job, attempts uint32, cohort uint16) {
	*s = append(*s, engine.Event{Kind: engine.Replayed, At: ms(at), Ref: ms(died), Job: job, Attempt: attempts, Cohort: cohort})
}

// again says that the job of the last event has been dead before.
func (s story) again() { s[len(s)-1].Again = true }

func (s *story) drop(at, died int64, job, attempts uint32, cohort uint16) {
	*s = append(*s, engine.Event{Kind: engine.Dropped, At: ms(at), Ref: ms(died), Job: job, Attempt: attempts, Cohort: cohort})
}

// The cohorts of the stories.
const (
	herd uint16 = iota
	steady
)

// fourJobs is the story of two jobs that die in an outage of 5 s, one that succeeds after it, and one that has no end.
func fourJobs() story {
	var s story
	s.arrive(0, 0, herd)
	s.arrive(0, 1, herd)
	s.begin(0, 0, 0, 1, herd)
	s.fail(0, 1000, 0, 1, herd, engine.Outage)
	s.begin(500, 0, 1, 1, herd)
	s.fail(500, 2000, 1, 1, herd, engine.Outage)
	s.arrive(1000, 2, steady)
	s.promote(1000, 1000, 0, 2, herd)
	s.begin(1000, 1000, 2, 1, steady)
	s.begin(1000, 1000, 0, 2, herd)
	s.fail(1000, 3000, 0, 2, herd, engine.Outage)
	s.fail(1250, 6000, 2, 1, steady, engine.Overload)
	s.promote(2500, 2000, 1, 2, herd)
	s.begin(2500, 2500, 1, 2, herd)
	s.die(2500, 0, 1, 2, herd, engine.Outage, engine.Expired)
	s.promote(3000, 3000, 0, 3, herd)
	s.begin(4000, 3000, 0, 3, herd)
	s.die(4000, 0, 0, 3, herd, engine.Errored, engine.Exhausted)
	s.promote(6000, 6000, 2, 2, steady)
	s.begin(6000, 6000, 2, 2, steady)
	s.succeed(7000, 1000, 2, 2, steady)
	s.arrive(8000, 3, steady)
	s.begin(8000, 8000, 3, 1, steady)
	return s
}

func storySpec(terms ...Term) Spec {
	return Spec{
		Window: time.Second, Cohorts: []string{"herd", "steady"},
		LastOutageEnd: ms(5000), HasOutageEnd: true, Terms: terms,
	}
}

// record measures events in batches of different sizes, as the engine may hand them over.
func record(t *testing.T, spec Spec, events []engine.Event, end clock.Time) *Summary {
	t.Helper()
	slices.SortStableFunc(events, func(a, b engine.Event) int { return cmp.Compare(a.At, b.At) })
	r := NewRecorder(spec)
	for size := 1; len(events) > 0; size = size%7 + 1 {
		n := min(size, len(events))
		if err := r.Observe(events[:n]); err != nil {
			t.Fatal(err)
		}
		events = events[n:]
	}
	s, err := r.Finish(end)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, text string) Term {
	t.Helper()
	term, err := ParseTerm(text, Env{Cohorts: []string{"herd", "steady"}})
	if err != nil {
		t.Fatalf("%s: %s", text, err.Message)
	}
	return term
}

// read returns a term's value as a fraction, or the reason for which it has none.
func read(s *Summary, term Term) string {
	v, err := s.Value(term)
	if err != nil {
		return err.Error()
	}
	text := v.Rat.RatString()
	if !v.Exact {
		text += " about"
	}
	return text
}
