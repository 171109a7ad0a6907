package preset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// flexiq is modelled on resilience/retry.rs and scheduler/{mod,poller,result_handler}.rs of flexiq-core, with the units of
// its Python interface.
func flexiq() *Preset {
	return &Preset{
		Name:    "flexiq",
		Title:   "FlexiQ",
		Source:  "github.com/ByteVeda/flexiq (read as ByteVeda/taskito 9a06d90, 1.0.0-18)",
		Formula: "a whole number of ms from 0 to min(max_retry_delay, retry_backoff·2^min(n−1, 30)), both included; retry_delays[n−1] exactly while the list lasts",
		Budget:  "a retry while retry_count < max_retries; the first try is not counted",
		Queue:   "workers filter by due time when they claim: a poll every 50 ms, doubling to 200 ms while idle, repeated until nothing is due; a worker without a heartbeat for 30 s is dead",
		Options: []Option{
			{Name: "max_retries", Type: "whole number", Default: "3", Doc: "retries after the first try"},
			{Name: "retry_backoff", Type: "number", Unit: "s", Default: "1.0", Doc: "bound of the first wait; cut to whole milliseconds"},
			{Name: "max_retry_delay", Aliases: []string{"max_retry_delay_s"}, Type: "whole number", Unit: "s", Default: "300", Doc: "most that a bound grows to"},
			{Name: "retry_delays", Type: "list of numbers", Unit: "s", Doc: "the first waits, without jitter; past its end the wait is drawn as if the list were not there"},
			{Name: "retry_budget", Type: "N/s | N/m | N/h", Doc: "token bucket that retries of one task share: N at the start, N more in each second, minute or hour; without a token a job is dead"},
			{Name: "dlq_auto_retry_delay", Type: "number", Unit: "s", Doc: "age at which a dead letter is tried again", Later: true},
			{Name: "dlq_auto_retry_max", Type: "whole number", Doc: "times that a dead letter is tried again", Later: true},
		},
		Differs: []string{
			"pending jobs run in the order in which they became due; priorities are not modelled",
			"the job of a worker that died fails by crash 30 s later, without the reaper's delay of 5 to 20 s, and its next try waits for no backoff",
			"no timeout, no circuit breaker, no shedding",
		},
		build: buildFlexiq,
	}
}

// flexiqGrowth is how many waits FlexiQ's bound grows for: 2^min(n−1, 30).
const flexiqGrowth = 31

func buildFlexiq(r *reader) Built {
	retries := r.tries("max_retries", 0)
	b := Built{
		Policy: policy.New(r.flexiqBound(), policy.Steps{Size: time.Millisecond, Jitter: policy.Full{}}),
		Budget: policy.Budget{Tries: retries + 1},
		Queue: engine.Queue{
			Every: 50 * time.Millisecond, IdleEvery: 200 * time.Millisecond, Drain: true, Resolution: time.Millisecond,
			Visibility: 30 * time.Second, RenewLease: true,
		},
	}
	if v := r.value("retry_budget"); v.Kind != Null {
		b.RetryBudget = r.flexiqBudget(v)
	}
	if v := r.value("retry_delays"); v.Kind != Null {
		items, _ := r.list(v, "retry_delays", -1)
		waits := make([]time.Duration, len(items))
		for i, item := range items {
			waits[i] = r.secondsInMillis(item, "retry_delays")
		}
		b.Policy = policy.Listed(waits, b.Policy)
		if len(waits) > retries {
			text := fmt.Sprintf("flexiq: max_retries %d uses only the first %d of %d retry_delays", retries, retries, len(waits))
			b.Notes = append(b.Notes, Note{text, true})
		}
	}
	return b
}

// flexiqBudget reads N/s, N/m or N/h: a bucket of N that N tokens fill in that time.
func (r *reader) flexiqBudget(v Value) *engine.RetryBudget {
	const want = "a number of retries per second, minute or hour such as 100/m"
	if v.Kind != Scalar {
		r.problem(v.Ref, fmt.Sprintf("`retry_budget` must be %s, found %s", want, v.Kind.shape()), "")
		return nil
	}
	rate, err := units.Rate(v.Text)
	_, unit, _ := strings.Cut(v.Text, "/")
	if err != nil || rate.Count == 0 || !slices.Contains([]string{"s", "m", "h"}, unit) {
		r.problem(v.Ref, "`retry_budget` must be "+want+", found "+units.Quote(v.Text), "")
		return nil
	}
	return &engine.RetryBudget{Bucket: uint64(rate.Count), Refill: rate}
}

// flexiqBound returns min(max_retry_delay, retry_backoff·2^min(n−1, 30)).
func (r *reader) flexiqBound() policy.Curve {
	base := r.secondsInMillis(r.value("retry_backoff"), "retry_backoff")
	longest := time.Duration(r.integer(r.value("max_retry_delay"), "max_retry_delay", 0, uint64(clock.Longest/time.Second))) * time.Second
	if e := r.find("max_retry_delay"); e != nil && longest < base {
		r.warn(e.Value.Ref, "max_retry_delay "+e.Value.Text+" is below retry_backoff "+r.value("retry_backoff").Text+": every wait is "+e.Value.Text+" s before its jitter")
	}
	if longest == 0 {
		return policy.Fixed(0)
	}
	doubling := policy.Exponential(base, policy.Fraction{Num: 2, Den: 1}, 0)
	waits, whole := make([]time.Duration, flexiqGrowth), make([]time.Duration, flexiqGrowth)
	for i := range waits {
		whole[i] = doubling.Base(i + 1)
		waits[i] = min(whole[i], longest)
	}
	return policy.Capped(waits, policy.Ladder(whole))
}

// secondsInMillis reads seconds and cuts them to milliseconds as FlexiQ does, (s * 1000.0) as i64: 1.001 s is 1000 ms,
// because the nearest binary number lies below it. One product of doubles, then cut, is the same on every machine.
func (r *reader) secondsInMillis(v Value, what string) time.Duration {
	const high = uint64(clock.Longest/time.Second) / 2
	if r.decimal(v, what, high).Num == 0 {
		return 0
	}
	seconds, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		panic("preset: " + err.Error())
	}
	return time.Duration(int64(seconds*1000)) * time.Millisecond
}
