package engine

import (
	"cmp"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// oraclePoller sweeps at each of its ticks, whether or not there is anything to do.
type oraclePoller struct {
	id       int
	tick     clock.Time
	interval time.Duration // the last
	drawn    int
	left     int        // promotions of the sweep under way
	began    clock.Time // when it began
	found    bool       // it found a job
	job      *oracleJob // whose promotion is under way
	end      clock.Time // of that promotion
}

func (o *oracle) hirePollers() {
	q := o.c.Queue
	if q.Every == 0 && q.EveryMost == 0 || q.HeldByWorker {
		return
	}
	n := max(1, q.Pollers)
	for i := range n {
		p := &oraclePoller{id: i, interval: q.Every, tick: clock.Time(q.Phase) + clock.Time(i)*clock.Time(q.Every)/clock.Time(n)}
		o.pollers = append(o.pollers, p)
		switch {
		case q.EveryMost > 0:
			d := o.stream.Draw(rng.Sweep, uint32(i), 0, 0)
			for {
				interval := q.Every + time.Duration(d.Below(uint64(q.EveryMost-q.Every)+1))
				if point := d.Below(uint64(q.EveryMost)); point < uint64(interval) {
					p.tick = clock.Time(q.Phase) + clock.Time(point)
					break
				}
			}
		case q.RandomPhase:
			d := o.stream.Draw(rng.Sweep, 0, 0, 0)
			p.tick = (clock.Time(d.Below(uint64(q.Every))) + clock.Time(i)*clock.Time(q.Every)/clock.Time(n)) % clock.Time(q.Every)
		}
	}
}

// nextTurn returns when the next promotion ends or, if there is any work, the next tick comes.
func (o *oracle) nextTurn(work bool) clock.Time {
	next := clock.End
	for _, p := range o.pollers {
		if p.job != nil {
			next, work = min(next, p.end), true
		}
	}
	for _, p := range o.pollers {
		if p.job == nil && work {
			next = min(next, p.tick)
		}
	}
	return next
}

// poll gives each poller its turn.
func (o *oracle) poll() {
	for _, p := range o.pollers {
		if p.job != nil && p.end == o.now {
			o.note(Promoted, p.job, p.job.since, p.job.attempt)
			o.queue(p.job)
			p.job = nil
			o.goOn(p)
		}
		if p.job == nil && p.tick == o.now {
			p.began, p.left, p.found = o.now, cmp.Or(o.c.Queue.Batch, 1<<30), false
			switch {
			case o.c.Queue.ByWorker && o.everyHandIsWanted():
				p.left = 0
			case o.c.Queue.Drain:
				p.left = 1 << 30
			}
			o.goOn(p)
		}
	}
}

// everyHandIsWanted reports whether the workers that run no job are no more than the jobs that are pending.
func (o *oracle) everyHandIsWanted() bool {
	idle := o.c.Workers.Count - len(o.away)
	for _, j := range o.jobs {
		if j.place == inCall || j.place == lingering || j.place == pendingPlace {
			idle--
		}
	}
	return idle <= 0
}

// goOn goes on with a sweep until a promotion takes time, or nothing is left to promote.
func (o *oracle) goOn(p *oraclePoller) {
	for p.left > 0 {
		before := p.began
		if o.c.Queue.Drain {
			before = o.now
		}
		if !o.promote(p, before) {
			break
		}
		p.left--
		p.found = true
		if p.job != nil {
			return
		}
	}
	o.nextTick(p)
}

// nextTick ends a sweep.
func (o *oracle) nextTick(p *oraclePoller) {
	q := o.c.Queue
	interval := func() clock.Time {
		switch {
		case q.EveryMost > 0:
			p.drawn++
			d := o.stream.Draw(rng.Sweep, uint32(p.id), uint64(p.drawn), 0)
			p.interval = max(1, q.Every+time.Duration(d.Below(uint64(q.EveryMost-q.Every)+1)))
		case p.found || q.IdleEvery <= q.Every:
			p.interval = q.Every
		default:
			p.interval = min(2*p.interval, q.IdleEvery)
		}
		return clock.Time(p.interval)
	}
	if q.After {
		p.tick = o.now + interval()
		return
	}
	for p.tick += interval(); p.tick < o.now; {
		p.tick += interval()
	}
}

// promote takes the first job that was due at an instant, and reports whether there was one. A poller may be at it for some
// time.
func (o *oracle) promote(p *oraclePoller, before clock.Time) bool {
	class := func(j *oracleJob) int {
		switch retry := j.attempt > 1; {
		case o.c.Queue.HeldByWorker:
		case o.c.Queue.First == Retries && !retry, o.c.Queue.First == FirstRuns && retry:
			return 1
		}
		return 0
	}
	j := o.first(scheduled, func(j *oracleJob) bool { return j.since <= before }, func(a, b *oracleJob) int {
		return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(a.since, b.since), cmp.Compare(a.number, b.number), cmp.Compare(a.lease, b.lease))
	})
	switch {
	case j == nil:
		return false
	case p != nil && o.c.Queue.Cost > 0:
		p.job, p.end = j, o.now+clock.Time(o.c.Queue.Cost)
		j.place = inPromotion
	default:
		o.note(Promoted, j, j.since, j.attempt)
		j.hands = nobody
		o.queue(j)
	}
	return true
}
