package plan

import (
	"math"
	"math/big"
	"time"

	"herdsim/sim/policy"
)

// A Budget is so many retries, and how long their waits last together.
type Budget struct {
	Retries int
	Total   Total
	Chance  float64 // that the waits last at least the span in question
}

// An Outlasting holds the smallest budgets that outlast a span, so that a try falls at its end or later. A nil one is not
// among the first Most.
type Outlasting struct {
	Question
	Surely    *Budget // even the shortest waits do
	OnAverage *Budget // the mean of the waits does
	Likely    *Budget // with a chance of at least Confidence
	Given     *Budget // the policy's own budget; nil when it has none
	Before    Total   // of one retry less than Likely has
	Most      int     // retries that were looked at
	Rough     bool    // means may be off by policy.LawError of themselves, chances by ChainError
}

// How many retries are looked at. Where waits depend on each other a further one takes some hundredths of a second.
const (
	MostRetries   = 10_000
	mostDependent = 150
)

// Most returns how many retries of a policy are looked at.
func Most(p policy.Policy) int {
	if policy.Dependent(p) {
		return mostDependent
	}
	return MostRetries
}

// A Question is what a budget must outlast.
type Question struct {
	Span       time.Duration // positive
	Confidence float64       // a chance below 1
	Retries    int           // of the policy's own budget; negative when it is of no interest
	Elapsed    time.Duration // longest time from a job's arrival to a due retry; 0 for no limit
	Only       bool          // that budget alone is of interest: no other is looked for
}

// decided is a chance below which nothing changes any more.
const decided = 1e-12

// Outlast finds the smallest budgets that outlast the span of q. The error is ErrUnknown.
func Outlast(p policy.Policy, q Question) (*Outlasting, error) {
	sums, err := newSums(p, q.Span, q.Elapsed)
	if err != nil {
		return nil, err
	}
	limit := time.Duration(math.MaxInt64)
	if q.Elapsed > 0 {
		limit = q.Elapsed
	}
	o := &Outlasting{Question: q, Most: Most(p)}
	walk := newWalk(p)
	before, b := Total{}, Budget{Total: walk.total, Chance: sums.chance(walk.total)}
	late, doubt := 0.0, false // of those that max_elapsed ends: their chance, and whether there may be any
	settled := false
	for o.consider(b, before, doubt); b.Retries < o.Most && !o.complete(b.Retries+1); o.consider(b, before, doubt) {
		wanted := !settled && (o.Likely == nil || o.OnAverage == nil || b.Retries < q.Retries) // otherwise only a budget whose chance is 1
		w, err := walk.next()
		if err != nil {
			return nil, err
		}
		before, b.Total = b.Total, w.Total
		doubt = doubt || before.Min < q.Span && sum(min(before.Max, q.Span-1), w.Max) > limit
		b.Retries++
		o.Rough = o.Rough || w.Rough
		if wanted {
			late += sums.add(w, max(limit, q.Span-1))
			b.Chance = max(sums.chance(w.Total)-late, 0)
			settled = sums.left() < decided
		}
		if !wanted && b.Retries > q.Retries && w.hopeless(o.Most-b.Retries, q.Span-1-w.Total.Min) {
			break
		}
		switch {
		case q.Span > limit:
			b.Chance = 0
		case b.Total.Min >= q.Span && !doubt:
			b.Chance = 1
		}
	}
	return o, nil
}

// complete reports whether budgets from n retries on change nothing.
func (o *Outlasting) complete(n int) bool {
	return n > o.Retries && (o.Only || o.Surely != nil && o.OnAverage != nil && o.Likely != nil)
}

// consider notes a budget, larger than those before, where it is the first to do; before is the total with one retry less,
// and doubt whether max_elapsed may end it.
func (o *Outlasting) consider(b Budget, before Total, doubt bool) {
	if o.Surely == nil && b.Total.Min >= o.Span && !doubt {
		o.Surely = &b
	}
	mean := func(d time.Duration) int { return b.Total.Mean.Cmp(big.NewRat(int64(d), 1)) }
	if o.OnAverage == nil && mean(o.Span) >= 0 && (o.Elapsed == 0 || mean(o.Elapsed) <= 0) {
		o.OnAverage = &b
	}
	if o.Likely == nil && b.Chance >= o.Confidence {
		o.Likely, o.Before = &b, before
	}
	if b.Retries == o.Retries {
		o.Given = &b
	}
}

// TotalOf returns how long the waits of so many retries last together. The error is ErrUnknown.
func TotalOf(p policy.Policy, retries int) (Total, error) {
	walk := newWalk(p)
	for range retries {
		if _, err := walk.next(); err != nil {
			return Total{}, err
		}
	}
	return walk.total, nil
}

// Lasts returns how long the waits of so many retries, at least 1, last together with at least a chance. max_elapsed has no say in it. The
// error is ErrUnknown.
func Lasts(p policy.Policy, retries int, chance float64) (time.Duration, error) {
	total, err := TotalOf(p, retries)
	if err != nil || total.Min == total.Max {
		return total.Min, err
	}
	// what is reached with a chance is at most the mean over that chance
	mean, _ := total.Mean.Float64()
	span := total.Max
	if most := math.Ceil(mean/chance) + 1; most < float64(span) {
		span = time.Duration(most)
	}
	sums, err := newSums(p, span, 0)
	if err != nil {
		return 0, err
	}
	walk := newWalk(p)
	for range retries {
		w, err := walk.next()
		if err != nil {
			return 0, err
		}
		sums.add(w, math.MaxInt64)
	}
	return max(sums.lasts(chance), total.Min), nil
}
