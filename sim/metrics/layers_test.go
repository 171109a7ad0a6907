package metrics

import (
	"slices"
	"testing"

	"herdsim/sim/engine"
)

// Of the calls of one attempt all are calls, and the first alone is the attempt.
func TestFurtherCalls(t *testing.T) {
	further := func(at int64, k engine.Kind, attempt uint32, layer uint8, c engine.Cause) engine.Event {
		return engine.Event{At: ms(at), Ref: ms(at), Kind: k, Attempt: attempt, Layer: layer, Cause: c}
	}
	var s story
	s.arrive(0, 0, herd)
	s.begin(0, 0, 0, 1, herd)
	s = append(s, further(0, engine.Faltered, 1, 2, engine.Outage), further(1000, engine.Called, 1, 2, engine.NoCause))
	s.fail(1000, 2000, 0, 1, herd, engine.Outage)
	s.promote(2000, 2000, 0, 2, herd)
	s.begin(2000, 2000, 0, 2, herd)
	s = append(s, further(2000, engine.Faltered, 2, 2, engine.Errored), further(3000, engine.Called, 2, 2, engine.NoCause),
		further(3000, engine.Faltered, 2, 1, engine.Errored), further(4000, engine.Called, 2, 1, engine.NoCause))
	s.succeed(4000, 0, 0, 2, herd)
	for text, want := range map[string]string{
		"calls.total": "5", "calls.first": "2", "calls.retries": "3", "calls.failed": "4", "calls.cause.error": "2",
		"calls.retries(after=3s)": "2", "calls.peak(window=10ms, after=3s)": "100", "calls.peak(window=4s, retry=1)": "3/4 about",
		"retries.peak(window=5s)": "1/5 about", "retries.instants": "1", "attempts.max": "2", "calls.per_job": "5 about",
	} {
		term := parse(t, text)
		got := record(t, storySpec(term), s, ms(9000))
		if value := read(got, term); value != want {
			t.Errorf("%s = %s, want %s", text, value, want)
		}
		if !slices.Equal(got.Layers(), []int64{1, 2}) {
			t.Errorf("layers %v, want 1 and 2 calls", got.Layers())
		}
	}
}
