package engine

import (
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// walk lists what follows each failed call of an attempt of which all calls fail, as nested loops go through it: the layer that
// tries again, from 1, and which failure of it that was.
func walk(layers []Layer, depth int) [][2]int {
	if depth == len(layers) {
		return [][2]int{{}} // one call
	}
	var all [][2]int
	for try := 1; try <= layers[depth].Tries; try++ {
		inner := walk(layers, depth+1)
		if try < layers[depth].Tries {
			inner[len(inner)-1] = [2]int{depth + 1, try}
		}
		all = append(all, inner...)
	}
	return all
}

// lingers lets a worker hold on to a job whose call failed, if another call of the attempt is to follow.
func (o *oracle) lingers(j *oracleJob) bool {
	d := o.rule(j).Discipline
	if j.cause == NoCause || j.cause == Breaker || len(d.Layers) == 0 || slices.Contains(causesIn(d.NotRetryable), j.cause) {
		return false
	}
	next := walk(d.Layers, 0)[j.calls-1]
	if next[0] == 0 {
		return false
	}
	wait := time.Duration(0)
	if p := d.Layers[next[0]-1].Policy; p != nil {
		draw := o.stream.Draw(rng.Layer, uint32(j.cohort), uint64(j.index), uint64(j.tries))
		wait = p.Wait(policy.Failure{Number: next[1], Charged: next[1] - 1, Age: time.Duration(o.now - j.at)}, &draw)
	}
	o.seq++
	j.layer = next[0]
	ev := o.note(Faltered, j, o.now+clock.Time(wait), j.attempt)
	ev.Cause, ev.Layer = j.cause, uint8(j.layer)
	j.place, j.since, j.seq = lingering, o.now+clock.Time(wait), o.seq
	return true
}
