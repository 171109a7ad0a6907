package result

import (
	"errors"
	"math/big"
)

// A Share says how many of all jobs of all replications something happened to.
type Share struct {
	Count int64  `json:"count"`
	Of    int64  `json:"of"`
	CI95  Bounds `json:"ci95"` // of the share, 0..1
}

// NewShare pools the replications: something happened to counts[i] of the totals[i] jobs of the i-th one. It returns nil with fewer
// than two replications, from which nothing is known of how they differ, and without any job.
//
// The interval is Wilson's. Jobs of one replication meet the same dependency and die together, so that N of them do not weigh as
// much as N independent ones. How much they do weigh is measured between the replications: the variance v of the pooled
// share p as a ratio of sums (Cochran, Sampling Techniques, 2.11) takes the place of p(1-p)/N, and Student's quantile that
// of the normal one (Korn and Graubard, 1998), where that makes the interval wider. None of N is shown as [0, 3/N],
// the rule of three, and all of N as its reflection.
func NewShare(counts, totals []*big.Rat) *Share {
	count, of := sum(counts), sum(totals)
	if len(counts) < 2 || of.Sign() == 0 {
		return nil
	}
	s := &Share{Count: count.Num().Int64(), Of: of.Num().Int64()}
	p := new(big.Rat).Quo(count, of)
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	if p.Sign() == 0 || q.Sign() == 0 {
		s.CI95 = extreme(p, s.Of)
		return s
	}
	z, t := normalZ(), studentT(int64(len(counts))-1)
	weight := z.Quo(z.Mul(z, z), of)
	if spread := t.Quo(t.Mul(t.Mul(t, t), ratioVariance(counts, totals, p, of)), q.Mul(q, p)); spread.Cmp(weight) > 0 {
		weight = spread
	}
	s.CI95 = wilson(p, weight)
	return s
}

// wilson returns Wilson's interval for a share p, with weight = z²/n.
func wilson(p, weight *big.Rat) Bounds {
	one := big.NewRat(1, 1)
	variance := new(big.Rat).Sub(one, p)
	variance.Mul(variance, p).Mul(variance, weight)
	quarter := new(big.Rat).Mul(weight, weight)
	variance.Add(variance, quarter.Mul(quarter, big.NewRat(1, 4)))
	scale := new(big.Rat).Add(one, weight)
	middle := new(big.Rat).Mul(weight, big.NewRat(1, 2))
	middle.Add(middle, p).Quo(middle, scale)
	half := root(variance)
	return around(middle, half.Quo(half, scale), Derived(middle))
}

// extreme is the interval of a share of 0 or 1 among n.
func extreme(p *big.Rat, n int64) Bounds {
	three := big.NewRat(3, max(n, 3))
	if p.Sign() == 0 {
		return Bounds{Integer(0), Derived(three)}
	}
	return Bounds{Derived(three.Sub(p, three)), Integer(1)}
}

// ratioVariance returns the variance of p = Σcounts/Σtotals, estimated from the replications.
func ratioVariance(counts, totals []*big.Rat, p, of *big.Rat) *big.Rat {
	residuals := make([]*big.Rat, len(counts)) // their mean is 0
	for i := range counts {
		residuals[i] = new(big.Rat).Mul(p, totals[i])
		residuals[i].Sub(counts[i], residuals[i])
	}
	n := new(big.Rat).SetInt64(int64(len(counts)))
	perJob := n.Quo(n, of)
	return perJob.Mul(perJob.Mul(perJob, perJob), varianceOfMean(residuals, new(big.Rat)))
}

func sum(values []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, v := range values {
		total.Add(total, v)
	}
	return total
}

func (s *Share) validate() error {
	if s.Of < 1 || s.Count < 0 || s.Count > s.Of {
		return errors.New("share is not 0 or more of 1 or more")
	}
	return nil
}
