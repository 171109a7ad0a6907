package engine

import (
	"math/big"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
)

// oracleGate names a budget or a breaker: of a policy, or of one of its workers.
type oracleGate struct {
	policy  string
	breaker bool
	worker  int
}

// oraclePurse is a retry budget with its levels in tokens, as fractions.
type oraclePurse struct {
	*RetryBudget
	main, reserve *big.Rat
	at            clock.Time
	line          []*oracleJob
}

// oracleBreaker is a breaker with every failure since it closed.
type oracleBreaker struct {
	*BreakerRule
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

// purse returns the retry budget that decides about a job; nil when there is none.
func (o *oracle) purse(j *oracleJob) *oraclePurse {
	rule := o.rule(j)
	b := rule.Discipline.RetryBudget
	if b == nil {
		return nil
	}
	name := oracleGate{policy: rule.Name}
	if b.PerWorker {
		name.worker = j.worker
	}
	if o.purses[name] == nil {
		p := &oraclePurse{RetryBudget: b, main: new(big.Rat), reserve: tokensOf(uint64(b.Reserve.Count))}
		if b.PerFirst.Den == 0 {
			p.main = tokensOf(b.Bucket)
		}
		o.purses[name] = p
	}
	return o.purses[name]
}

// breaker returns the breaker that decides about a job; nil when there is none.
func (o *oracle) breaker(j *oracleJob) *oracleBreaker {
	rule := o.rule(j)
	b := rule.Discipline.Breaker
	if b == nil {
		return nil
	}
	name := oracleGate{policy: rule.Name, breaker: true}
	if b.PerWorker {
		name.worker = j.worker
	}
	if o.breakers[name] == nil {
		o.breakers[name] = &oracleBreaker{BreakerRule: b}
	}
	return o.breakers[name]
}

// freeWorker returns the lowest number of a worker that is free.
func (o *oracle) freeWorker() int {
	for worker := 0; ; worker++ {
		if !slices.ContainsFunc(o.jobs, func(j *oracleJob) bool {
			return (j.place == inCall || j.place == lingering) && j.hands == worker
		}) && o.away[worker] == 0 {
			return worker
		}
	}
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

func (p *oraclePurse) gainMain(tokens *big.Rat) {
	if p.Bucket == 0 {
		p.main.Add(p.main, tokens)
		return
	}
	gain(p.main, tokens, tokensOf(p.Bucket))
}

// has brings what has come by itself and tells whether a retry may go.
func (p *oraclePurse) has(now clock.Time) bool {
	if p.Refill.Count > 0 {
		p.gainMain(come(p.Refill, now.Sub(p.at)))
	}
	gain(p.reserve, come(p.Reserve, now.Sub(p.at)), tokensOf(uint64(p.Reserve.Count)))
	p.at = now
	if p.Threshold.Den > 0 {
		return p.main.Cmp(inFraction(p.Threshold, tokensOf(p.Bucket))) > 0
	}
	return p.main.Cmp(tokensOf(1)) >= 0 || p.reserve.Cmp(tokensOf(1)) >= 0
}

func (p *oraclePurse) spend() {
	from := p.main
	if p.reserve.Cmp(tokensOf(1)) >= 0 {
		from = p.reserve
	}
	if p.Threshold.Den == 0 {
		from.Sub(from, tokensOf(1))
	}
}

// nextToken returns the first instant at which a retry of a line may go, as far as time decides.
func (o *oracle) nextToken() clock.Time {
	next := clock.End
	for _, p := range o.purses {
		if len(p.line) == 0 {
			continue
		}
		for _, from := range []struct {
			level *big.Rat
			rate  clock.Rate
		}{{p.main, p.Refill}, {p.reserve, p.Reserve}} {
			if from.rate.Count == 0 {
				continue
			}
			short := new(big.Rat).Sub(tokensOf(1), from.level)
			short.Quo(short, big.NewRat(from.rate.Count, int64(from.rate.Per)))
			ns := new(big.Int).Add(short.Num(), new(big.Int).Sub(short.Denom(), big.NewInt(1)))
			next = min(next, p.at+clock.Time(ns.Quo(ns, short.Denom()).Int64()))
		}
	}
	return next
}

// stops tells what becomes of a claimed job that makes no call; false when it makes one.
func (o *oracle) stops(j *oracleJob) bool {
	before := j.worker
	j.worker = o.freeWorker()
	b, p := o.breaker(j), o.purse(j)
	if b != nil && !b.AtSchedule && b.open && (o.now < b.until || len(b.probes) == b.Probes) {
		o.note(Refused, j, j.since, j.attempt)
		o.seq++
		o.count(j)
		j.place, j.since, j.seq, j.cause, j.hands, j.counted = inCall, o.now, o.seq, Breaker, j.worker, false
		return true
	}
	if p != nil && p.AtFire && j.attempt > 1 {
		switch {
		case j.paid:
			j.paid = false
		case len(p.line) == 0 && p.has(o.now):
			p.spend()
		default:
			o.note(Refused, j, j.since, j.attempt)
			j.worker = before
			if p.Wait {
				o.hold(p, j, o.now)
			} else {
				o.dieUncalled(j, BudgetEmpty)
			}
			return true
		}
	}
	if p != nil && p.PerFirst.Den > 0 && j.attempt == 1 {
		p.gainMain(inFraction(p.PerFirst, tokensOf(1)))
	}
	if b != nil && !b.AtSchedule {
		j.probe = 0
		if b.open {
			j.probe = b.round
			b.probes = append(b.probes, j)
		}
	}
	return false
}

func (o *oracle) hold(p *oraclePurse, j *oracleJob, due clock.Time) *Event {
	p.line = append(p.line, j)
	j.place, j.since = held, due
	return o.note(Held, j, due, j.attempt)
}

func (o *oracle) dieUncalled(j *oracleJob, why Reason) {
	if j.cause = NoCause; o.ignores(j) {
		return
	}
	j.attempt--
	o.bury(j)
	o.note(Died, j, j.at, j.attempts).Reason = why
}

// ended tells a job's budget and breaker how its attempt ended.
func (o *oracle) ended(j *oracleJob) {
	if j.cause == Breaker {
		return
	}
	if p := o.purse(j); p != nil && j.cause == NoCause && p.PerSuccess.Den > 0 {
		p.gainMain(inFraction(p.PerSuccess, tokensOf(1)))
	} else if p != nil && j.cause != NoCause && p.Threshold.Den > 0 {
		if p.main.Sub(p.main, tokensOf(1)); p.main.Sign() < 0 {
			p.main.SetInt64(0)
		}
	}
	b := o.breaker(j)
	if b == nil {
		return
	}
	probe := b.open && j.probe == b.round
	switch {
	case j.cause == NoCause && probe:
		if b.good++; b.good == b.Probes {
			b.open, b.failures = false, nil
		}
	case j.cause != NoCause && probe:
		b.trip(o.now)
	case j.cause != NoCause && !b.open:
		b.failures = append(b.failures, o.now)
		recent := 0
		for _, at := range b.failures {
			if o.now.Sub(at) < b.Within {
				recent++
			}
		}
		if recent >= b.Failures {
			b.trip(o.now)
		}
	}
}

func (b *oracleBreaker) trip(now clock.Time) {
	b.open, b.until, b.probes, b.good = true, now.Add(b.Open), nil, 0
	b.round++
}

// asks returns when a retry is due that would be due then, and tells what becomes of it when it is not scheduled.
func (o *oracle) asks(j *oracleJob, due clock.Time) (clock.Time, bool) {
	if p := o.purse(j); p != nil && !p.AtFire {
		if len(p.line) > 0 || !p.has(o.now) {
			if !p.Wait {
				o.die(j, BudgetEmpty)
				return due, false
			}
			o.hold(p, j, due).Cause = j.cause
			j.attempt++
			return due, false
		}
		p.spend()
	}
	if b := o.breaker(j); b != nil && b.AtSchedule {
		j.probe = 0
		switch {
		case !b.open:
		case len(b.probes) < b.Probes:
			j.probe = b.round
			b.probes = append(b.probes, j)
			due = max(due, b.until)
		default:
			due = max(due, max(o.now, b.until).Add(b.Open))
		}
	}
	return due, true
}

// release lets the retries go that have waited for a token and get one now: policy by policy, the config's first and then the
// cohorts', and worker by worker.
func (o *oracle) release() {
	names := []string{o.c.PolicyName}
	for _, c := range o.c.Cohorts {
		if c.Rule != nil {
			names = append(names, c.Rule.Name)
		}
	}
	for _, name := range names {
		for worker := range len(o.jobs) + 1 {
			if p := o.purses[oracleGate{policy: name, worker: worker}]; p != nil {
				o.releaseFrom(p)
			}
		}
	}
}

func (o *oracle) releaseFrom(p *oraclePurse) {
	for len(p.line) > 0 && p.has(o.now) {
		j := p.line[0]
		p.line = p.line[1:]
		due := max(j.since, o.now)
		if most := o.rule(j).Budget.Elapsed; most > 0 && due > j.born+clock.Time(most) {
			o.dieUncalled(j, Expired)
			continue
		}
		p.spend()
		j.paid = p.AtFire
		o.note(Released, j, due, j.attempt)
		if j.place, j.since = scheduled, due; !j.copy {
			o.waits(j, due, nobody)
		}
	}
}
