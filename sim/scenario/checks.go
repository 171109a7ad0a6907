package scenario

import (
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/check"
	"herdsim/sim/diag"
	"herdsim/sim/metrics"
	"herdsim/sim/units"
)

// A Check is what the file demands of some policies.
type Check struct {
	Name     string
	Expect   string // as written, on one line
	Expr     *check.Expr
	Over     check.Manner
	Warn     bool
	Hint     string
	Policies []string // for which it is judged, of those that are simulated
	Pos      diag.Pos // where Expect is written
	Length   int      // characters of it on that line
}

// checks reads `checks`. env holds what expressions may name; its policies are all of the file.
func (b *builder) checks(v *value, s *Scenario, env check.Env) []Check {
	var list []Check
	var kept []string
	taken := map[string]bool{}
	for _, p := range s.Policies {
		kept = append(kept, p.Name)
	}
	for i, item := range v.items {
		if !usable(item) {
			continue
		}
		c := Check{Name: fmt.Sprintf("check-%d", i+1), Policies: env.Policies}
		expect := item.node
		if item.arg == nil {
			expect = item.get("expect").node
			b.options(item, &c)
		}
		if taken[c.Name] {
			b.fail(item.at(), "two checks are called "+units.Quote(c.Name), "give each a name of its own")
		}
		taken[c.Name] = true
		expr, err := check.Parse(expect.text, env)
		if err != nil {
			b.fail(expect.part(err.Offset, err.Length), err.Message, err.Hint)
			continue
		}
		c.Expect, c.Expr, c.Pos, c.Length = strings.Join(strings.Fields(expect.text), " "), expr, expect.pos, expect.length
		if c.concerns(kept) {
			list = append(list, c)
		}
	}
	return list
}

// overchecked reports more checks than may be read in all cases.
func (p *problems) overchecked(root *node, cases int) bool {
	checks := root.pair("checks")
	if checks == nil || len(checks.value.items)*cases <= maxChecked {
		return false
	}
	p.fail(checks.key, fmt.Sprintf("%d checks in %d cases: the most are %d in all", len(checks.value.items), cases, maxChecked), "leave out some, or values of `matrix`")
	return true
}

// options reads what a check says beside its expression.
func (b *builder) options(v *value, c *Check) {
	if w := v.get("name"); w != nil {
		c.Name = w.word
	}
	if w := v.get("policies"); w != nil {
		c.Policies = nil
		for _, item := range w.items {
			c.Policies = append(c.Policies, item.word)
		}
	}
	c.Over = check.Manner(slices.Index(check.Manners(), v.get("over").word))
	c.Warn = v.get("severity").word == "warn"
	if w := v.get("hint"); w != nil {
		c.Hint = w.word
		b.oneLine(w, maxHint, "a hint")
	}
}

// concerns keeps those of a check's policies that are simulated, in their order; a check that speaks of named policies alone
// is judged once. It reports false when none is left, or when the check speaks of a policy that is not simulated.
func (c *Check) concerns(kept []string) bool {
	named, general := c.Expr.Policies()
	for _, name := range named {
		if !slices.Contains(kept, name) {
			return false
		}
	}
	if !general {
		c.Policies = named[:1]
	}
	wanted := c.Policies
	c.Policies = nil
	for _, name := range kept {
		if slices.Contains(wanted, name) {
			c.Policies = append(c.Policies, name)
		}
	}
	return len(c.Policies) > 0
}

// concerned checks that the policies that checks name are there.
func (b *builder) concerned(v *value, policies []string) {
	for _, item := range v.items {
		if !usable(item) || item.arg != nil || item.get("policies") == nil {
			continue
		}
		for _, p := range item.get("policies").items {
			if !slices.Contains(policies, p.word) {
				b.fail(p.node, "there is no policy "+units.Quote(p.word), nearestOf(p.word, policies))
			}
		}
	}
}

// checkEnv returns what expressions may name.
func (b *builder) checkEnv(env metrics.Env, s *Scenario, policies *value) check.Env {
	e := check.Env{Env: env}
	for _, p := range policies.names {
		e.Policies = append(e.Policies, p.name)
	}
	if c := s.Base.Dependency.Capacity; c != nil {
		if rate, ok := c.Sustained(); ok {
			e.Capacity = check.PerSecond(rate)
		}
	}
	return e
}
