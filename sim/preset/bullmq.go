package preset

import (
	"slices"
	"time"

	"herdsim/sim/engine"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
	"herdsim/sim/units"
)

// bullmq is modelled on src/classes/{backoffs,job,worker}.ts and src/commands.
func bullmq() *Preset {
	return &Preset{
		Name:    "bullmq",
		Title:   "BullMQ",
		Source:  "github.com/taskforcesh/bullmq, 352d3c7 (npm 6.7.0)",
		Formula: "fixed: d = delay; exponential: d = delay·2^(n−1), without a cap; with jitter j: ⌊U·d·j + d·(1−j)⌋ ms, U in [0, 1)",
		Budget:  "a retry while attemptsMade + 1 < attempts; attempts counts the first try",
		Queue:   "every fetch and every finished job promotes, and a marker wakes idle workers at the next due instant: exact; the lock of a running job lasts 30 s and is renewed",
		Options: []Option{
			{Name: "attempts", Type: "whole number", Default: "0", Doc: "tries in all, the first included; 0 is one try"},
			{Name: "maxStalledCount", Type: "whole number", Default: "1", Doc: "of the worker: how often a job may stall; once more and it has failed for good"},
			{Name: "backoff", Type: "{type: fixed | exponential, delay: ms, jitter: 0 to 1} | ms", Unit: "ms", Doc: "a number alone is a fixed delay; jitter is 0 unless given; without backoff a failed job is retried at once"},
		},
		Differs: []string{
			"a delay is a whole number of milliseconds; waits grow past 2^53 ms without loss and stop at 2^62 ns",
			"more than 4096 jobs due in one millisecond stay in order of arrival",
			"a stalled job comes back 30 s after the crash of its worker, not at the next check, and at the tail; its stall is an attempt unless `uncharged: [crash]` stands beside the preset",
			"custom backoff types are not modelled",
		},
		build: buildBullmq,
	}
}

func buildBullmq(r *reader) Built {
	b := Built{
		Policy: r.bullmqPolicy(),
		Budget: policy.Budget{Tries: max(1, r.tries("attempts", 0))},
		Queue: engine.Queue{
			Resolution: time.Millisecond, Visibility: 30 * time.Second, RenewLease: true,
			DeadlyStall: int(r.integer(r.value("maxStalledCount"), "maxStalledCount", 0, 1_000_000)) + 1,
		},
	}
	if b.Budget.Tries == 1 && r.has("backoff") {
		b.Notes = append(b.Notes, Note{Text: "bullmq: attempts is 0 or 1, so a failed job is never retried and backoff is not used"})
	}
	return b
}

// bullmqPolicy reads `backoff`.
func (r *reader) bullmqPolicy() policy.Policy {
	backoff := bullmqBackoff{kind: "fixed", delay: zero(), jitter: zero()}
	switch v := r.value("backoff"); v.Kind {
	case Null:
	case Map:
		backoff = r.bullmqBackoff(v)
	default:
		backoff.delay = v
	}
	delay := r.millis(backoff.delay, "delay", 0)
	curve := policy.Fixed(delay)
	if backoff.kind == "exponential" {
		curve = policy.Exponential(delay, policy.Fraction{Num: 2, Den: 1}, 0)
	}
	if share := r.decimal(backoff.jitter, "jitter", 1); share.Num > 0 {
		return policy.New(curve, bullmqJitter{share})
	}
	return policy.New(curve, policy.None{})
}

// A bullmqBackoff is the option `backoff`, its numbers unread.
type bullmqBackoff struct {
	kind          string
	delay, jitter Value
}

func zero() Value { return Value{Kind: Scalar, Text: "0"} }

// bullmqBackoff takes the map of `backoff` apart.
func (r *reader) bullmqBackoff(v Value) bullmqBackoff {
	b := bullmqBackoff{jitter: zero()}
	for _, e := range v.Map {
		switch e.Key {
		case "type":
			if b.kind = e.Value.Text; b.kind != "fixed" && b.kind != "exponential" {
				r.unknown(e.Value.Ref, "backoff type "+units.Quote(b.kind)+" in preset bullmq", []string{"fixed", "exponential"})
			}
		case "delay":
			b.delay = e.Value
		case "jitter":
			if e.Value.Kind != Null {
				b.jitter = e.Value
			}
		default:
			r.unknown(e.KeyRef, "option "+units.Quote(e.Key)+" in backoff of preset bullmq", []string{"type", "delay", "jitter"})
		}
	}
	for _, needed := range []string{"type", "delay"} {
		if !slices.ContainsFunc(v.Map, func(e Entry) bool { return e.Key == needed && e.Value.Kind != Null }) {
			r.problem(v.Ref, "backoff of preset bullmq has no `"+needed+"`", "write `{type: exponential, delay: 1000}`")
			b.delay = zero()
		}
	}
	return b
}

// A bullmqJitter shortens a wait by up to a share j of it: a point of [d−⌊d·j⌋, d) in whole nanoseconds, floored to a
// millisecond. For waits in whole milliseconds and j of up to six decimals that is exactly the law of
// ⌊U·d·j + d·(1−j)⌋ ms.
type bullmqJitter struct{ policy.Fraction }

// Spread returns a whole number of milliseconds.
func (j bullmqJitter) Spread(d time.Duration, _ int, draw *rng.Draw) time.Duration {
	reach := j.Of(d)
	point := d - reach + time.Duration(draw.Below(uint64(max(reach, 1))))
	return point - point%time.Millisecond
}

// Law is that of Spread.
func (j bullmqJitter) Law(d time.Duration, _ int) policy.Law {
	reach := j.Of(d)
	return policy.Law{{From: d - reach, Step: 1, Count: uint64(max(reach, 1)), Each: 1}}.Floor(time.Millisecond)
}
