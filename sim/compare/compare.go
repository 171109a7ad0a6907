// Package compare holds two saved results against each other: what changed between their scenarios, what that did to every
// metric, and whether a limit was exceeded. It knows nothing but the results.
package compare

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"herdsim/sim/metrics"
	"herdsim/sim/result"
)

// A Mismatch says why two results cannot be held against each other: one line for each difference.
type Mismatch []string

func (m Mismatch) Error() string { return strings.Join(m, "; ") }

// Results compares two results that were run with the same seed, replications, cases, cohorts, policies, window and bins. The
// error is a Mismatch. Origins' paths and the version are the caller's to fill in.
func Results(before, after *result.Result) (*result.Delta, error) {
	if found := mismatch(before, after); found != nil {
		return nil, found
	}
	d := &result.Delta{
		Format: result.DeltaFormat, Before: origin(before), After: origin(after), Seed: before.Seed, Replications: before.Replications,
		Changes: changes(before, after),
	}
	for i := range before.Cases {
		d.Rows = append(d.Rows, rows(&before.Cases[i], &after.Cases[i], d.Replications)...)
	}
	return d, nil
}

func origin(r *result.Result) result.Origin {
	return result.Origin{Scenario: r.Scenario.File, SHA256: r.Scenario.SHA256, Version: r.Version, Digest: r.Digest}
}

// mismatch lists what must be the same and is not.
func mismatch(a, b *result.Result) Mismatch {
	var found Mismatch
	differ := func(what string, x, y any) bool {
		if fmt.Sprint(x) == fmt.Sprint(y) {
			return false
		}
		found = append(found, fmt.Sprintf("%s: %v and %v", what, x, y))
		return true
	}
	differ("seed", a.Seed, b.Seed)
	differ("replications", a.Replications, b.Replications)
	differ("`metrics.bin`", bin(a), bin(b))
	if differ("number of cases", len(a.Cases), len(b.Cases)) {
		return found
	}
	for i := range a.Cases {
		x, y := &a.Cases[i], &b.Cases[i]
		at := ""
		if len(a.Cases) > 1 {
			at = fmt.Sprintf(" of case %d", i+1)
		}
		differ("settings"+at, x.Set, y.Set)
		differ("cohorts"+at, list(x.Cohorts), list(y.Cohorts))
		differ("policies"+at, list(names(x)), list(names(y)))
		differ("`metrics.window`"+at, x.Window.String()+"s", y.Window.String()+"s")
	}
	return found
}

// bin returns the width of bins that the scenario sets.
func bin(r *result.Result) string {
	for _, s := range r.Scenario.Settings {
		if s.Path == "metrics.bin" {
			return s.Value
		}
	}
	return "auto"
}

// names lists the policies of a case; their order does not matter.
func names(c *result.Case) []string {
	var all []string
	for i := range c.Policies {
		all = append(all, c.Policies[i].Name)
	}
	slices.Sort(all)
	return all
}

func list(names []string) string { return strings.Join(names, ", ") }

// changes lists the paths of the scenario that have another value, in its order; paths that are gone come last.
func changes(a, b *result.Result) []result.Change {
	found := []result.Change{}
	if a.Scenario.Settings == nil || b.Scenario.Settings == nil {
		return found
	}
	before, after := map[string]*string{}, map[string]*string{}
	for _, s := range a.Scenario.Settings {
		before[s.Path] = &s.Value
	}
	for _, s := range b.Scenario.Settings {
		after[s.Path] = &s.Value
		if old := before[s.Path]; old == nil || *old != s.Value {
			found = append(found, result.Change{Path: s.Path, Before: old, After: &s.Value})
		}
	}
	for _, s := range a.Scenario.Settings {
		if after[s.Path] == nil {
			found = append(found, result.Change{Path: s.Path, Before: &s.Value})
		}
	}
	return found
}

// rows compares all metrics of one case, run so many times: by policy, headlines first.
func rows(before, after *result.Case, replications int) []result.DeltaRow {
	byPolicy := make([][]result.DeltaRow, len(after.Policies))
	for _, k := range keysOf(before, after) {
		var left, right [][]*big.Rat
		for i := range after.Policies {
			p := &after.Policies[i]
			left = append(left, valuesOf(p, k.after, replications))
			right = append(right, valuesOf(policyNamed(before, p.Name), k.before, replications))
		}
		differences := result.NewDifferences(left, right, true)
		for i := range after.Policies {
			p := &after.Policies[i]
			row := result.DeltaRow{
				Set: after.Set, Policy: p.Name, Label: p.Label, Metric: k.before, Headline: k.headline, Better: better(k.before),
				Before: metricOf(policyNamed(before, p.Name), k.before), After: metricOf(p, k.after), Difference: differences[i],
			}
			if k.after != k.before {
				row.Now = k.after
			}
			row.Lost, row.Gained = gaps(right[i], left[i])
			if row.Before != nil || row.After != nil {
				byPolicy[i] = append(byPolicy[i], row)
			}
		}
	}
	return slices.Concat(byPolicy...)
}

// A key is a metric by its names in both results.
type key struct {
	before, after string
	headline      bool
}

// keysOf lists the metrics of a case: the headlines, then the others by name. A peak after an outage that has moved has
// another name in either result.
func keysOf(before, after *result.Case) []key {
	keys := []key{{before.Herd, after.Herd, true}}
	add := func(name string, headline bool) {
		if !slices.ContainsFunc(keys, func(k key) bool { return k.before == name || k.after == name }) {
			keys = append(keys, key{name, name, headline})
		}
	}
	for _, name := range slices.Concat(headlines(), before.Asked, after.Asked) {
		add(name, true)
	}
	others := map[string]bool{}
	for _, c := range []*result.Case{before, after} {
		for i := range c.Policies {
			for name := range c.Policies[i].Metrics {
				others[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		add(name, false)
	}
	return keys
}

// headlines are the metrics that the comparison of a run shows.
func headlines() []string {
	return []string{"jobs.dead", "jobs.unfinished", "retries.drained_at", "calls.total"}
}

func policyNamed(c *result.Case, name string) *result.Policy {
	i := slices.IndexFunc(c.Policies, func(p result.Policy) bool { return p.Name == name })
	return &c.Policies[i] // the names are the same in both
}

func metricOf(p *result.Policy, name string) *result.Metric {
	m, ok := p.Metrics[name]
	if !ok {
		return nil
	}
	return &m
}

// valuesOf returns a metric's values, one for each replication, nil where there is none.
func valuesOf(p *result.Policy, name string, replications int) []*big.Rat {
	values := make([]*big.Rat, replications)
	for i, v := range p.Metrics[name].Values {
		if v != nil {
			values[i] = v.Rat()
		}
	}
	return values
}

// gaps counts the replications that have a value only before, and only after.
func gaps(before, after []*big.Rat) (lost, gained int) {
	for i := range before {
		switch {
		case before[i] != nil && after[i] == nil:
			lost++
		case before[i] == nil && after[i] != nil:
			gained++
		}
	}
	return lost, gained
}

func better(name string) result.Direction {
	id, _, _ := strings.Cut(name, "(")
	switch metrics.Better(id) {
	case metrics.Lower:
		return result.Lower
	case metrics.Higher:
		return result.Higher
	}
	return result.Neither
}
