package preset

import (
	"fmt"
	"slices"
	"time"

	"herdsim/sim/engine"
	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// deepestJitter is how many jitters of EchoMQ may be nested.
const deepestJitter = 8

// echomq is modelled on EchoMQ.Backoff.delay_ms, EchoMQ.Consumer, EchoMQ.Pump and the @retry and @promote scripts of
// EchoMQ.Jobs.
func echomq() *Preset {
	return &Preset{
		Name:    "echomq",
		Title:   "EchoMQ",
		Source:  "github.com/jonny-novikov/fiberfx echo/apps/echo_mq, ab95b93 (jobs.ex 5eca83f)",
		Formula: "fixed: ms; exponential: min(base·2^(n−1), cap); jitter: a whole number of ms from 0 to the inner wait, both included",
		Budget:  "dead once attempts ≥ max_attempts; attempts counts the first try",
		Queue:   "the pump sweeps every tick and promotes at most one batch; the oldest job runs first, so a retry overtakes younger jobs; without a pump consumers promote between jobs; a claimed job has a lease that nobody renews",
		Options: []Option{
			{Name: "policy", Type: "{fixed: ms} | {exponential: [base, cap]} | {jitter: policy}", Unit: "ms", Doc: "what you pass to Backoff.delay_ms; without it the consumer's constant retry_delay_ms"},
			{Name: "retry_delay_ms", Type: "whole number", Unit: "ms", Default: "1000", Doc: "the stock consumer's constant wait; not beside policy"},
			{Name: "max_attempts", Type: "whole number from 1", Default: "3", Doc: "tries in all, the first included"},
			{Name: "tick_ms", Type: "whole number from 1", Unit: "ms", Default: "1000", Doc: "from one sweep of the pump to the next"},
			{Name: "batch", Aliases: []string{"pump_batch"}, Type: "whole number from 1", Default: "100", Doc: "most promotions of one sweep"},
			{Name: "pump", Type: "true or false", Default: "true", Doc: "false: no pump runs, and consumers promote a batch at each beat that finds one of them without a job"},
			{Name: "lease_ms", Type: "whole number from 1", Unit: "ms", Default: "30000", Doc: "lease of a claimed job; its end spends an attempt, as attempts are counted when a job is claimed"},
			{Name: "beat_ms", Type: "whole number from 1", Unit: "ms", Doc: "longest park of an idle consumer, and from one look for due retries to the next: 1000 with pump: false, and only there"},
		},
		Differs: []string{
			"one pump is assumed, and consumers, which also promote one batch between drains, do not; with pump: false they share one beat, as a fleet of one consumer does",
			"sweeps take no time, so ticks keep to their grid",
			"a lease is over at its very end, not when a consumer next looks; the reaper never checks max_attempts, so that a job whose last lease ends is pending once more where it is dead here",
			"the optional sweep for stalled jobs is left out",
		},
		build: buildEchomq,
	}
}

func buildEchomq(r *reader) Built {
	pump := r.truth(r.value("pump"), "pump")
	every, idle := "tick_ms", "beat_ms"
	if !pump {
		every, idle = idle, every
	}
	if e := r.find(idle); e != nil {
		r.problem(e.KeyRef, fmt.Sprintf("`%s` has no effect with `pump: %t`", idle, pump), "")
	}
	tick := time.Second
	if v := r.value(every); v.Kind != Null {
		tick = r.millis(v, every, 1)
	}
	lease := r.millis(r.value("lease_ms"), "lease_ms", 1)
	batch := r.integer(r.value("batch"), "batch", 1, 1<<31-1)
	return Built{
		Policy: r.echomqPolicy(),
		Budget: policy.Budget{Tries: r.tries("max_attempts", 1)},
		Queue:  engine.Queue{Order: engine.Oldest, Every: tick, Batch: int(batch), ByWorker: !pump, Resolution: time.Millisecond, Visibility: lease, LeaseFails: true},
	}
}

// echomqPolicy reads `policy`, or the consumer's constant.
func (r *reader) echomqPolicy() policy.Policy {
	v := r.value("policy")
	if v.Kind == Null {
		return policy.New(policy.Fixed(r.millis(r.value("retry_delay_ms"), "retry_delay_ms", 0)), policy.None{})
	}
	if e := r.find("retry_delay_ms"); e != nil {
		r.problem(e.KeyRef, "`retry_delay_ms` has no effect beside `policy`", "leave one of them out")
	}
	var layers policy.Chain
	name, inner := r.backoff(v)
	for ; name == "jitter"; name, inner = r.backoff(inner) {
		if len(layers) == deepestJitter {
			r.problem(inner.Ref, fmt.Sprintf("`jitter` is nested more than %d deep", deepestJitter), "")
			break
		}
		layers = append(layers, policy.Full{})
	}
	curve := policy.Fixed(0)
	switch name {
	case "fixed":
		curve = policy.Fixed(r.millis(inner, "fixed", 0))
	case "exponential":
		if pair, ok := r.list(inner, "exponential", 2); ok {
			base, cap := r.millis(pair[0], "exponential base", 1), r.millis(pair[1], "exponential cap", 1)
			if cap < base {
				r.warn(pair[1].Ref, "cap "+pair[1].Text+" is below base "+pair[0].Text+": every wait is "+pair[1].Text+" ms"+beforeJitter(len(layers)))
			}
			curve = policy.Exponential(base, policy.Fraction{Num: 2, Den: 1}, cap)
		}
	}
	if len(layers) == 0 {
		return policy.New(curve, policy.None{})
	}
	return policy.New(curve, policy.Steps{Size: time.Millisecond, Jitter: layers})
}

func beforeJitter(layers int) string {
	if layers == 0 {
		return ""
	}
	return " before its jitter"
}

// backoff reads one layer of a policy: its name, which is empty after a problem, and its argument.
func (r *reader) backoff(v Value) (string, Value) {
	const example = "write `{fixed: 1000}`, `{exponential: [1000, 60000]}` or `{jitter: …}` around one of them"
	switch {
	case v.Kind != Map:
		r.problem(v.Ref, "a policy of preset echomq must be a map, found "+v.Kind.shape(), example)
		return "", Value{}
	case len(v.Map) != 1:
		r.problem(v.Ref, fmt.Sprintf("a policy of preset echomq has one key, found %d", len(v.Map)), example)
		return "", Value{}
	}
	e, known := v.Map[0], []string{"fixed", "exponential", "jitter"}
	if !slices.Contains(known, e.Key) {
		r.unknown(e.KeyRef, "policy "+units.Quote(e.Key)+" in preset echomq", known)
		return "", Value{}
	}
	return e.Key, e.Value
}
