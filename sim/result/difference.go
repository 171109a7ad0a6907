package result

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Direction says which numbers of a metric are the better ones.
type Direction string

// Directions.
const (
	Neither Direction = ""
	Lower   Direction = "lower"
	Higher  Direction = "higher"
)

// A Difference is a policy's metric less the baseline's in the same replication: mean over the replications in which both
// have a value. They share all their draws, so that luck cancels out.
type Difference struct {
	Diff  Number  `json:"diff"`
	CI95  *Bounds `json:"ci95,omitempty"` // Student's interval of the mean; absent with fewer than two pairs
	P     *Number `json:"p,omitempty"`    // how often chance alone makes such a difference in any policy of the case: two-sided t, adjusted by Holm; absent as the interval is
	Pairs int     `json:"pairs"`          // replications in which both have a value
}

// A Comparison holds a policy against the baseline of its case, the first policy, by one metric.
type Comparison struct {
	Policy   string    `json:"policy"`
	Baseline string    `json:"baseline"`
	Metric   string    `json:"metric"`           // a key of Policy.Metrics of both
	Better   Direction `json:"better,omitempty"` // absent where neither direction is
	Difference
}

// level is the probability of a false alarm that significance allows.
const level = 0.05

// Significant reports whether chance alone makes such a difference in at most one of twenty cases.
func (d *Difference) Significant() bool { return d.P != nil && d.P.Float() <= level }

// Zero reports whether there is no difference in any replication.
func (d *Difference) Zero() bool {
	return d.Diff.Float() == 0 && (d.CI95 == nil || d.CI95[0] == d.CI95[1])
}

// NewDifferences returns the paired differences policy[k][i] - baseline[k][i] of one metric, k being the rows that are
// looked at together: the significance of each is adjusted by Holm (1979) for their number, so that ten rows
// of equals raise a false alarm no more often than one. exact is as for NewMetric. A row is nil where no replication has
// both values.
func NewDifferences(policies, baselines [][]*big.Rat, exact bool) []*Difference {
	rows := make([]*Difference, len(policies))
	chances := make([]float64, 0, len(rows))
	var tested []*Difference
	for k := range rows {
		pairs := paired(policies[k], baselines[k])
		if len(pairs) == 0 {
			continue
		}
		rows[k] = newDifference(pairs, exact)
		if len(pairs) > 1 {
			tested = append(tested, rows[k])
			chances = append(chances, chance(pairs))
		}
	}
	for i, p := range holm(chances) {
		tested[i].P = new(threeDigits(p))
	}
	return rows
}

// paired returns a - b where both are there.
func paired(a, b []*big.Rat) []*big.Rat {
	var pairs []*big.Rat
	for i := range a {
		if a[i] != nil && b[i] != nil {
			pairs = append(pairs, new(big.Rat).Sub(a[i], b[i]))
		}
	}
	return pairs
}

func newDifference(pairs []*big.Rat, exact bool) *Difference {
	mean := meanOf(pairs)
	d := &Difference{Diff: Derived(mean), Pairs: len(pairs)}
	if exact {
		d.Diff = MeanOf(pairs)
	}
	if len(pairs) > 1 {
		d.CI95 = new(around(mean, halfWidth(pairs, mean), d.Diff))
	}
	return d
}

// chance returns the two-sided probability, by Student's t, of a mean as far from 0 as that of the values. Equal values leave
// nothing to chance: 1 when they are 0, else 0.
func chance(values []*big.Rat) float64 {
	mean := meanOf(values)
	variance := varianceOfMean(values, mean)
	switch {
	case mean.Sign() == 0:
		return 1
	case variance.Sign() == 0:
		return 0
	}
	t, _ := mean.Quo(mean.Abs(mean), root(variance)).Float64()
	return 2 * distuv.StudentsT{Sigma: 1, Nu: float64(len(values) - 1)}.CDF(-t)
}

// holm adjusts probabilities for their number, by stepping down: the k-th smallest of n counts n-k+1 times, and no less
// than those before it.
func holm(chances []float64) []float64 {
	order := make([]int, len(chances))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case chances[a] < chances[b]:
			return -1
		case chances[a] > chances[b]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(chances))
	floor := 0.0
	for k, i := range order {
		floor = max(floor, min(1, float64(len(order)-k)*chances[i]))
		adjusted[i] = floor
	}
	return adjusted
}

// threeDigits rounds a probability; what is below 1e-9 is 0: further out, no model holds.
func threeDigits(p float64) Number {
	if p < 1e-9 {
		return Integer(0)
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(p, 'e', 2, 64))
	if !ok {
		panic("result: no rational for a probability")
	}
	return Derived(r)
}

// validateComparisons reports a comparison of what the case does not have.
func (c *Case) validateComparisons(replications int) error {
	for i := range c.Comparisons {
		if err := c.Comparisons[i].validate(c.Policies, replications); err != nil {
			return fmt.Errorf("comparisons[%d]: %w", i, err)
		}
	}
	return nil
}

func (c *Comparison) validate(policies []Policy, replications int) error {
	for _, name := range []string{c.Policy, c.Baseline} {
		i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name == name })
		if i < 0 {
			return fmt.Errorf("policy %.40q is none of its case", name)
		}
		if _, ok := policies[i].Metrics[c.Metric]; !ok {
			return fmt.Errorf("policy %.40q has no metric %.60q", name, c.Metric)
		}
	}
	switch {
	case c.Better != Neither && c.Better != Lower && c.Better != Higher:
		return fmt.Errorf("better is %.40q, want %q or %q", c.Better, Lower, Higher)
	case c.Pairs < 1 || c.Pairs > replications:
		return fmt.Errorf("pairs is %d, want 1 to %d", c.Pairs, replications)
	case c.Diff.text == "":
		return errors.New("diff is missing")
	case (c.CI95 == nil) != (c.P == nil):
		return errors.New("one of ci95 and p is missing")
	case c.P != nil && (c.P.Float() < 0 || c.P.Float() > 1):
		return fmt.Errorf("p is %s, want 0 to 1", *c.P)
	}
	return nil
}
