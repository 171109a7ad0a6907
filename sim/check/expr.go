// Package check reads what a scenario demands of its metrics, such as `jobs.dead <= 1% * jobs.total`, and judges it by the
// values of a run. All arithmetic is exact.
package check

import (
	"math/big"
	"slices"

	"herdsim/sim/metrics"
)

// An Expr is a demand that was read and found sound: its dimensions agree, and all that it names exists.
type Expr struct{ root *node }

// A kind says what a node does.
type kind uint8

const (
	and kind = iota
	or
	not
	comparison
	plus
	minus
	times
	over
	constant
	measured
)

// A node is a part of an expression.
type node struct {
	kind        kind
	at          extent
	left, right *node        // not has left alone
	relation    relation     // of a comparison
	number      *big.Rat     // of a constant: in seconds, per second, or a pure number
	policy      string       // of something measured: "" for the policy that is judged
	term        metrics.Term // of something measured
	dimension                // of a number
}

// logical reports whether the node is true or false, and not a number.
func (n *node) logical() bool { return n.kind <= comparison }

// visit calls f for the node and everything below it, in the order of the text.
func (n *node) visit(f func(*node)) {
	if n == nil {
		return
	}
	n.left.visit(f)
	f(n)
	n.right.visit(f)
}

// Terms returns the terms that the expression reads, each once.
func (e *Expr) Terms() []metrics.Term {
	var terms []metrics.Term
	e.root.visit(func(n *node) {
		if n.kind == measured && !slices.Contains(terms, n.term) {
			terms = append(terms, n.term)
		}
	})
	return terms
}

// Policies returns the policies that the expression names, each once. general says that it also speaks of the policy that
// is judged, so that it means something else for each.
func (e *Expr) Policies() (names []string, general bool) {
	e.root.visit(func(n *node) {
		switch {
		case n.kind != measured:
		case n.policy == "":
			general = true
		case !slices.Contains(names, n.policy):
			names = append(names, n.policy)
		}
	})
	return names, general
}

// measures reports whether anything in the node is measured.
func (n *node) measures() bool {
	found := false
	n.visit(func(n *node) { found = found || n.kind == measured })
	return found
}
