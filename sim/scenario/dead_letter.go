package scenario

import (
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/units"
)

var deadLetterShape = record(
	field{name: "max", shape: integers(bounds{least: "1", most: "4294967294"}), doc: "most letters kept: those of the oldest deaths are dropped; by default no limit"},
	field{name: "ttl", shape: someDuration(), doc: "a letter is dropped so long after the death; by default never"},
	field{name: "replay", shape: record(
		field{name: "at", shape: anyDuration(), required: true, doc: "instant of the first replay; it takes the letters of those that are dead then, the oldest death first"},
		field{name: "rate", shape: happenings(), doc: "the k-th job, from 0, goes at `at` + k/rate; by default all at once"},
		field{name: "every", shape: someDuration(), doc: "from one replay to the next; by default there is one"},
		field{name: "batch", shape: integers(bounds{least: "1", most: "4294967294"}), doc: "most letters of one replay; by default no limit"},
		field{name: "reset_attempts", shape: boolean(), def: "true", doc: "attempts, spent budget and `max_elapsed` start afresh; otherwise one more failure that spends budget kills again"},
	), doc: "dead jobs that are tried again"},
)

// deadLetter reads `dead_letter`.
func (b *builder) deadLetter(v *value) engine.DeadLetter {
	var d engine.DeadLetter
	if w := v.get("max"); w != nil {
		d.Max = int(w.number.num)
	}
	if w := v.get("ttl"); w != nil {
		d.TTL = w.duration()
	}
	if w := v.get("replay"); w != nil {
		d.Replay = b.replay(w)
	}
	return d
}

func (b *builder) replay(v *value) *engine.Replay {
	r := &engine.Replay{At: clock.Time(v.get("at").duration()), Reset: v.get("reset_attempts").truth}
	if w := v.get("rate"); w != nil {
		r.Rate = w.rate
	}
	if w := v.get("every"); w != nil {
		r.Every = w.duration()
	}
	if w := v.get("batch"); w != nil {
		r.Batch = int(w.number.num)
	}
	if r.At >= b.stop {
		b.warn(v.get("at").node, "there is no replay: it would come at or after `stop.at`")
	}
	return r
}

// replayWords says when dead letters are replayed, and how: "at 1m40s, 50/s"; "" for never.
func replayWords(r *engine.Replay) string {
	if r == nil {
		return ""
	}
	parts := []string{"at " + units.FormatDuration(r.At.Sub(0))}
	if r.Every > 0 {
		parts[0] += " and every " + units.FormatDuration(r.Every)
	}
	if r.Batch > 0 {
		parts = append(parts, fmt.Sprintf("%d at most", r.Batch))
	}
	if r.Rate.Count > 0 {
		parts = append(parts, units.FormatRate(r.Rate))
	}
	if !r.Reset {
		parts = append(parts, "attempts not reset")
	}
	return strings.Join(parts, ", ")
}

// herdsOfReplays adds the peak of the calls from the first replay on to what the user has asked for: it brings a herd of its own.
func herdsOfReplays(also []metrics.Term, s *Scenario) []metrics.Term {
	also = herdOfReplay(also, &s.World, s.Base.Stop)
	for i := range s.Policies {
		also = herdOfReplay(also, s.For(&s.Policies[i]), s.Base.Stop)
	}
	return also
}

func herdOfReplay(also []metrics.Term, w *World, stop clock.Time) []metrics.Term {
	r := w.DeadLetter.Replay
	if r == nil || r.At == 0 || r.At >= stop {
		return also
	}
	if term := (metrics.Term{ID: "calls.peak", After: r.At}); !slices.Contains(also, term) {
		also = append(also, term)
	}
	return also
}
