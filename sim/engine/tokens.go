package engine

import (
	"math"
	"math/bits"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/schedule"
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

// A store holds tokens, and parts of one.
type store struct {
	most, tokens uint64
	unit, parts  uint64     // parts that make a token; those there are
	each         uint64     // parts that every nanosecond brings
	at           clock.Time // up to which they have come
}

// timed returns a full store of so many tokens that fills at a rate.
func timed(most uint64, r clock.Rate) store {
	return store{most: most, tokens: most, unit: uint64(r.Per), each: uint64(r.Count)}
}

// add brings parts of a token, hi·2^64 + lo of them. What the store cannot hold is lost.
func (s *store) add(hi, lo uint64) {
	lo, carry := bits.Add64(lo, s.parts, 0)
	hi += carry
	gained := uint64(math.MaxUint64) // more than 64 bits hold
	if hi < s.unit {
		gained, s.parts = bits.Div64(hi, lo, s.unit)
	}
	if gained >= s.most-s.tokens {
		s.tokens, s.parts = s.most, 0
		return
	}
	s.tokens += gained
}

// refill brings what has come by itself until now.
func (s *store) refill(now clock.Time) {
	if s.each > 0 {
		s.add(bits.Mul64(uint64(now-s.at), s.each))
		s.at = now
	}
}

// next returns the instant at which the next token will have come by itself.
func (s *store) next() clock.Time {
	if s.each == 0 {
		return clock.End
	}
	return s.at.Add(time.Duration((s.unit - s.parts + s.each - 1) / s.each))
}

// drop takes a token, or what there is of one.
func (s *store) drop() {
	if s.tokens == 0 {
		s.parts = 0
		return
	}
	s.tokens--
}

// above reports whether there is more than a share of what the store can hold.
func (s *store) above(share policy.Fraction) bool {
	hi, lo := bits.Mul64(s.most, share.Num)
	whole, rest := bits.Div64(hi, lo, share.Den)
	if s.tokens != whole {
		return s.tokens > whole
	}
	ahi, alo := bits.Mul64(s.parts, share.Den)
	bhi, blo := bits.Mul64(rest, s.unit)
	return ahi > bhi || ahi == bhi && alo > blo
}

// A purse is a retry budget at work.
type purse struct {
	RetryBudget
	main, reserve store
	line          *schedule.Queue // retries that wait for a token, in the order in which they asked; an entry's instant is its due
}

func newPurse(b RetryBudget, pool *schedule.Pool) *purse {
	p := &purse{RetryBudget: b, line: schedule.NewQueue(pool)}
	switch {
	case b.Refill.Count > 0:
		p.main = timed(b.Bucket, b.Refill)
	case b.PerSuccess.Den > 0:
		p.main = store{most: b.Bucket, tokens: b.Bucket, unit: b.PerSuccess.Den}
	default:
		p.main = store{most: b.Bucket, unit: b.PerFirst.Den}
		if b.Bucket == 0 {
			p.main.most = math.MaxUint64
		}
	}
	if b.Reserve.Count > 0 {
		p.reserve = timed(uint64(b.Reserve.Count), b.Reserve)
	}
	return p
}

// has reports whether a retry may go now.
func (p *purse) has(now clock.Time) bool {
	p.main.refill(now)
	p.reserve.refill(now)
	if p.Threshold.Den > 0 {
		return p.main.above(p.Threshold)
	}
	return p.reserve.tokens > 0 || p.main.tokens > 0
}

// spend takes the token of a retry that may go.
func (p *purse) spend() {
	switch {
	case p.Threshold.Den > 0:
	case p.reserve.tokens > 0:
		p.reserve.tokens--
	default:
		p.main.tokens--
	}
}

// first takes note of a first call.
func (p *purse) first() {
	if p.PerFirst.Den > 0 {
		p.main.add(0, p.PerFirst.Num)
	}
}

// succeeded takes note of an attempt that succeeded.
func (p *purse) succeeded() {
	if p.PerSuccess.Den > 0 {
		p.main.add(0, p.PerSuccess.Num)
	}
}

// failed takes note of an attempt whose call failed.
func (p *purse) failed() {
	if p.Threshold.Den > 0 {
		p.main.drop()
	}
}

// wake returns the instant at which a retry that waits will have its token, as far as time alone decides.
func (p *purse) wake() clock.Time {
	if p.line.Len() == 0 {
		return clock.End
	}
	return min(p.main.next(), p.reserve.next())
}
