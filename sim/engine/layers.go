package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// A Layer is a retry loop inside an attempt, round the call or round the next layer: the worker is held until it ends.
type Layer struct {
	Tries  int           // at least 1
	Policy policy.Policy // prices the wait between them; nil for none
}

// resting stands for the cause of a job that waits inside its attempt for its next call.
const resting = Causes

// stepping returns which layer, from 0, the outermost, has a try left after so many calls of an attempt that have all failed,
// and the number of its failure; false when none has. Inner layers come first, and begin anew with each try of an outer one.
func stepping(layers []Layer, calls uint64) (layer, failure int, ok bool) {
	for i := len(layers) - 1; i >= 0; i-- {
		tries := uint64(layers[i].Tries)
		if calls%tries != 0 {
			return i, int(calls % tries), true
		}
		calls /= tries
	}
	return 0, 0, false
}

// linger lets a job whose call failed wait for the next call of the same attempt, if a layer of its policy has a try left. It
// returns nil if none has, and the attempt has failed.
func (e *Engine) linger(j schedule.Job, rule *Rule, r *record) *Event {
	if cause := Cause(j.Cause()); rule.Discipline.Layers == nil || cause == Breaker || rule.Discipline.NotRetryable.Has(cause) {
		return nil
	}
	layer, n, ok := stepping(rule.Discipline.Layers, uint64(r.calls))
	if !ok {
		return nil
	}
	wait := time.Duration(0)
	if p := rule.Discipline.Layers[layer].Policy; p != nil {
		e.draws.layer.Readdress(uint32(j.Cohort()), uint64(j.Index()), uint64(r.tries))
		wait = p.Wait(policy.Failure{Number: n, Charged: n - 1, Age: e.now.Sub(r.since)}, &e.draws.layer)
	}
	next := schedule.Entry{At: min(e.now.Add(wait), clock.End-1), Job: j.WithCause(uint8(resting))}
	ev := e.emit(Faltered, next.At, j)
	ev.Cause, ev.Layer = Cause(j.Cause()), uint8(layer+1)
	e.running++
	if wait > 0 {
		e.calls.Add(next)
	} else {
		e.ended.Push(next)
	}
	return ev
}

// repeat begins the next call of an attempt that has waited for it.
func (e *Engine) repeat(j schedule.Job) {
	r := e.records.at(j.Number())
	if e.copies != nil {
		r.calls = e.copies.at(j.Mark()).calls
	}
	layer, _, _ := stepping(e.rule(j).Discipline.Layers, uint64(r.calls))
	e.room()
	e.emit(Called, e.now, j).Layer = uint8(layer + 1)
	e.running--
	r.repeats = true
	try := e.records.call(j)
	if e.copies != nil {
		e.copies.at(j.Mark()).calls = r.calls
	}
	if called, ended := e.call(j, try); ended {
		e.ended.Push(schedule.Entry{At: e.now, Job: called})
	}
}
