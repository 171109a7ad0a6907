package engine

import (
	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// A gate is what the jobs of one policy share and must pass: its retry budget and its breaker. Either may be missing. Those of
// workers are made when they are first asked for.
type gate struct {
	budget   *RetryBudget
	rule     *BreakerRule
	pool     *schedule.Pool
	purses   []*purse // one for each worker so far, or one for all
	breakers []*breaker
}

// purse returns the retry budget that decides for a worker; nil when there is none.
func (g *gate) purse(worker int) *purse {
	if g.budget == nil {
		return nil
	}
	if !g.budget.PerWorker {
		worker = 0
	}
	for len(g.purses) <= worker {
		g.purses = append(g.purses, newPurse(*g.budget, g.pool))
	}
	return g.purses[worker]
}

// breaker returns the breaker that decides for a worker; nil when there is none.
func (g *gate) breaker(worker int) *breaker {
	if g.rule == nil {
		return nil
	}
	if !g.rule.PerWorker {
		worker = 0
	}
	for len(g.breakers) <= worker {
		g.breakers = append(g.breakers, &breaker{BreakerRule: *g.rule})
	}
	return g.breakers[worker]
}

// buildGates gives every rule its gate. Rules of one name are one policy, and share it.
func (e *Engine) buildGates() {
	byName := map[string]*gate{}
	for _, r := range append([]*Rule{e.common}, e.cohorts.rules...) {
		if r == nil {
			continue
		}
		g, known := byName[r.Name]
		if !known {
			if d := &r.Discipline; d.RetryBudget != nil || d.Breaker != nil {
				g = &gate{budget: d.RetryBudget, rule: d.Breaker, pool: &e.pool}
				e.gates = append(e.gates, g)
			}
			byName[r.Name] = g
		}
		r.gate = g
		if g != nil && (g.budget != nil && g.budget.PerWorker || g.rule != nil && g.rule.PerWorker) && e.crew == nil {
			e.crew = newCrew(&e.config.Workers)
		}
	}
}

// stopped reports whether a job that a worker has claimed makes no call: the breaker refuses the attempt, which has failed
// then, or the retry budget has no token for it.
func (e *Engine) stopped(p schedule.Entry) bool {
	g, r := e.rule(p.Job).gate, e.records.at(p.Number())
	if g != nil {
		worker := e.crew.next()
		b, purse := g.breaker(worker), g.purse(worker)
		e.room()
		switch {
		case b != nil && !b.AtSchedule && b.refuses(e.now):
			e.emit(Refused, p.At, p.Job)
			r.worker = e.crew.take()
			if mark := p.Mark(); mark != 0 {
				e.copies.refused(mark, r)
			} else {
				r.attempts++
			}
			e.running++
			e.ended.Push(schedule.Entry{At: e.now, Job: p.WithCause(uint8(Breaker))})
			return true
		case purse != nil && p.Attempt() > 1 && !purse.fires(e.now, r):
			e.emit(Refused, p.At, p.Job)
			e.room()
			if purse.Wait {
				e.hold(purse, schedule.Entry{At: e.now, Job: p.Job})
			} else {
				e.dieUncalled(p.Job, BudgetEmpty)
			}
			return true
		}
		if purse != nil && p.Attempt() == 1 {
			purse.first()
		}
		if b != nil && !b.AtSchedule {
			b.begin(r)
		}
	}
	r.worker = e.crew.take()
	return false
}

// fires reports whether the budget lets a claimed retry run now, and takes its token.
func (p *purse) fires(now clock.Time, r *record) bool {
	switch {
	case !p.AtFire:
		return true
	case r.paid:
		r.paid = false
		return true
	case p.line.Len() > 0 || !p.has(now):
		return false
	}
	p.spend()
	return true
}

// succeeded takes note of an attempt that succeeded.
func (g *gate) succeeded(r *record) {
	if p := g.purse(r.worker); p != nil {
		p.succeeded()
	}
	if b := g.breaker(r.worker); b != nil {
		b.succeeded(r)
	}
}

// failed takes note of an attempt whose call failed.
func (g *gate) failed(now clock.Time, r *record) {
	if p := g.purse(r.worker); p != nil {
		p.failed()
	}
	if b := g.breaker(r.worker); b != nil {
		b.failed(now, r)
	}
}

// ask asks the gate about a retry that would be due then. It returns when the retry is due, or the event that tells what
// became of it instead.
func (e *Engine) ask(j schedule.Job, rule *Rule, due clock.Time) (clock.Time, *Event) {
	g, r := rule.gate, e.records.at(j.Number())
	if p := g.purse(r.worker); p != nil && !p.AtFire {
		switch {
		case p.line.Len() == 0 && p.has(e.now):
			p.spend()
		case p.Wait:
			ev := e.hold(p, schedule.Entry{At: due, Job: j.Next()})
			ev.Attempt, ev.Cause = j.Attempt(), Cause(j.Cause())
			return due, ev
		default:
			return due, e.die(j, BudgetEmpty)
		}
	}
	if b := g.breaker(r.worker); b != nil && b.AtSchedule {
		due = min(b.postponed(e.now, due, r), clock.End-1)
		if due.Sub(r.since) > rule.Budget.Elapsed {
			return due, e.die(j, Expired)
		}
	}
	return due, nil
}

// hold puts a retry that has no token at the end of the line.
func (e *Engine) hold(p *purse, waits schedule.Entry) *Event {
	p.line.Push(waits)
	e.held++
	return e.emit(Held, waits.At, waits.Job)
}

// release puts on the schedule the retries that have waited for a token and get one now.
func (e *Engine) release() {
	for _, g := range e.gates {
		for _, p := range g.purses {
			e.releaseFrom(p)
		}
	}
}

func (e *Engine) releaseFrom(p *purse) {
	for p.line.Len() > 0 && p.has(e.now) && e.err == nil {
		e.room()
		e.held--
		waited := p.line.Pop()
		r, due := e.records.at(waited.Number()), max(waited.At, e.now)
		if due.Sub(r.since) > e.rule(waited.Job).Budget.Elapsed {
			e.dieUncalled(waited.Job, Expired)
			continue
		}
		p.spend()
		r.paid = p.AtFire
		e.emit(Released, due, waited.Job)
		e.wait(schedule.Entry{At: due, Job: waited.Job})
	}
}

// dieUncalled ends the life of a job whose next attempt would have been the one that it carries: it failed before. Another copy
// of that attempt may have been called; then it counts.
func (e *Engine) dieUncalled(j schedule.Job, why Reason) {
	if e.copies != nil {
		var decides bool
		if j, decides = e.settles(j.WithCause(uint8(NoCause))); !decides {
			return
		}
	}
	ev := e.die(j.Previous(), why)
	ev.Attempt, ev.Cause = e.used(j), NoCause
}

// wake returns the instant at which a retry that waits for a token gets it, as far as time alone decides.
func (e *Engine) wake() clock.Time {
	at := clock.End
	for _, g := range e.gates {
		for _, p := range g.purses {
			at = min(at, p.wake())
		}
	}
	return at
}
