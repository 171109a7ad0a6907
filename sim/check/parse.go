package check

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"herdsim/sim/metrics"
	"herdsim/sim/units"
)

// longest is how many characters an expression may have: the parser recurses.
const longest = 2000

// An Env holds what an expression may refer to.
type Env struct {
	metrics.Env
	Policies []string
	Capacity *big.Rat // of the dependency outside its phases, calls per second; nil when no rate limits them
}

// Parse reads an expression. The error is about the part of the text that it names; offsets are in bytes.
func Parse(text string, env Env) (*Expr, *metrics.TermError) {
	f := new(failure)
	if utf8.RuneCountInString(text) > longest {
		f.fail(extent{0, len(text)}, fmt.Sprintf("the expression has more than %d characters", longest), "write several checks")
		return nil, f.err
	}
	p := parser{lexer: lexer{failure: f, text: text}, env: env}
	p.advance()
	if p.token.class == end {
		p.fail(extent{0, len(text)}, "nothing is demanded", "write for example `jobs.dead <= 10`")
	}
	root := p.disjunction()
	p.whole(root)
	if f.err != nil {
		return nil, f.err
	}
	return &Expr{root}, nil
}

// A failure keeps the first thing that is wrong.
type failure struct{ err *metrics.TermError }

func (f *failure) fail(at extent, message, hint string) {
	if f.err == nil {
		f.err = &metrics.TermError{Offset: at.from, Length: at.to - at.from, Message: message, Hint: hint}
	}
}

// A parser reads by recursive descent. After a failure it goes on with whatever is left: what it yields then is dropped.
type parser struct {
	lexer
	token token // the one to look at
	env   Env
}

func (p *parser) advance() {
	if p.token = p.next(); p.err != nil {
		p.token = token{class: end}
	}
}

// accept reports whether the token at hand is one of the signs or words, and returns it after going past it.
func (p *parser) accept(texts ...string) (token, bool) {
	t := p.token
	if t.class != sign && t.class != word || !slices.Contains(texts, t.text) {
		return token{}, false
	}
	p.advance()
	return t, true
}

func (p *parser) said(n *node) string { return units.Quote(p.text[n.at.from:n.at.to]) }

// whole checks what only the end of the text shows.
func (p *parser) whole(root *node) {
	switch t := p.token; {
	case p.err != nil:
	case t.class == end && !root.logical():
		p.fail(root.at, "a check compares, this is "+root.dimension.String(), "write for example "+units.Quote(p.text[root.at.from:root.at.to]+" <= 10"))
	case t.class == end && !root.measures():
		p.fail(root.at, "nothing is measured here", "name a metric, for example `jobs.dead`")
	case t.class == end:
	case t.text == ")":
		p.fail(t.at, "the parenthesis was not opened", "leave it out")
	default:
		p.fail(t.at, units.Quote(t.text)+" does not follow from what is before it", "write a sign, `and` or `or` between them")
	}
}

func (p *parser) disjunction() *node {
	n := p.conjunction()
	for {
		if _, ok := p.accept("or"); !ok {
			return n
		}
		n = p.join(or, n, p.conjunction())
	}
}

func (p *parser) conjunction() *node {
	n := p.negation()
	for {
		if _, ok := p.accept("and"); !ok {
			return n
		}
		n = p.join(and, n, p.negation())
	}
}

func (p *parser) negation() *node {
	t, ok := p.accept("not")
	if !ok {
		return p.comparison()
	}
	n := p.negation()
	p.mustBe(n, true)
	return &node{kind: not, at: extent{t.at.from, n.at.to}, left: n}
}

// join makes a node of two that are true or false.
func (p *parser) join(k kind, left, right *node) *node {
	p.mustBe(left, true)
	p.mustBe(right, true)
	return &node{kind: k, at: extent{left.at.from, right.at.to}, left: left, right: right}
}

// mustBe checks that a node is true or false, or else that it is a number.
func (p *parser) mustBe(n *node, logical bool) {
	switch {
	case n.logical() == logical:
	case logical:
		p.fail(n.at, p.said(n)+" is "+n.dimension.String()+", not a comparison", "write for example "+units.Quote(p.text[n.at.from:n.at.to]+" <= 10"))
	default:
		p.fail(n.at, p.said(n)+" is a comparison, not a number", "join comparisons with `and` or `or`")
	}
}

// relation returns the relation whose sign is at hand.
func (p *parser) relation() (relation, bool) {
	if p.token.class != sign {
		return relation{}, false
	}
	return relationAt(p.token.text)
}

func (p *parser) comparison() *node {
	left := p.sum()
	relation, ok := p.relation()
	if !ok {
		return left
	}
	p.advance()
	right := p.sum()
	p.mustBe(left, false)
	p.mustBe(right, false)
	if _, more := p.relation(); more {
		p.fail(p.token.at, "comparisons do not chain", "write "+units.Quote("… and "+p.text[right.at.from:right.at.to]+" "+p.token.text+" …"))
	}
	p.alike(left, right, "against")
	n := &node{kind: comparison, at: extent{left.at.from, right.at.to}, left: left, right: right, relation: relation}
	if !left.measures() { // what is measured is observed, the other side is the limit
		n.left, n.right, n.relation = right, left, relation.mirrored()
	}
	return n
}

func (p *parser) sum() *node {
	left := p.product()
	for {
		t, ok := p.accept("+", "-")
		if !ok {
			return left
		}
		right := p.product()
		p.mustBe(left, false)
		p.mustBe(right, false)
		p.alike(left, right, t.text)
		k := plus
		if t.text == "-" {
			k = minus
		}
		left = &node{kind: k, at: extent{left.at.from, right.at.to}, left: left, right: right, dimension: left.sum(right.dimension)}
	}
}

func (p *parser) product() *node {
	left := p.factor()
	for {
		t, ok := p.accept("*", "/")
		if !ok {
			return left
		}
		right := p.factor()
		p.mustBe(left, false)
		p.mustBe(right, false)
		n := &node{kind: times, at: extent{left.at.from, right.at.to}, left: left, right: right, dimension: left.product(right.dimension)}
		if t.text == "/" {
			n.kind, n.dimension = over, left.quotient(right.dimension)
			if right.kind == constant && right.number.Sign() == 0 {
				p.fail(right.at, "nothing can be divided by 0", "")
			}
		}
		left = n
	}
}

func (p *parser) factor() *node {
	t := p.token
	if t.class == literal {
		p.advance()
		return p.literal(t)
	}
	if t.class == word && !slices.Contains(keywords(), t.text) {
		return p.name(t)
	}
	if open, ok := p.accept("("); ok {
		n := p.disjunction()
		shut := p.token
		if _, ok := p.accept(")"); !ok {
			p.fail(open.at, "the parenthesis is not closed", "")
			return n
		}
		inside := *n
		inside.at = extent{open.at.from, shut.at.to}
		return &inside
	}
	return p.missing(t)
}

// missing reports that a number is expected where there is something else.
func (p *parser) missing(t token) *node {
	message := units.Quote(t.text) + " stands where a metric or a number belongs"
	hint := ""
	switch {
	case t.class == end:
		t.at = extent{len(strings.TrimRight(p.text, " \t\r\n")), len(p.text)}
		message = "a metric or a number is missing at the end"
	case t.text == "-":
		hint = "no metric is below 0"
	}
	p.fail(t.at, message, hint)
	return &node{kind: constant, at: t.at, number: new(big.Rat), dimension: bare}
}
