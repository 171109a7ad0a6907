package check

import (
	"math/big"

	"herdsim/sim/metrics"
	"herdsim/sim/units"
)

// A Reader returns the value of a term in one replication, for a policy that an expression names or, for "", the one that is
// judged. Its error says why there is none.
type Reader func(policy string, t metrics.Term, replication int) (metrics.Value, error)

// A gap says why something has no value.
type gap struct{ subject, reason string }

func (g *gap) Error() string { return g.subject + " has no value: " + g.reason }

// value computes a number in one replication. What is made of exact values alone is exact.
func (n *node) value(read Reader, replication int) (metrics.Value, error) {
	switch n.kind {
	case constant:
		return metrics.Value{Rat: n.number, Exact: true}, nil
	case measured:
		v, err := read(n.policy, n.term, replication)
		if err != nil {
			return v, &gap{units.Quote(n.String()), err.Error()}
		}
		return v, nil
	}
	a, err := n.left.value(read, replication)
	if err != nil {
		return a, err
	}
	b, err := n.right.value(read, replication)
	if err != nil {
		return b, err
	}
	sum := metrics.Value{Rat: new(big.Rat), Exact: a.Exact && b.Exact}
	switch n.kind {
	case plus:
		sum.Rat.Add(a.Rat, b.Rat)
	case minus:
		sum.Rat.Sub(a.Rat, b.Rat)
	case times:
		sum.Rat.Mul(a.Rat, b.Rat)
	default:
		if b.Rat.Sign() == 0 {
			return sum, &gap{"a quotient", "it would be divided by 0"}
		}
		sum.Rat.Quo(a.Rat, b.Rat)
	}
	return sum, nil
}

// String returns a measured node as results name it.
func (n *node) String() string {
	if n.policy == "" {
		return n.term.String()
	}
	return "policy." + n.policy + "." + n.term.String()
}

// A truth is whether something holds; err says why that is not known.
type truth struct {
	yes bool
	err error
}

// judged returns the truth of a node that is true or false, given that of its comparisons. What is unknown stays so unless
// it cannot matter.
func (n *node) judged(leaf func(*node) truth) truth {
	switch n.kind {
	case comparison:
		return leaf(n)
	case not:
		t := n.left.judged(leaf)
		return truth{!t.yes && t.err == nil, t.err}
	}
	a, b := n.left.judged(leaf), n.right.judged(leaf)
	decides := n.kind == or // the value that one side alone decides with
	switch {
	case a.err == nil && a.yes == decides:
		return a
	case b.err == nil && b.yes == decides:
		return b
	case a.err != nil:
		return a
	}
	return b
}

// decisive returns the comparison that makes the node what it is: the first that alone would, or the first of all. negated
// says that it is the comparison's failing that is wanted.
func (n *node) decisive(leaf func(*node) truth) (deciding *node, negated bool) {
	switch n.kind {
	case comparison:
		return n, false
	case not:
		deciding, negated = n.left.decisive(leaf)
		return deciding, !negated
	}
	whole, left, right := n.judged(leaf), n.left.judged(leaf), n.right.judged(leaf)
	alike := func(t truth) bool { return t.yes == whole.yes && (t.err == nil) == (whole.err == nil) }
	if !alike(left) && alike(right) {
		return n.right.decisive(leaf)
	}
	return n.left.decisive(leaf)
}
