package engine

import (
	"cmp"
	"math"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
	"herdsim/sim/schedule"
)

// sweeps are the pollers that promote due jobs; there are none when each job has an exact timer. Sweeps that would find
// nothing are not events: the next one that matters is computed from what is due.
type sweeps struct {
	pace
	pollers []poller
	batch   int // most promotions of one sweep
	drain   bool
	after   bool
	cost    time.Duration
	first   First
	between bool // jobs: a worker sweeps that has none

	quiet clock.Time // before it no poller has anything to do, unless a job is due before
	since clock.Time // the due instant of the first when that was found; below 0 when it is to be found again

	stop  clock.Time
	aside [2]*schedule.Heap[schedule.Entry] // due jobs, those that go first and the others; nil when all are one set
}

// newSweeps returns nil when each job has its own exact timer.
func newSweeps(c *Config, stream rng.Stream) *sweeps {
	q := c.Queue
	if q.exact() {
		return nil
	}
	s := &sweeps{
		pace:  pace{every: q.Every, idle: q.IdleEvery, most: q.EveryMost, limit: c.MaxEvents},
		batch: cmp.Or(q.Batch, math.MaxInt), drain: q.Drain, after: q.After, cost: q.Cost, first: q.First, between: q.ByWorker, stop: c.Stop,
	}
	if s.drain {
		s.batch = math.MaxInt
	}
	if s.first != Due {
		for i := range s.aside {
			s.aside[i] = schedule.NewHeap(byDue)
		}
	}
	s.pollers = make([]poller, max(q.Pollers, 1))
	for i := range s.pollers {
		p := &s.pollers[i]
		p.id, p.draw = uint32(i), stream.Draw(rng.Sweep, uint32(i), 0, 0)
		p.reset(tick{at: s.firstTick(&q, p, len(s.pollers))})
	}
	return s
}

// firstTick returns the first tick of one of n pollers: those of one interval are spread over it.
func (s *sweeps) firstTick(q *Queue, p *poller, n int) clock.Time {
	if s.most > 0 {
		return clock.Time(q.Phase).Add(s.residual(&p.draw))
	}
	apart := clock.Rate{Count: int64(n), Per: q.Every}.Offset(uint64(p.id))
	if !q.RandomPhase {
		return clock.Time(q.Phase).Add(apart)
	}
	p.draw.Readdress(0, 0, 0) // one for all
	return clock.Time((time.Duration(p.draw.Below(uint64(q.Every))) + apart) % q.Every)
}

func byDue(a, b schedule.Entry) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Number(), b.Number()))
}

// nextSweep returns the next instant at which a poller could promote a job, when the first to wait on the schedule is due at
// due. While every worker has work no sweep begins, and what gives one time for it is an instant of its own.
func (e *Engine) nextSweep(due clock.Time) clock.Time {
	s := e.sweeps
	switch {
	case s.between && e.engaged():
		due = clock.End
	case s.first != Due && s.aside[0].Len()+s.aside[1].Len() > 0:
		due = 0
	}
	if s.since != due || s.between {
		s.quiet, s.since = s.next(due), due
	}
	return s.quiet
}

// engaged reports whether there is work for every worker that has not crashed: a call that it runs, or a pending job.
func (e *Engine) engaged() bool {
	return e.running+e.pending.count+e.pending.parked >= e.slots
}

// next is nextSweep for workers that have time.
func (s *sweeps) next(due clock.Time) clock.Time {
	at, from := clock.End, max(due, s.notBefore)
	for i := range s.pollers {
		switch p := &s.pollers[i]; {
		case p.working:
			at = min(at, p.end)
		case due < s.stop:
			at = min(at, p.next(&s.pace, from))
		}
	}
	return at
}

// poll gives each poller its turn of the instant, of which there is one. What becomes due later in the same instant waits
// for the next sweep.
func (e *Engine) poll() {
	s := e.sweeps
	if e.now < s.notBefore {
		return
	}
	// Most instants of busy workers lie between two ticks. When the first to wait is unknown it may be due by now.
	if e.now < s.quiet && !s.between && e.waiting.Head >= s.since && e.waiting.Head < clock.End {
		s.notBefore = e.now + 1
		return
	}
	for i := range s.pollers {
		if p := &s.pollers[i]; !p.working || p.end == e.now {
			e.turn(p)
		}
	}
	s.notBefore, s.since = e.now+1, -1
}

// turn ends the promotion that a poller has under way, and lets it go on, or begin a sweep whose tick is now.
func (e *Engine) turn(p *poller) {
	s := e.sweeps
	if p.working {
		e.promoting--
		e.queueUp(p.job)
		if e.promote(p) {
			return
		}
		p.rest(&s.pace, e.now, s.after)
	}
	if s.between && e.engaged() {
		return // a tick is missed
	}
	if e.err != nil || !e.anyDue(e.now) || p.next(&s.pace, e.now) != e.now {
		return
	}
	p.begin(e.now, s.batch)
	if !e.promote(p) {
		p.rest(&s.pace, e.now, s.after)
	}
}

// promote goes on with a poller's sweep and reports whether it is under way still: a promotion takes time.
func (e *Engine) promote(p *poller) (underWay bool) {
	s := e.sweeps
	for p.working = false; p.left > 0 && e.err == nil; p.left-- {
		if s.drain {
			p.upTo = e.now
		}
		if !e.anyDue(p.upTo) {
			return false
		}
		p.job = e.takeDue(p.upTo)
		if s.cost > 0 {
			e.promoting++
			p.left--
			p.working, p.end = true, e.now.Add(s.cost)
			return true
		}
		e.queueUp(p.job)
	}
	return false
}

// anyDue reports whether a job may be promoted that was due at the given instant, now or before. Where some go first, it sorts
// out what is due by now.
func (e *Engine) anyDue(upTo clock.Time) bool {
	s := e.sweeps
	if s.first == Due {
		return e.due() && e.waiting.Head <= upTo
	}
	for e.due() {
		job := e.waiting.Pop()
		class := 0
		if retry := job.Attempt() > 1; retry != (s.first == Retries) {
			class = 1
		}
		s.aside[class].Push(job)
		e.promoting++
	}
	return s.ripe(0, upTo) || s.ripe(1, upTo)
}

// ripe reports whether a job set aside was due at the given instant.
func (s *sweeps) ripe(class int, upTo clock.Time) bool {
	return s.aside[class].Len() > 0 && s.aside[class].First().At <= upTo
}

// takeDue takes the next job to promote, of which there is one.
func (e *Engine) takeDue(upTo clock.Time) schedule.Entry {
	s := e.sweeps
	if s.first == Due {
		return e.waiting.Pop()
	}
	e.promoting--
	if s.ripe(0, upTo) {
		return s.aside[0].Pop()
	}
	return s.aside[1].Pop()
}
