package plan

import (
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
// among the first MostRetries.
type Outlasting struct {
	Span       time.Duration
	Confidence float64
	Surely     *Budget // even the shortest waits do
	OnAverage  *Budget // the mean of the waits does
	Likely     *Budget // with a chance of at least Confidence
	Given      *Budget // the policy's own budget; nil when it has none
	Before     Total   // of one retry less than Likely has
}

// MostRetries is how many retries are looked at.
const MostRetries = 10_000

// Outlast finds the smallest budgets that outlast span, which is positive. confidence is a chance below 1, and given the
// retries of the policy's own budget, negative when it is of no interest. The error is ErrUnknown.
func Outlast(p policy.Policy, span time.Duration, confidence float64, given int) (*Outlasting, error) {
	sums, err := newSums(p, span)
	if err != nil {
		return nil, err
	}
	o := &Outlasting{Span: span, Confidence: confidence}
	total := Total{Mean: new(big.Rat)}
	for n := 0; n <= MostRetries && !o.complete(n, given); n++ {
		wanted := o.Likely == nil || o.OnAverage == nil || n <= given // otherwise only a budget whose chance is 1
		before, chance := total, 1.0
		if n > 0 {
			w, err := waitAfter(p, n, total)
			if err != nil {
				return nil, err
			}
			total = total.plus(w)
			if wanted {
				sums.add(w.law)
			}
		}
		if wanted {
			chance = sums.chance(total)
		}
		o.consider(&Budget{n, total, chance}, before, given)
	}
	return o, nil
}

// complete reports whether budgets from n retries on change nothing.
func (o *Outlasting) complete(n, given int) bool {
	return o.Surely != nil && o.OnAverage != nil && o.Likely != nil && n > given
}

// consider notes a budget, larger than those before, where it is the first to do; before is the total with one retry less.
func (o *Outlasting) consider(b *Budget, before Total, given int) {
	if o.Surely == nil && b.Total.Min >= o.Span {
		o.Surely = b
	}
	if o.OnAverage == nil && b.Total.Mean.Cmp(big.NewRat(int64(o.Span), 1)) >= 0 {
		o.OnAverage = b
	}
	if o.Likely == nil && b.Chance >= o.Confidence {
		o.Likely, o.Before = b, before
	}
	if b.Retries == given {
		o.Given = b
	}
}
