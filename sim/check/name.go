package check

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/metrics"
	"herdsim/sim/units"
)

// literal reads a number with its unit.
func (p *parser) literal(t token) *node {
	n := &node{kind: constant, at: t.at, number: new(big.Rat), dimension: bare}
	if next := p.token; isDigit(t.text[len(t.text)-1]) && next.class == word && !slices.Contains(keywords(), next.text) {
		p.fail(extent{t.at.from, next.at.to}, units.Quote(p.text[t.at.from:next.at.to])+" is not a number with a unit",
			"write a unit right behind its number, such as `10s` or `50/s`")
	}
	switch {
	case strings.Contains(t.text, "/"):
		n.dimension = rate
		r, err := units.Rate(t.text)
		if err != nil {
			p.unit(t.at, err)
			break
		}
		n.number = PerSecond(r)
	case strings.ContainsFunc(t.text, func(r rune) bool { return r >= 0x80 || isLetter(byte(r)) }):
		n.dimension = span
		d, err := units.Duration(t.text)
		p.unit(t.at, err)
		n.number = seconds(d)
	default:
		if strings.HasSuffix(t.text, "%") {
			n.dimension = share
		}
		num, den, err := units.Fraction(t.text)
		if err != nil {
			p.unit(t.at, err)
			break
		}
		n.number.SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
	}
	return n
}

// PerSecond returns a rate per second. The product of a count and the nanoseconds of a second need not fit an int64.
func PerSecond(r clock.Rate) *big.Rat {
	return new(big.Rat).Quo(big.NewRat(r.Count, 1), seconds(r.Per))
}

func seconds(d time.Duration) *big.Rat { return big.NewRat(int64(d), int64(time.Second)) }

// unit passes on an error of the units.
func (p *parser) unit(at extent, err error) {
	if err != nil {
		e := err.(*units.Error)
		p.fail(at, e.Message, e.Hint)
	}
}

// name reads what begins with a word: a metric with its arguments, an edge of an outage, the capacity, or a span in ISO 8601.
func (p *parser) name(t token) *node {
	n := &node{kind: constant, at: t.at, number: new(big.Rat), dimension: span}
	family, rest, dotted := strings.Cut(t.text, ".")
	switch {
	case !dotted && strings.HasPrefix(t.text, "P"):
		if d, err := units.Duration(t.text); err == nil {
			p.advance()
			n.number = seconds(d)
			return n
		}
	case family == "outage":
		p.advance()
		at, err := metrics.ParseEdge(t.text, p.env.Env)
		p.pass(err, t.at.from)
		n.number = seconds(at.Sub(clock.Time(0)))
		return n
	case family == "dependency":
		p.advance()
		p.capacity(n, rest)
		return n
	case family == "policy":
		return p.ofPolicy(n, rest)
	}
	p.measure(n, t.at.from)
	return n
}

// pass passes on an error about a part of the text that begins at an offset.
func (p *parser) pass(err *metrics.TermError, offset int) {
	if err != nil {
		p.fail(extent{offset + err.Offset, offset + err.Offset + err.Length}, err.Message, err.Hint)
	}
}

func (p *parser) capacity(n *node, field string) {
	n.dimension = rate
	switch {
	case field != "capacity":
		p.fail(n.at, p.said(n)+" is not known here", "write `dependency.capacity`")
	case p.env.Capacity == nil:
		p.fail(n.at, "the dependency has no capacity that is a rate", "give `dependency.capacity` a `rate`, or write a rate here, such as `50/s`")
	default:
		n.number = p.env.Capacity
	}
}

// ofPolicy reads policy.NAME.metric.
func (p *parser) ofPolicy(n *node, rest string) *node {
	name, metric, dotted := strings.Cut(rest, ".")
	at := extent{n.at.from + len("policy."), n.at.from + len("policy.") + len(name)}
	switch {
	case !dotted || metric == "":
		p.fail(n.at, p.said(n)+" names no metric of a policy", "write `policy.NAME.METRIC`, such as `policy."+strings.Join(p.env.Policies[:min(1, len(p.env.Policies))], "")+".jobs.dead`")
	case !slices.Contains(p.env.Policies, name):
		p.fail(at, "unknown policy "+units.Quote(name), nearestOf(name, p.env.Policies, "policies"))
	}
	n.policy = name
	p.measure(n, at.to+1)
	return n
}

// measure reads a metric that begins at an offset in the word at hand, with the arguments behind it.
func (p *parser) measure(n *node, from int) {
	to := p.token.at.to
	p.advance()
	if open := p.token; open.text == "(" && strings.TrimSpace(p.text[to:open.at.from]) == "" {
		shut := strings.IndexByte(p.text[open.at.from:], ')')
		if shut < 0 {
			p.fail(extent{open.at.from, len(p.text)}, "the parenthesis is not closed", "write `)` behind the arguments")
			return
		}
		to = open.at.from + shut + 1
		p.at = to
		p.advance()
	}
	n.kind, n.at.to = measured, to
	if p.err != nil && p.err.Offset < to {
		return
	}
	term, err := metrics.ParseTerm(p.text[min(from, to):to], p.env.Env)
	if err != nil {
		p.pass(p.hyphenated(err, p.text[min(from, to):to]), from)
		return
	}
	n.term, n.dimension = term, dimensionOf(term.Dimension())
}

// hyphenated improves on the error about an unknown metric that is a subtraction without spaces.
func (p *parser) hyphenated(err *metrics.TermError, text string) *metrics.TermError {
	before, after, ok := strings.Cut(text, "-")
	if _, e := metrics.ParseTerm(before, p.env.Env); ok && e == nil && err.Offset == 0 {
		err.Hint = "a minus needs spaces: write " + units.Quote(before+" - "+after)
	}
	return err
}

func nearestOf(word string, names []string, what string) string {
	if near, ok := diag.Nearest(word, names); ok {
		return "did you mean `" + near + "`?"
	}
	return what + ": `" + strings.Join(names, "`, `") + "`"
}
