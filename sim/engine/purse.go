package engine

import (
	"cmp"
	"math"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
	"herdsim/sim/tokens"
)

// A RetryBudget holds tokens that the retries of all jobs of a policy share. What adds to it is exact: parts of a token are kept.
type RetryBudget struct {
	Bucket     uint64          // the most tokens that it holds, and holds at the start unless PerFirst fills it; 0 for no limit
	Refill     clock.Rate      // tokens that come by themselves; zero for none
	PerSuccess policy.Fraction // tokens that a success brings; zero for none
	PerFirst   policy.Fraction // tokens that a first call brings; zero for none
	Reserve    clock.Rate      // of a store of its own, which holds Count tokens and is asked first; zero for none
	Threshold  policy.Fraction // a failed call takes a token and a retry none, but retries need more than this share; zero for none
	Wait       bool            // a retry waits for its token; otherwise the job dies without one
	PerWorker  bool            // every worker has its own; otherwise all share one
	AtFire     bool            // it is asked when a worker has claimed the retry; otherwise when the retry would be scheduled
}

// A purse is a retry budget at work.
type purse struct {
	RetryBudget
	main, reserve tokens.Store
	line          *schedule.Queue // retries that wait for a token, in the order in which they asked; an entry's instant is its due
}

func newPurse(b RetryBudget, pool *schedule.Pool) *purse {
	p := &purse{RetryBudget: b, line: schedule.NewQueue(pool)}
	switch {
	case b.Refill.Count > 0:
		p.main = tokens.Timed(b.Bucket, b.Refill)
	case b.PerSuccess.Den > 0:
		p.main = tokens.Fed(b.Bucket, b.Bucket, b.PerSuccess.Den)
	default:
		p.main = tokens.Fed(0, cmp.Or(b.Bucket, math.MaxUint64), b.PerFirst.Den)
	}
	if b.Reserve.Count > 0 {
		p.reserve = tokens.Timed(uint64(b.Reserve.Count), b.Reserve)
	}
	return p
}

// has reports whether a retry may go now.
func (p *purse) has(now clock.Time) bool {
	p.main.Refill(now)
	p.reserve.Refill(now)
	if p.Threshold.Den > 0 {
		return p.main.Above(p.Threshold.Num, p.Threshold.Den)
	}
	return p.reserve.Tokens > 0 || p.main.Tokens > 0
}

// spend takes the token of a retry that may go.
func (p *purse) spend() {
	switch {
	case p.Threshold.Den > 0:
	case p.reserve.Tokens > 0:
		p.reserve.Tokens--
	default:
		p.main.Tokens--
	}
}

// first takes note of a first call.
func (p *purse) first() {
	if p.PerFirst.Den > 0 {
		p.main.Add(p.PerFirst.Num)
	}
}

// succeeded takes note of an attempt that succeeded.
func (p *purse) succeeded() {
	if p.PerSuccess.Den > 0 {
		p.main.Add(p.PerSuccess.Num)
	}
}

// failed takes note of an attempt whose call failed.
func (p *purse) failed() {
	if p.Threshold.Den > 0 {
		p.main.Drop()
	}
}

// wake returns the instant at which a retry that waits will have its token, as far as time alone decides.
func (p *purse) wake() clock.Time {
	if p.line.Len() == 0 {
		return clock.End
	}
	return min(p.main.Next(), p.reserve.Next())
}
