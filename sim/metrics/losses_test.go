package metrics

import (
	"testing"

	"herdsim/sim/engine"
)

// A job of which three copies are called: the first settles its attempt, one is lost, one fails for nothing.
func TestDuplicates(t *testing.T) {
	copied := func(at, ref int64, k engine.Kind, c engine.Cause) engine.Event {
		return engine.Event{At: ms(at), Ref: ms(ref), Kind: k, Attempt: 1, Cause: c}
	}
	var s story
	s.arrive(0, 0, herd)
	s.begin(500, 0, 0, 1, herd)
	s = append(s, copied(1000, 1000, engine.Redelivered, engine.NoCause), copied(2000, 1000, engine.Duplicated, engine.NoCause),
		copied(3000, 3000, engine.Redelivered, engine.NoCause), copied(3000, 3000, engine.Duplicated, engine.NoCause),
		copied(3500, 9000, engine.Redelivered, engine.NoCause), // held until 9 s
		copied(3600, 0, engine.Lost, engine.NoCause))
	s.fail(4000, 5000, 0, 1, herd, engine.Crash)
	s.promote(5000, 5000, 0, 2, herd)
	s = append(s, copied(5500, 0, engine.Ignored, engine.Errored))
	s.begin(6000, 5000, 0, 2, herd)
	s.succeed(6000, 0, 0, 2, herd)
	for text, want := range map[string]string{
		"calls.total": "4", "calls.first": "3", "calls.retries": "1", "calls.duplicate": "2", "calls.duplicate(after=3s)": "1",
		"calls.failed": "2", "calls.cause.crash": "1", "calls.cause.error": "1", "calls.cause.timeout": "0",
		"retries.instants": "1", "fresh.wait.max": "1/2", "pending.peak": "1", "backlog.peak": "1", "attempts.max": "2",
		"calls.peak(window=1ns, after=2s, before=3s)": "1000000000",
	} {
		term := parse(t, text)
		if got := read(record(t, storySpec(term), s, ms(7000)), term); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	// What is counted is in the canonical bytes.
	with := record(t, storySpec(), s, ms(7000)).AppendCanonical(nil)
	for i := range s {
		if s[i].Kind == engine.Duplicated {
			s[i].Kind, s[i].Layer = engine.Called, 1
		}
	}
	without := record(t, storySpec(), s, ms(7000)).AppendCanonical(nil)
	if string(with) == string(without) {
		t.Error("duplicates leave no trace in the canonical bytes")
	}
}
