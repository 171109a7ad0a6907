package scenario

import (
	"fmt"
	"math/big"
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
	Expect   string                 // as written, on one line
	Expr     *check.Expr            // for most of its policies: see For
	own      map[string]*check.Expr // for those that live in a world in which names stand for something else
	Over     check.Manner
	Warn     bool
	Hint     string
	Policies []string // for which it is judged, of those that are simulated
	Pos      diag.Pos // where Expect is written
	Length   int      // characters of it on that line
}

// For returns the expression that a policy is judged by.
func (c *Check) For(policy string) *check.Expr {
	if own := c.own[policy]; own != nil {
		return own
	}
	return c.Expr
}

// checks reads `checks`. env holds what expressions may name; its policies are all of the file, of which those in all are right.
func (b *builder) checks(v *value, s *Scenario, env check.Env, all []Policy) []Check {
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
		if !b.expression(&c, expect, s, env, all) {
			continue
		}
		c.Expect, c.Pos, c.Length = strings.Join(strings.Fields(expect.text), " "), expect.pos, expect.length
		if c.concerns(kept) {
			list = append(list, c)
		}
	}
	return list
}

// expression reads what a check expects of the policies that it concerns, each in its world. It reports false after an error.
func (b *builder) expression(c *Check, expect *node, s *Scenario, env check.Env, all []Policy) bool {
	read := func(w *World, notes ...string) *check.Expr {
		env.Capacity = sustained(w)
		expr, err := check.Parse(expect.text, env)
		if err != nil {
			b.fail(expect.part(err.Offset, err.Length), err.Message, err.Hint, notes...)
		}
		return expr
	}
	shared := len(all) < len(env.Policies) // some cannot be read
	for i := range all {
		p := &all[i]
		switch {
		case !slices.Contains(c.Policies, p.Name):
		case p.World == nil:
			shared = true
		default:
			expr := read(p.World, "as policy `"+p.Name+"` has it, which `policies` beside `expect` can leave out")
			if expr == nil {
				return false
			}
			if c.own == nil {
				c.own = map[string]*check.Expr{}
			}
			c.own[p.Name], c.Expr = expr, expr
		}
	}
	if shared || c.Expr == nil {
		c.Expr = read(&s.World)
	}
	return c.Expr != nil
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

// checkEnv returns what expressions may name in every world.
func checkEnv(env metrics.Env, policies *value) check.Env {
	e := check.Env{Env: env}
	for _, p := range policies.names {
		e.Policies = append(e.Policies, p.name)
	}
	return e
}

// sustained returns the rate of the dependency's capacity outside phases; nil when no rate limits it.
func sustained(w *World) *big.Rat {
	if c := w.Dependency.Capacity; c != nil {
		if rate, ok := c.Sustained(); ok {
			return check.PerSecond(rate)
		}
	}
	return nil
}
