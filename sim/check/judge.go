package check

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"herdsim/sim/metrics"
	"herdsim/sim/result"
)

// A Manner says how replications are judged.
type Manner uint8

// Manners.
const (
	Every Manner = iota // each one
	Mean                // the means of both sides of a comparison
	P95                 // at least 95 % of them
	CI                  // the 95 % interval of the mean difference of both sides, as a whole
)

// Manners returns the words of the manners, in their order.
func Manners() []string { return []string{"every", "mean", "p95", "ci"} }

// String returns the word of the manner.
func (m Manner) String() string { return Manners()[m] }

// A Verdict is the outcome of one check for one policy.
type Verdict struct {
	Status  result.Status // pass, fail, inconclusive or no_data
	Reason  string        // of the last two
	Settled bool          // further replications would hardly change the status

	// The comparison that decides, as in result.Check.
	Observed, Limit *result.Number
	Sign, Unit      string
	Mean            *result.Number
	CI95            *[2]result.Number
	Held            *int
}

// errStraddles says that an interval does not decide.
var errStraddles = errors.New("the 95 % interval lies on both sides of the limit: more replications (-n) make it narrower")

// errAlone says that there is no interval.
var errAlone = errors.New("one replication has no interval: run more (-n)")

// Judge decides whether the expression holds over so many replications.
func (e *Expr) Judge(m Manner, replications int, read Reader) Verdict {
	j := judge{root: e.root, n: replications, read: read, rows: map[*node]*row{}}
	e.root.visit(func(n *node) {
		if n.kind == comparison {
			j.rows[n] = j.row(n)
		}
	})
	if m == Every || m == P95 {
		return j.oneByOne(m)
	}
	return j.together(m)
}

// A judge has the numbers of every comparison.
type judge struct {
	root *node
	n    int
	read Reader
	rows map[*node]*row
}

// A row has the sides of a comparison in each replication; errs says why one of them has no value.
type row struct {
	left, right []metrics.Value
	difference  []*big.Rat
	errs        []error
}

func (j *judge) row(n *node) *row {
	r := &row{make([]metrics.Value, j.n), make([]metrics.Value, j.n), make([]*big.Rat, j.n), make([]error, j.n)}
	for i := range j.n {
		var err error
		r.left[i], err = n.left.value(j.read, i)
		r.right[i], r.errs[i] = n.right.value(j.read, i)
		if err != nil {
			r.errs[i] = err
		}
		if r.errs[i] == nil {
			r.difference[i] = new(big.Rat).Sub(r.left[i].Rat, r.right[i].Rat)
		}
	}
	return r
}

// in returns the truth of comparisons in one replication.
func (j *judge) in(replication int) func(*node) truth {
	return func(n *node) truth {
		r := j.rows[n]
		if r.errs[replication] != nil {
			return truth{err: r.errs[replication]}
		}
		return truth{yes: n.relation.holds(r.difference[replication].Sign())}
	}
}

// oneByOne judges each replication: all must hold, or 95 % of them.
func (j *judge) oneByOne(m Manner) Verdict {
	needed := j.n
	if m == P95 {
		needed = (95*j.n + 99) / 100
	}
	held, unknown := 0, []error{}
	truths := make([]truth, j.n)
	for i := range truths {
		switch truths[i] = j.root.judged(j.in(i)); {
		case truths[i].err != nil:
			unknown = append(unknown, truths[i].err)
		case truths[i].yes:
			held++
		}
	}
	v := Verdict{Status: result.Pass, Held: &held, Settled: settledShare(held, j.n)}
	switch {
	case held >= needed:
	case held+len(unknown) < needed:
		v.Status = result.Fail
	default:
		v.Status, v.Reason = result.NoData, j.missing(unknown)
	}
	if m == Every {
		v.Settled = v.Status != result.Pass
	}
	if v.Status != result.NoData {
		j.show(&v, truths, needed)
	}
	return v
}

// settledShare reports whether the share of replications that hold differs from 95 %, by the score test at 5 %.
func settledShare(held, n int) bool {
	d := int64(20*held - 19*n)
	return 10_000*d*d > 38_415*19*int64(n) // 3.8415: the square of the normal quantile
}

func (j *judge) missing(gaps []error) string {
	if g := (*gap)(nil); j.n > 1 && errors.As(gaps[0], &g) {
		return fmt.Sprintf("%s has no value in %d of %d replications: %s in the first of them", g.subject, len(gaps), j.n, g.reason)
	}
	return gaps[0].Error()
}

// show puts the comparison that decides into the verdict: in the replication that is the worst of those that count.
func (j *judge) show(v *Verdict, truths []truth, needed int) {
	verdict := truth{yes: v.Status == result.Pass}
	first := max(0, slices.Index(truths, verdict))
	n, negated := j.root.decisive(j.in(first))
	r := j.rows[n]
	var order []int
	for i, t := range truths {
		if r.errs[i] == nil && (j.root.kind == comparison || t == verdict) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.goodness(n.relation, negated, b).Cmp(r.goodness(n.relation, negated, a)) })
	j.put(v, n)
	if len(order) > 0 {
		worst := order[min(needed, len(order))-1]
		v.Observed, v.Limit = number(r.left[worst]), number(r.right[worst])
	}
}

// goodness grows with how well a comparison holds in a replication, or fails where that is wanted.
func (r *row) goodness(demand relation, negated bool, replication int) *big.Rat {
	d := r.difference[replication]
	good := new(big.Rat).Set(d)
	if !demand.directed() {
		good.Abs(d)
	}
	if !demand.above {
		good.Neg(good)
	}
	if negated {
		good.Neg(good)
	}
	return good
}

// put notes which comparison decides, and the mean of what it observes.
func (j *judge) put(v *Verdict, n *node) {
	r := j.rows[n]
	v.Sign, v.Unit = n.relation.sign, n.left.unit()
	var values []*big.Rat
	exact := true
	for i := range r.left {
		if r.errs[i] == nil {
			values = append(values, r.left[i].Rat)
			exact = exact && printable(r.left[i])
		}
	}
	if len(values) > 0 {
		m := result.NewMetric(values, exact)
		v.Mean, v.CI95 = &m.Mean, m.CI95
	}
}

// printable reports whether a value is exact and has no more decimals than a nanosecond.
func printable(v metrics.Value) bool {
	decimals, finite := v.Rat.FloatPrec()
	return v.Exact && finite && decimals <= 9
}

func number(v metrics.Value) *result.Number {
	n := result.Derived(v.Rat)
	if printable(v) {
		n = result.Exact(v.Rat)
	}
	return &n
}

// together judges the mean, or its interval.
func (j *judge) together(m Manner) Verdict {
	settled := true
	leaf := func(n *node) truth {
		t, decided := j.rows[n].together(n.relation, m)
		settled = settled && decided
		return t
	}
	t := j.root.judged(leaf)
	v := Verdict{Status: result.Pass, Settled: settled}
	switch {
	case errors.Is(t.err, errStraddles), errors.Is(t.err, errAlone):
		v.Status, v.Reason = result.Inconclusive, t.err.Error()
	case t.err != nil:
		n, _ := j.root.decisive(leaf)
		v.Status, v.Reason = result.NoData, j.missing(present(j.rows[n].errs))
		return v
	case !t.yes:
		v.Status = result.Fail
	}
	n, _ := j.root.decisive(leaf)
	j.put(&v, n)
	v.Observed, v.Limit = mean(j.rows[n].left), mean(j.rows[n].right)
	return v
}

// together returns whether a comparison holds of the means, and whether their interval leaves no doubt about it.
func (r *row) together(demand relation, m Manner) (t truth, settled bool) {
	if gaps := present(r.errs); len(gaps) > 0 {
		return truth{err: gaps[0]}, true
	}
	low, high, known := result.Interval(r.difference)
	middle := new(big.Rat).Add(low, high)
	byMean := demand.holds(middle.Sign())
	settled = known && (low.Sign() == high.Sign() || demand.directed() && demand.holds(low.Sign()) == demand.holds(high.Sign()))
	switch {
	case m == Mean:
		return truth{yes: byMean}, settled
	case !known:
		return truth{err: errAlone}, false
	case !settled:
		return truth{err: errStraddles}, false
	}
	return truth{yes: demand.holds(low.Sign())}, true
}

// present returns the errors that are one.
func present(errs []error) []error {
	return slices.DeleteFunc(slices.Clone(errs), func(e error) bool { return e == nil })
}

func mean(values []metrics.Value) *result.Number {
	sum, exact := metrics.Value{Rat: new(big.Rat), Exact: true}, true
	for _, v := range values {
		sum.Rat.Add(sum.Rat, v.Rat)
		exact = exact && v.Exact
	}
	sum.Rat.Quo(sum.Rat, big.NewRat(int64(len(values)), 1))
	same := !slices.ContainsFunc(values, func(v metrics.Value) bool { return v.Rat.Cmp(values[0].Rat) != 0 })
	sum.Exact = exact && (same || sum.Rat.IsInt())
	return number(sum)
}
