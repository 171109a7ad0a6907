package advice

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// mostFixes is how many fixes a failed check shows.
const mostFixes = 3

// mend looks for fixes of the failed checks, each once for all cases that it fails in.
func (a *adviser) mend() error {
	type search struct {
		*result.Check
		held []mended
	}
	var done []search
	for i := range a.Result.Checks {
		c := &a.Result.Checks[i]
		if c.Status == result.Pass {
			continue
		}
		j := slices.IndexFunc(done, func(d search) bool { return d.Name == c.Name && d.Policy == c.Policy })
		if j < 0 && len(done) == mostMended {
			continue
		}
		if j < 0 {
			held, err := a.fix(c)
			if err != nil {
				return err
			}
			j, done = len(done), append(done, search{c, held})
		}
		c.Tried = done[j].Tried
		for _, m := range done[j].held {
			c.Fixes = append(c.Fixes, a.price(m, c))
		}
	}
	return nil
}

// fix simulates changes of the scenario one at a time and returns the cheapest of those with which the check holds in every
// case, and no check breaks.
func (a *adviser) fix(c *result.Check) ([]mended, error) {
	s := a.subject(c)
	var held []mended
	for _, change := range changes(&a.File.Cases[s.scenario].Scenario, c.Policy, preferred(a.check(c))) {
		if slices.ContainsFunc(held, func(m mended) bool { return m.Path == change.Path }) {
			continue // a smaller change of it is enough
		}
		if c.Tried == a.Fixes || !a.affordable(c, change) {
			break
		}
		f := a.Parse(change)
		if f == nil || len(f.Cases) != len(a.File.Cases) {
			continue
		}
		r, err := a.simulate(touched(f, change, c.Policy))
		if err != nil {
			return nil, err
		}
		c.Tried++
		if r != nil && a.mends(r, c) {
			held = append(held, mended{change, r, &r.Cases[s.scenario]})
		}
	}
	slices.SortStableFunc(held, func(x, y mended) int {
		return cmp.Or(cmp.Compare(x.of(c, "calls.total"), y.of(c, "calls.total")), cmp.Compare(x.of(c, "drain.time"), y.of(c, "drain.time")))
	})
	return held[:min(len(held), mostFixes)], nil
}

// mended is a change that mends a check.
type mended struct {
	scenario.Setting
	result *result.Result
	first  *result.Case // in which the check failed
}

// of returns the mean of a metric of the check's policy, without a value beyond all numbers.
func (m mended) of(c *result.Check, metric string) float64 {
	if n := meanOf(policyNamed(m.first, c.Policy), metric); n != nil {
		return n.Float()
	}
	return math.Inf(1)
}

// preferred orders paths by how likely they mend a check: the budget and the base for what is lost, the spread for a herd,
// the sweep for delays.
func preferred(k *scenario.Check) func(path string) int {
	order := []string{".jitter", "promote.", ".base", ".cap", ".max_attempts"}
	for _, t := range k.Expr.Terms() {
		if strings.Contains(t.ID, "dead") || strings.Contains(t.ID, "succe") {
			order = []string{".max_attempts", ".max_retries", ".attempts", ".base", ".cap", ".jitter"}
			break
		}
		if strings.Contains(t.ID, "lag") || strings.Contains(t.ID, "drain") || strings.Contains(t.ID, "recovery") {
			order = []string{".cap", "promote.", ".base", ".jitter"}
			break
		}
	}
	return func(path string) int {
		i := slices.IndexFunc(order, func(part string) bool { return strings.Contains(path, part) })
		if i < 0 {
			return len(order)
		}
		return i
	}
}

// affordable accounts for a change as if it made the calls that the run made.
func (a *adviser) affordable(c *result.Check, change scenario.Setting) bool {
	for i := range a.Result.Cases {
		for _, p := range a.Result.Cases[i].Policies {
			if p.Name == c.Policy || strings.HasPrefix(change.Path, "queue.") {
				a.calls += p.Metrics["calls.total"].Mean.Float() * float64(a.Result.Replications)
			}
		}
	}
	return a.calls <= mostCalls
}

// touched leaves out of a changed file the policies that the change does not touch and that no check on one that it does
// speaks of: they do what they did.
func touched(f *scenario.File, change scenario.Setting, name string) *scenario.File {
	if strings.HasPrefix(change.Path, "queue.") {
		return f
	}
	out := *f
	out.Cases = slices.Clone(f.Cases)
	for i := range out.Cases {
		k := &out.Cases[i]
		needed := []string{name}
		k.Checks = slices.DeleteFunc(slices.Clone(k.Checks), func(c scenario.Check) bool {
			named, _ := c.Expr.Policies()
			if !slices.Contains(named, name) && !slices.Contains(c.Policies, name) {
				return true
			}
			needed = append(needed, named...)
			if slices.Contains(named, name) {
				needed = append(needed, c.Policies...)
			}
			return false
		})
		k.Policies = slices.DeleteFunc(slices.Clone(k.Policies), func(p scenario.Policy) bool { return !slices.Contains(needed, p.Name) })
		for j := range k.Checks {
			c := &k.Checks[j]
			c.Policies = slices.DeleteFunc(slices.Clone(c.Policies), func(p string) bool { return !slices.Contains(needed, p) })
		}
	}
	return &out
}

// mends reports whether the check holds in every case of a changed run, and every check that held before. Cases and checks
// are in the same order as before.
func (a *adviser) mends(r *result.Result, c *result.Check) bool {
	for _, now := range r.Checks {
		ours := now.Name == c.Name && now.Policy == c.Policy
		if now.Status != result.Pass && (ours || a.passed(&now)) {
			return false
		}
	}
	return true
}

// passed reports whether a check held in the run that is explained.
func (a *adviser) passed(now *result.Check) bool {
	return slices.ContainsFunc(a.Result.Checks, func(was result.Check) bool {
		return was.Name == now.Name && was.Policy == now.Policy && slices.Equal(was.Set, now.Set) && was.Status == result.Pass
	})
}

// price says what a change does to the policy in the case of a check.
func (a *adviser) price(m mended, c *result.Check) result.Fix {
	i := a.subject(c).scenario
	before, after := policyNamed(&a.Result.Cases[i], c.Policy), policyNamed(&m.result.Cases[i], c.Policy)
	f := result.Fix{Path: m.Path, Value: m.Value}
	for _, metric := range []string{"jobs.dead", "drain.time", "calls.total"} {
		f.Prices = append(f.Prices, result.Price{Metric: metric, Before: meanOf(before, metric), After: meanOf(after, metric)})
	}
	return f
}

func policyNamed(c *result.Case, name string) *result.Policy {
	return &c.Policies[slices.IndexFunc(c.Policies, func(p result.Policy) bool { return p.Name == name })]
}

func meanOf(p *result.Policy, metric string) *result.Number {
	if m, ok := p.Metrics[metric]; ok {
		return &m.Mean
	}
	return nil
}
