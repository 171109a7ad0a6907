package engine

import (
	"math/big"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
)

// oracleGate is what the jobs of one policy share: levels in tokens, as fractions, and every failure since the breaker closed.
type oracleGate struct {
	budget        *RetryBudget
	main, reserve *big.Rat
	at            clock.Time
	line          []*oracleJob

	breaker  *BreakerRule
	failures []clock.Time
	open     bool
	until    clock.Time
	round    int
	probes   []*oracleJob // begun in this round
	good     int
}

func tokensOf(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }

// inFraction returns f times n.
func inFraction(f policy.Fraction, n *big.Rat) *big.Rat {
	share := new(big.Rat).SetFrac(new(big.Int).SetUint64(f.Num), new(big.Int).SetUint64(f.Den))
	return share.Mul(share, n)
}

// gate returns the gate of a job's policy; nil when it has none.
func (o *oracle) gate(j *oracleJob) *oracleGate {
	rule := o.rule(j)
	d := rule.Discipline
	if d.RetryBudget == nil && d.Breaker == nil {
		return nil
	}
	if g := o.gates[rule.Name]; g != nil {
		return g
	}
	g := &oracleGate{budget: d.RetryBudget, breaker: d.Breaker, main: new(big.Rat), reserve: new(big.Rat)}
	if b := d.RetryBudget; b != nil {
		if b.PerFirst.Den == 0 {
			g.main = tokensOf(b.Bucket)
		}
		g.reserve = tokensOf(uint64(b.Reserve.Count))
	}
	if o.gates == nil {
		o.gates = map[string]*oracleGate{}
	}
	o.gates[rule.Name] = g
	return g
}

// gain brings tokens, up to the most.
func gain(level, tokens, most *big.Rat) {
	if level.Add(level, tokens); level.Cmp(most) > 0 {
		level.Set(most)
	}
}

// come returns the tokens that come by a rate in a span.
func come(r clock.Rate, span time.Duration) *big.Rat {
	if r.Count == 0 {
		return new(big.Rat)
	}
	n := new(big.Int).Mul(big.NewInt(r.Count), big.NewInt(int64(span)))
	return new(big.Rat).SetFrac(n, big.NewInt(int64(r.Per)))
}

func (g *oracleGate) gainMain(tokens *big.Rat) {
	if g.budget.Bucket == 0 {
		g.main.Add(g.main, tokens)
		return
	}
	gain(g.main, tokens, tokensOf(g.budget.Bucket))
}

// has brings what has come by itself and tells whether a retry may go.
func (g *oracleGate) has(now clock.Time) bool {
	b := g.budget
	if b.Refill.Count > 0 {
		g.gainMain(come(b.Refill, now.Sub(g.at)))
	}
	gain(g.reserve, come(b.Reserve, now.Sub(g.at)), tokensOf(uint64(b.Reserve.Count)))
	g.at = now
	if b.Threshold.Den > 0 {
		return g.main.Cmp(inFraction(b.Threshold, tokensOf(b.Bucket))) > 0
	}
	return g.main.Cmp(tokensOf(1)) >= 0 || g.reserve.Cmp(tokensOf(1)) >= 0
}

func (g *oracleGate) spend() {
	from := g.main
	if g.reserve.Cmp(tokensOf(1)) >= 0 {
		from = g.reserve
	}
	if g.budget.Threshold.Den == 0 {
		from.Sub(from, tokensOf(1))
	}
}

// nextToken returns the first instant at which a retry of the line may go, as far as time decides.
func (o *oracle) nextToken() clock.Time {
	next := clock.End
	for _, g := range o.gates {
		if len(g.line) == 0 {
			continue
		}
		for _, from := range []struct {
			level *big.Rat
			rate  clock.Rate
		}{{g.main, g.budget.Refill}, {g.reserve, g.budget.Reserve}} {
			if from.rate.Count == 0 {
				continue
			}
			short := new(big.Rat).Sub(tokensOf(1), from.level)
			short.Quo(short, big.NewRat(from.rate.Count, int64(from.rate.Per)))
			ns := new(big.Int).Add(short.Num(), new(big.Int).Sub(short.Denom(), big.NewInt(1)))
			next = min(next, g.at+clock.Time(ns.Quo(ns, short.Denom()).Int64()))
		}
	}
	return next
}

// stops tells what becomes of a claimed job that makes no call; false when it makes one.
func (o *oracle) stops(j *oracleJob) bool {
	g := o.gate(j)
	if g == nil {
		return false
	}
	if b := g.breaker; b != nil && !b.AtSchedule && g.open && (o.now < g.until || len(g.probes) == b.Probes) {
		o.note(Refused, j, j.since, j.attempt)
		o.seq++
		j.attempts++
		j.place, j.since, j.seq, j.cause = inCall, o.now, o.seq, Breaker
		return true
	}
	if b := g.budget; b != nil && b.AtFire && j.attempt > 1 {
		switch {
		case j.paid:
			j.paid = false
		case len(g.line) == 0 && g.has(o.now):
			g.spend()
		default:
			o.note(Refused, j, j.since, j.attempt)
			if b.Wait {
				o.hold(g, j, o.now)
			} else {
				o.dieUncalled(j, BudgetEmpty)
			}
			return true
		}
	}
	if b := g.budget; b != nil && b.PerFirst.Den > 0 && j.attempt == 1 {
		g.gainMain(inFraction(b.PerFirst, tokensOf(1)))
	}
	if b := g.breaker; b != nil && !b.AtSchedule {
		j.probe = 0
		if g.open {
			j.probe = g.round
			g.probes = append(g.probes, j)
		}
	}
	return false
}

func (o *oracle) hold(g *oracleGate, j *oracleJob, due clock.Time) *Event {
	g.line = append(g.line, j)
	j.place, j.since = held, due
	return o.note(Held, j, due, j.attempt)
}

func (o *oracle) dieUncalled(j *oracleJob, why Reason) {
	ev := o.note(Died, j, j.at, j.attempt-1)
	ev.Reason = why
	j.place = gone
}

// ended tells a job's gate how its attempt ended.
func (o *oracle) ended(j *oracleJob) {
	g := o.gate(j)
	if g == nil || j.cause == Breaker {
		return
	}
	probe := g.open && j.probe == g.round
	if b := g.budget; b != nil && j.cause == NoCause && b.PerSuccess.Den > 0 {
		g.gainMain(inFraction(b.PerSuccess, tokensOf(1)))
	} else if b != nil && j.cause != NoCause && b.Threshold.Den > 0 {
		if g.main.Sub(g.main, tokensOf(1)); g.main.Sign() < 0 {
			g.main.SetInt64(0)
		}
	}
	switch b := g.breaker; {
	case b == nil:
	case j.cause == NoCause && probe:
		if g.good++; g.good == b.Probes {
			g.open, g.failures = false, nil
		}
	case j.cause != NoCause && probe:
		g.trip(o.now)
	case j.cause != NoCause && !g.open:
		g.failures = append(g.failures, o.now)
		recent := 0
		for _, at := range g.failures {
			if o.now.Sub(at) < b.Within {
				recent++
			}
		}
		if recent >= b.Failures {
			g.trip(o.now)
		}
	}
}

func (g *oracleGate) trip(now clock.Time) {
	g.open, g.until, g.probes, g.good = true, now.Add(g.breaker.Open), nil, 0
	g.round++
}

// asks returns when a retry is due that would be due then, and tells what becomes of it when it is not scheduled.
func (o *oracle) asks(j *oracleJob, due clock.Time) (clock.Time, bool) {
	g := o.gate(j)
	if g == nil {
		return due, true
	}
	if b := g.budget; b != nil && !b.AtFire {
		if len(g.line) > 0 || !g.has(o.now) {
			if !b.Wait {
				o.die(j, BudgetEmpty)
				return due, false
			}
			ev := o.hold(g, j, due)
			ev.Cause = j.cause
			j.attempt++
			return due, false
		}
		g.spend()
	}
	if b := g.breaker; b != nil && b.AtSchedule {
		j.probe = 0
		switch {
		case !g.open:
		case len(g.probes) < b.Probes:
			j.probe = g.round
			g.probes = append(g.probes, j)
			due = max(due, g.until)
		default:
			due = max(due, max(o.now, g.until).Add(b.Open))
		}
	}
	return due, true
}

// release lets the retries go that have waited for a token and get one now. Which gate comes first makes no difference but to
// the order in which it is told, which is that of the policies: the config's, then the cohorts'.
func (o *oracle) release() {
	names := []string{o.c.PolicyName}
	for _, c := range o.c.Cohorts {
		if c.Rule != nil {
			names = append(names, c.Rule.Name)
		}
	}
	for _, name := range names {
		g := o.gates[name]
		for g != nil && len(g.line) > 0 && g.has(o.now) {
			j := g.line[0]
			g.line = g.line[1:]
			due := max(j.since, o.now)
			if most := o.rule(j).Budget.Elapsed; most > 0 && due > j.at+clock.Time(most) {
				o.dieUncalled(j, Expired)
				continue
			}
			g.spend()
			j.paid = g.budget.AtFire
			o.note(Released, j, due, j.attempt)
			j.place, j.since = scheduled, due
		}
	}
}
