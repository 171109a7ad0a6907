package metrics

import "herdsim/sim/engine"

// observeAll is observe of a tally that takes in everything and has all its parts. When much fails, nearly all events are retries
// that fail in the instants in which they were due: of those it takes what take would, but asks only once for many of them
// what else their instants change. They leave the levels as they are.
func (t *tally) observeAll(batch []engine.Event) {
	level := false // the levels at the end of the last instant have been judged
	for i := range batch {
		e := &batch[i]
		if !e.Prompt || e.Kind != engine.Failed || e.Attempt < 2 {
			t.take(e)
			level = false
			continue
		}
		if !level || uint64(e.At) >= t.calm {
			t.stir(e)
			level = true
		}
		t.now = e.At
		t.began++
		t.lag.zeros++
		t.calls.seen++
		t.retries.seen++
		t.causes[e.Cause]++
		t.retry(e.At)
		if k := int(e.Attempt) - 2; k < len(t.rounds) || t.extend(k) {
			t.rounds[k].add(e.At)
		}
	}
}

// stir turns to the instant of a retry, and finds until when a further one changes nothing but counts.
func (t *tally) stir(e *engine.Event) {
	if e.At != t.now {
		t.turn(e.At)
	}
	at := uint64(e.At)
	if at >= t.calls.until {
		t.calls.roll(at)
	}
	if at >= t.retries.until {
		t.retries.roll(at)
	}
	t.calm = min(t.bins.end, t.calls.until, t.retries.until)
}
