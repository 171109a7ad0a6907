package engine

import (
	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// A gate is what the jobs of one policy share and must pass: its retry budget and its breaker. Either may be nil.
type gate struct {
	purse   *purse
	breaker *breaker
}

// newGate returns the gate of a discipline; nil when it asks for none.
func newGate(d *Discipline, pool *schedule.Pool) *gate {
	if d.RetryBudget == nil && d.Breaker == nil {
		return nil
	}
	g := &gate{}
	if d.RetryBudget != nil {
		g.purse = newPurse(*d.RetryBudget, pool)
	}
	if d.Breaker != nil {
		g.breaker = &breaker{BreakerRule: *d.Breaker}
	}
	return g
}

// build gives every rule its gate. Rules of one name are one policy, and share it.
func (e *Engine) buildGates() {
	byName := map[string]*gate{}
	for _, r := range append([]*Rule{e.common}, e.cohorts.rules...) {
		if r == nil {
			continue
		}
		g, known := byName[r.Name]
		if !known {
			g = newGate(&r.Discipline, &e.pool)
			byName[r.Name] = g
			if g != nil {
				e.gates = append(e.gates, g)
			}
		}
		r.gate = g
	}
}

// stopped reports whether a job that a worker has claimed makes no call: the breaker refuses the attempt, which has failed
// then, or the retry budget has no token for it.
func (e *Engine) stopped(p schedule.Entry) bool {
	g := e.rule(p.Job).gate
	if g == nil {
		return false
	}
	r := &e.records[p.Number()]
	b := g.breaker
	if b != nil && (b.AtSchedule || !b.refuses(e.now)) {
		b = nil
	}
	e.room()
	switch {
	case b != nil:
		e.emit(Refused, p.At, p.Job)
		r.attempts++
		e.running++
		e.ended.Push(schedule.Entry{At: e.now, Job: p.WithCause(uint8(Breaker))})
		return true
	case p.Attempt() > 1 && !g.fires(e.now, r):
		e.emit(Refused, p.At, p.Job)
		e.room()
		if g.purse.Wait {
			e.hold(g, schedule.Entry{At: e.now, Job: p.Job})
		} else {
			e.dieUncalled(p.Job, BudgetEmpty)
		}
		return true
	}
	g.begin(p.Job, r)
	return false
}

// fires reports whether the retry budget lets a claimed retry run now, and takes its token.
func (g *gate) fires(now clock.Time, r *record) bool {
	p := g.purse
	if p == nil || !p.AtFire || r.paid {
		r.paid = false
		return true
	}
	if p.line.Len() > 0 || !p.has(now) {
		return false
	}
	p.spend()
	return true
}

// begin takes note of an attempt that makes a call.
func (g *gate) begin(j schedule.Job, r *record) {
	if g.purse != nil && j.Attempt() == 1 {
		g.purse.first()
	}
	if g.breaker != nil && !g.breaker.AtSchedule {
		g.breaker.begin(r)
	}
}

// succeeded takes note of an attempt that succeeded.
func (g *gate) succeeded(r *record) {
	if g.purse != nil {
		g.purse.succeeded()
	}
	if g.breaker != nil {
		g.breaker.succeeded(r)
	}
}

// failed takes note of an attempt whose call failed.
func (g *gate) failed(now clock.Time, r *record) {
	if g.purse != nil {
		g.purse.failed()
	}
	if g.breaker != nil {
		g.breaker.failed(now, r)
	}
}

// ask asks the gate about a retry that would be due then. It returns when the retry is due, or the event that tells what
// became of it instead.
func (e *Engine) ask(j schedule.Job, rule *Rule, due clock.Time) (clock.Time, *Event) {
	g, r := rule.gate, &e.records[j.Number()]
	if p := g.purse; p != nil && !p.AtFire {
		switch {
		case p.line.Len() == 0 && p.has(e.now):
			p.spend()
		case p.Wait:
			ev := e.hold(g, schedule.Entry{At: due, Job: j.Next()})
			ev.Attempt, ev.Cause = j.Attempt(), Cause(j.Cause())
			return due, ev
		default:
			return due, e.die(j, BudgetEmpty)
		}
	}
	if b := g.breaker; b != nil && b.AtSchedule {
		due = min(b.postponed(e.now, due, r), clock.End-1)
		if due.Sub(r.since) > rule.Budget.Elapsed {
			return due, e.die(j, Expired)
		}
	}
	return due, nil
}

// hold puts a retry that has no token at the end of the line.
func (e *Engine) hold(g *gate, waits schedule.Entry) *Event {
	g.purse.line.Push(waits)
	e.held++
	return e.emit(Held, waits.At, waits.Job)
}

// release puts on the schedule the retries that have waited for a token and get one now.
func (e *Engine) release() {
	for _, g := range e.gates {
		for p := g.purse; p != nil && p.line.Len() > 0 && p.has(e.now) && e.err == nil; {
			e.room()
			e.held--
			waited := p.line.Pop()
			r, due := &e.records[waited.Number()], max(waited.At, e.now)
			if due.Sub(r.since) > e.rule(waited.Job).Budget.Elapsed {
				e.dieUncalled(waited.Job, Expired)
				continue
			}
			p.spend()
			r.paid = p.AtFire
			e.emit(Released, due, waited.Job)
			e.waiting.Add(schedule.Entry{At: due, Job: waited.Job})
		}
	}
}

// dieUncalled ends the life of a job whose next attempt would have been the one that it carries: it failed before.
func (e *Engine) dieUncalled(j schedule.Job, why Reason) {
	ev := e.die(j, why)
	ev.Attempt, ev.Cause = j.Attempt()-1, NoCause
}

// wake returns the instant at which a retry that waits for a token gets it, as far as time alone decides.
func (e *Engine) wake() clock.Time {
	at := clock.End
	for _, g := range e.gates {
		if g.purse != nil {
			at = min(at, g.purse.wake())
		}
	}
	return at
}
