package metrics

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// herdAttempts returns every attempt of a herd that fails for a minute under full jitter (base 1 s, cap 30 s, 10 tries),
// in the order of time: nanoseconds, job and attempt in one word.
func herdAttempts(jobs int) []uint64 {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []uint64
	for job := range uint64(jobs) {
		var at int64
		for attempt := uint64(1); attempt <= 10; attempt++ {
			all = append(all, uint64(at)<<24|job<<4|attempt)
			if at >= int64(time.Minute) {
				break
			}
			at += rng.Int64N(int64(min(30*time.Second, time.Second<<(attempt-1))))
		}
	}
	slices.Sort(all)
	return all
}

// appendLife appends the events of one attempt.
func appendLife(batch []engine.Event, word uint64) []engine.Event {
	e := engine.Event{At: clock.Time(word >> 24), Job: uint32(word>>4) & 0xfffff, Attempt: uint32(word & 15)}
	e.Ref, e.Kind = e.At, engine.Promoted
	if e.Attempt == 1 {
		e.Kind = engine.Arrived
	}
	batch = append(batch, e)
	e.Kind = engine.Began
	batch = append(batch, e)
	switch {
	case e.At >= clock.Time(time.Minute):
		e.Kind, e.Ref = engine.Succeeded, 0
	case e.Attempt == 10:
		e.Kind, e.Ref, e.Cause, e.Reason = engine.Died, 0, engine.Outage, engine.Exhausted
	default:
		e.Kind, e.Cause = engine.Failed, engine.Outage
	}
	return append(batch, e)
}

// BenchmarkRecorder reports the time that measuring takes, without that of making the events.
func BenchmarkRecorder(b *testing.B) {
	attempts := herdAttempts(1_000_000)
	for name, terms := range map[string][]Term{
		"standard": nil,
		"check":    {{ID: "retries.peak", After: clock.Time(time.Minute)}},
		"narrow":   {{ID: "retries.peak", Window: 100 * time.Millisecond}, {ID: "retries.spread", Retry: 5}},
	} {
		b.Run(name, func(b *testing.B) {
			var spent time.Duration
			batch := make([]engine.Event, 0, 4096)
			for b.Loop() {
				r := NewRecorder(Spec{Window: time.Second, Terms: terms})
				for i, word := range attempts {
					batch = appendLife(batch, word)
					if len(batch)+3 > cap(batch) || i == len(attempts)-1 {
						start := time.Now()
						if err := r.Observe(batch); err != nil {
							b.Fatal(err)
						}
						spent += time.Since(start)
						batch = batch[:0]
					}
				}
				if _, err := r.Finish(clock.Time(2 * time.Minute)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(3*len(attempts)*b.N), "ns/event")
		})
	}
}
