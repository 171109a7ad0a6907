package experiment

import (
	"math/big"
	"slices"

	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// A column holds a term's values in the runs of one policy; nil where there is none.
type column struct {
	values []*big.Rat
	exact  bool // all that are there
	found  bool // any is
}

func columnOf(t metrics.Term, runs []run) column {
	c, read := column{values: make([]*big.Rat, len(runs)), exact: true}, metrics.Reading(t)
	for i := range runs {
		if v, err := read(runs[i].summary); err == nil {
			c.values[i], c.found = v.Rat, true
			c.exact = c.exact && v.Exact
		}
	}
	return c
}

// metric sums up a term over the runs of one policy. It reports false when none has a value.
func metric(t metrics.Term, runs []run, s *scenario.Scenario) (result.Metric, bool) {
	c := columnOf(t, runs)
	if !c.found {
		return result.Metric{}, false
	}
	m := result.NewMetric(c.values, c.exact)
	m.Clumps = result.Clumps(c.values, t.Grain(s.Metrics.Window))
	if whole, ok := t.ShareOf(); ok {
		m.Share = result.NewShare(c.values, columnOf(whole, runs).values)
	}
	return m, true
}

// withWholes adds what the terms of a specification are shares of.
func withWholes(spec metrics.Spec) metrics.Spec {
	for _, t := range slices.Clone(spec.Terms) {
		if whole, ok := t.ShareOf(); ok {
			spec.Terms = append(spec.Terms, whole)
		}
	}
	return spec
}

// comparisons holds every policy against the first one, by every term that both have a value for. The runs are ordered by
// policy, then by replication.
func comparisons(s *scenario.Scenario, runs []run, terms []metrics.Term) []result.Comparison {
	n := s.Replications
	others := len(s.Policies) - 1
	if n < 2 || others < 1 {
		return nil
	}
	rows := make([][]result.Comparison, others)
	for _, t := range distinct(terms) {
		base := columnOf(t, runs[:n])
		exact := base.exact
		left, right := make([][]*big.Rat, others), make([][]*big.Rat, others)
		for k := range others {
			c := columnOf(t, runs[(k+1)*n:(k+2)*n])
			left[k], right[k] = c.values, base.values
			exact = exact && c.exact
		}
		for k, d := range result.NewDifferences(left, right, exact) {
			if d != nil {
				rows[k] = append(rows[k], result.Comparison{
					Policy: s.Policies[k+1].Name, Baseline: s.Policies[0].Name, Metric: t.String(), Better: better(t), Difference: *d,
				})
			}
		}
	}
	var all []result.Comparison
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}

func better(t metrics.Term) result.Direction {
	switch metrics.Better(t.ID) {
	case metrics.Lower:
		return result.Lower
	case metrics.Higher:
		return result.Higher
	}
	return result.Neither
}

// distinct returns the terms, each once.
func distinct(terms []metrics.Term) []metrics.Term {
	var once []metrics.Term
	seen := map[metrics.Term]bool{}
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			once = append(once, t)
		}
	}
	return once
}
