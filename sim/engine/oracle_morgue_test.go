package engine

import (
	"cmp"
	"math/big"
	"slices"

	"herdsim/sim/clock"
)

// bury takes the letter of a job that dies.
func (o *oracle) bury(j *oracleJob) {
	j.place, j.died = gone, o.now
	if o.c.DeadLetter == (DeadLetter{}) {
		return
	}
	if most := o.c.DeadLetter.Max; most > 0 && len(o.letters) == most {
		o.drop()
	}
	o.letters = append(o.letters, j)
}

func (o *oracle) drop() {
	j := o.letters[0]
	o.letters = o.letters[1:]
	o.note(Dropped, j, j.died, j.attempts)
}

// replays reports whether a replay comes at an instant.
func (o *oracle) replays(at clock.Time) bool {
	r := o.c.DeadLetter.Replay
	if r == nil || at < r.At {
		return false
	}
	return at == r.At || r.Every > 0 && (at-r.At)%clock.Time(r.Every) == 0
}

// nextReplay returns the next instant after now at which a dead job may come back.
func (o *oracle) nextReplay() clock.Time {
	next := clock.End
	for _, j := range o.line {
		next = min(next, j.goes)
	}
	r := o.c.DeadLetter.Replay
	if r == nil || len(o.letters) == 0 {
		return next
	}
	for at := r.At; ; at += clock.Time(r.Every) {
		if at > o.now {
			return min(next, at)
		}
		if r.Every == 0 {
			return next
		}
	}
}

// nextDrop returns the next instant, given what else comes: a letter may be dropped before that, unless the run is over.
func (o *oracle) nextDrop(next clock.Time) clock.Time {
	if o.c.DeadLetter.TTL == 0 || len(o.letters) == 0 {
		return next
	}
	if next >= o.c.Stop && o.over() && !o.c.RunOn {
		return next
	}
	return min(next, o.letters[0].died+clock.Time(o.c.DeadLetter.TTL))
}

// tend drops old letters and brings jobs back.
func (o *oracle) tend() {
	for ttl := o.c.DeadLetter.TTL; ttl > 0 && len(o.letters) > 0 && o.now.Sub(o.letters[0].died) >= ttl; {
		o.drop()
	}
	if o.replays(o.now) {
		r := o.c.DeadLetter.Replay
		for k := 0; len(o.letters) > 0 && (r.Batch == 0 || k < r.Batch); k++ {
			j := o.letters[0]
			o.letters = o.letters[1:]
			j.goes = o.now
			if r.Rate.Count > 0 {
				wait := new(big.Int).Mul(big.NewInt(int64(k)), big.NewInt(int64(r.Rate.Per)))
				j.goes += clock.Time(wait.Quo(wait, big.NewInt(r.Rate.Count)).Int64())
			}
			o.line = append(o.line, j)
		}
	}
	slices.SortFunc(o.line, func(a, b *oracleJob) int { return cmp.Compare(a.number, b.number) })
	for _, j := range o.line {
		if j.goes == o.now {
			o.revive(j)
		}
	}
	o.line = slices.DeleteFunc(o.line, func(j *oracleJob) bool { return j.goes == o.now })
}

func (o *oracle) revive(j *oracleJob) {
	o.note(Replayed, j, j.died, j.attempts)
	j.again, j.probe, j.paid = true, 0, false
	j.attempt++
	if o.c.DeadLetter.Replay.Reset {
		j.attempt, j.charged, j.stalls, j.born = 1, 0, 0, o.now
	}
	o.queue(j)
}
