package scenario

import (
	"fmt"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// A value is a node that has been checked against a shape. Every field that has a default has a value.
type value struct {
	node   *node // nil for a default
	key    *node // the key it stands under; nil for an item or a default
	bad    bool  // something in it is wrong, and has been reported
	number quantity
	rate   clock.Rate // the rate as written: 600/m is not 10/s
	truth  bool
	minus  bool   // the number is negative
	word   string // of a choice: the word or the field; of a text or name: itself
	arg    *value // of a choice: the value of the field, or the scalar or list that is no word
	fields map[string]*value
	names  []named
	items  []*value
}

// named is one entry of a map of names.
type named struct {
	name string
	*value
}

// get returns the value of a field of a record, its default when it is not written, or nil.
func (v *value) get(name string) *value { return v.fields[name] }

// wrote reports whether the field is written in the document.
func (v *value) wrote(name string) bool {
	f := v.fields[name]
	return f != nil && f.node != nil
}

// duration returns the number of a duration.
func (v *value) duration() time.Duration { return time.Duration(v.number.num) }

// fraction returns a number.
func (v *value) fraction() policy.Fraction {
	return policy.Fraction{Num: v.number.num, Den: v.number.den}
}

// at returns the node that a diagnostic about the value underlines: a scalar itself, a map or list by its key.
func (v *value) at() *node { return spotOf(v.key, v.node) }

// spotOf returns the key of a value that is not a scalar, when it has one.
func spotOf(key, n *node) *node {
	if n.kind != scalarNode && key != nil {
		return key
	}
	return n
}

// A spot is what the walker is looking at, as messages call it.
type spot struct {
	name string // "`count`", "policy `full`"
	key  *node  // nil for an item of a list
}

// A walker checks nodes against shapes.
type walker struct {
	*problems
	walked map[sight]*value // named things that need not be checked again
}

// A sight is a node looked at as something of a shape.
type sight struct {
	shape *shape
	node  *node
}

// walk checks the node against the shape. It reports everything that is wrong in it.
func (w walker) walk(s *shape, n *node, at spot) *value {
	before := w.errors
	v := &value{node: n, key: at.key}
	switch {
	case n.kind == nullNode:
		w.fail(spotOf(at.key, n), at.name+" has no value", "write one, or leave the key out")
	case s.kind == recordKind:
		w.record(s, n, at, v)
	case s.kind == namesKind:
		w.named(s, n, at, v)
	case s.kind == listKind:
		w.listed(s, n, at, v)
	case s.kind == choiceKind:
		w.choice(s, n, at, v)
	case s.kind == treeKind || s.kind == matrixKind:
	case n.kind != scalarNode:
		w.mismatch(s, n, at)
	default:
		w.scalar(s, n, at, v)
	}
	v.bad = v.bad || w.errors > before
	return v
}

// mismatch reports a node of the wrong kind.
func (w walker) mismatch(s *shape, n *node, at spot) {
	w.fail(spotOf(at.key, n), at.name+" must be "+s.describe()+", found "+n.found(), "")
}

// record checks a map of known fields.
func (w walker) record(s *shape, n *node, at spot, v *value) {
	if n.kind != mapNode {
		w.mismatch(s, n, at)
		return
	}
	v.fields = make(map[string]*value, len(s.fields))
	trapped := false // what is missing may be in a key that YAML made of it
	for i := range n.pairs {
		p := &n.pairs[i]
		f := fieldNamed(s.fields, p.key.text)
		switch {
		case f != nil:
			v.fields[f.name] = w.walk(f.shape, p.value, spot{"`" + f.name + "`", p.key})
		case at.key == nil && at.name == "" && strings.HasPrefix(p.key.text, "x-"):
		case w.trap(s.fields, n, i):
			trapped = true
		default:
			w.unknown(s.fields, n, i, at)
		}
	}
	for i := range s.fields {
		f := &s.fields[i]
		switch {
		case v.fields[f.name] != nil, f.required && trapped:
		case f.required:
			w.missing(f, n, at)
		case f.def != "":
			v.fields[f.name] = w.standard(f)
		}
	}
}

// standard returns the default of a field.
func (w walker) standard(f *field) *value {
	n := &node{text: f.def}
	if f.def == empty {
		n = &node{kind: mapNode}
	}
	v := w.walk(f.shape, n, spot{name: "default of `" + f.name + "`"})
	if v.bad {
		panic("scenario: bad default in the field table: " + f.name + ": " + f.def)
	}
	v.node = nil
	return v
}

// missing reports a required field that is not there.
func (w walker) missing(f *field, n *node, at spot) {
	in := ""
	if at.name != "" {
		in = " in " + at.name
	}
	w.conflict(spotOf(at.key, n), "`"+f.name+"` is missing"+in, f.doc)
}

// unknown reports a key that no field has.
func (w walker) unknown(fields []field, n *node, i int, at spot) {
	key := n.pairs[i].key
	in := ""
	if at.name != "" {
		in = " in " + at.name
	}
	label := ""
	if near, ok := diag.Nearest(key.text, fieldNames(fields)); ok {
		label = "did you mean `" + near + "`?"
	}
	w.fail(key, "unknown field "+units.Quote(key.text)+in, label, "allowed here: "+strings.Join(fieldNames(fields), ", "))
}

// trap reports the mistakes that YAML turns into keys: in its flow form a missing space and a comma, and everywhere `: ` in
// what was to be a text.
func (w walker) trap(fields []field, n *node, i int) bool {
	key, value := n.pairs[i].key, n.pairs[i].value
	if value.kind == scalarNode && !key.quoted && unclosed(key.text) && unopened(value.text) {
		at := key.text[strings.LastIndexAny(key.text, "(, ")+1:]
		argument, _, _ := strings.Cut(value.text, ")")
		w.fail(key, "`: ` makes a key of this", "write "+units.Quote(at+"="+argument))
		return true
	}
	if value.kind != nullNode || key.quoted {
		return false
	}
	name, rest, colon := strings.Cut(key.text, ":")
	if colon && fieldNamed(fields, name) != nil {
		w.fail(key, units.Quote(key.text)+" is one word for YAML", "write a space after `:`: "+units.Quote(name+": "+rest))
		return true
	}
	if i > 0 && unclosed(n.pairs[i-1].value.text) {
		w.fail(n.pairs[i-1].value, "the comma cuts this short", "quote this")
		return true
	}
	return false
}

// unclosed reports whether a text has a bracket that it does not close.
func unclosed(text string) bool { return strings.Count(text, "(") > strings.Count(text, ")") }

// unopened reports whether a text closes a bracket that it does not open.
func unopened(text string) bool { return strings.Count(text, "(") < strings.Count(text, ")") }

// named checks a map of names that the user chooses.
func (w walker) named(s *shape, n *node, at spot, v *value) {
	if n.kind != mapNode {
		w.mismatch(s, n, at)
		return
	}
	if len(n.pairs) == 0 {
		w.fail(spotOf(at.key, n), at.name+" names no "+s.noun, "")
	}
	for i := range n.pairs {
		p := &n.pairs[i]
		if err := units.Name(p.key.text); err != nil {
			w.reject(p.key, err)
			continue
		}
		item := w.walked[sight{s.item, p.value}]
		if item == nil {
			item = w.walk(s.item, p.value, spot{s.noun + " `" + p.key.text + "`", p.key})
			w.walked[sight{s.item, p.value}] = item
		}
		v.bad = v.bad || item.bad
		v.names = append(v.names, named{p.key.text, item})
	}
}

// listed checks a list.
func (w walker) listed(s *shape, n *node, at spot, v *value) {
	switch {
	case n.kind != listNode:
		w.mismatch(s, n, at)
		return
	case len(n.items) == 0 && s.length == 0:
		w.fail(spotOf(at.key, n), at.name+" is an empty list", "write at least one item, or leave the key out")
		return
	case s.length > 0 && len(n.items) != s.length:
		w.fail(spotOf(at.key, n), fmt.Sprintf("%s must be %s, found %d", at.name, s.describe(), len(n.items)), "")
		return
	}
	for i, item := range n.items {
		if item.kind == scalarNode && !item.quoted && unclosed(item.text) && i+1 < len(n.items) && unopened(n.items[i+1].text) {
			w.fail(item, "the comma cuts this short", "quote this")
			return
		}
		v.items = append(v.items, w.walk(s.item, item, spot{name: fmt.Sprintf("item %d of %s", i+1, at.name)}))
	}
}
