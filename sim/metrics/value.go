package metrics

import (
	"fmt"
	"math/big"
	"time"

	"herdsim/sim/clock"
)

// A Value is one number of a run: a count, seconds, or a rate per second.
type Value struct {
	Rat   *big.Rat
	Exact bool // a count or an instant, to be printed with all its decimals; otherwise it was divided, or is rounded
}

// absent is the error that says why a run has no value for a term, e.g. "no job died".
type absent string

func (a absent) Error() string { return string(a) }

// Why a value is absent.
const (
	noArrival   absent = "no job arrived"
	noSuccess   absent = "no job succeeded"
	noDeath     absent = "no job died"
	noPayload   absent = "no cohort has a payload"
	noFinish    absent = "no job finished"
	noLate      absent = "no job that failed has finished"
	noCall      absent = "no call began"
	noRetry     absent = "no retry began"
	noFirst     absent = "no first attempt began"
	noPromotion absent = "no job was promoted"
	noOutage    absent = "no outage ends"
	noRecovery  absent = "no job succeeded after the last outage"
)

// seconds returns d in seconds.
func seconds(d time.Duration) *big.Rat { return big.NewRat(int64(d), int64(time.Second)) }

// inSeconds turns nanoseconds into seconds, in place.
func inSeconds(ns *big.Rat) *big.Rat { return ns.Quo(ns, big.NewRat(int64(time.Second), 1)) }

func number(n int64) (Value, error) { return Value{Rat: big.NewRat(n, 1), Exact: true}, nil }

func derived(r *big.Rat) (Value, error) { return Value{Rat: r}, nil }

// instant returns at, when happened is above 0.
func instant(at clock.Time, happened int64, otherwise absent) (Value, error) {
	if happened == 0 {
		return Value{}, otherwise
	}
	return Value{Rat: seconds(time.Duration(at)), Exact: true}, nil
}

// The methods ending in Or give the reason for which there is no value when nothing was collected.

func (f *spanFacts) meanOr(otherwise absent) (Value, error) {
	if f.count == 0 {
		return Value{}, otherwise
	}
	return derived(f.mean())
}

func (f *spanFacts) maxOr(otherwise absent) (Value, error) {
	return instant(clock.Time(f.max), int64(f.count), otherwise)
}

// percentileOr returns p, one of f's percentiles.
func (f *spanFacts) percentileOr(p uint64, otherwise absent) (Value, error) {
	if f.count == 0 {
		return Value{}, otherwise
	}
	return derived(seconds(time.Duration(p)))
}

func (f *peakFacts) rateValue() (Value, error) {
	r := f.rate()
	return Value{Rat: r, Exact: r.IsInt()}, nil
}

func (f *peakFacts) atOr(otherwise absent) (Value, error) {
	return instant(f.at, int64(f.count), otherwise)
}

func (rows attemptRows) percentileOr(p uint64) (Value, error) {
	if len(rows) == 0 {
		return Value{}, noFinish
	}
	return number(int64(rows.percentile(p)))
}

func (rows attemptRows) meanOr() (Value, error) {
	if len(rows) == 0 {
		return Value{}, noFinish
	}
	return derived(rows.mean())
}

func (f *facts) unfinished() int64 { return f.arrived - f.succeeded - f.dead() }

func (f *facts) callsPerJob() (Value, error) {
	if f.arrived == 0 {
		return Value{}, noArrival
	}
	return derived(big.NewRat(f.began, f.arrived))
}

func (f *facts) drainTime() (Value, error) {
	switch n := f.unfinished(); {
	case n == 1:
		return Value{}, absent("1 job unfinished")
	case n > 1:
		return Value{}, absent(fmt.Sprintf("%d jobs unfinished", n))
	}
	return instant(f.lastFinish, f.arrived, noArrival)
}

// sinceOutage returns the span from the end of the last outage to at, an instant of a success after it.
func (f *facts) sinceOutage(at clock.Time) (Value, error) {
	if !f.hasOutage {
		return Value{}, noOutage
	}
	return instant(at-f.outage, f.recovered, noRecovery)
}

func (f *facts) spreadValue() (Value, error) {
	d := f.spread.distances
	if d.count == 0 {
		return Value{}, absent(fmt.Sprintf("no job had retry %d", f.retry))
	}
	return derived(seconds(time.Duration(d.p95 - d.p5)))
}
