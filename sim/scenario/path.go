package scenario

import (
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// An address leads to a value: names of fields, names that the user chose and positions in lists, joined by dots.
type address struct {
	at    *node // where the path is written, for messages
	parts []string
}

func newAddress(at *node) address { return address{at, strings.Split(at.text, ".")} }

// within reports whether the path leads to or below what the other one addresses.
func (p address) within(other address) bool {
	return len(p.parts) >= len(other.parts) && slices.Equal(p.parts[:len(other.parts)], other.parts)
}

// upTo returns the path's first n parts, joined.
func (p address) upTo(n int) string { return strings.Join(p.parts[:n], ".") }

// An editor replaces what a path addresses in trees of the format.
type editor struct{ *problems }

// replace returns the tree with the value put where the path leads, and false, reported, when it leads nowhere. A known
// field that is not written is added; names and positions in lists must exist.
func (e editor) replace(root *node, p address, value *node) (*node, bool) {
	return e.step(format, root, p, 0, value)
}

// step replaces below n, a node of shape s reached by the first i parts of the path; n is nil when it is not written.
func (e editor) step(s *shape, n *node, p address, i int, value *node) (*node, bool) {
	if i == len(p.parts) {
		return value, true
	}
	part := p.parts[i]
	switch {
	case n == nil && (s.kind != namesKind || s.whole != nil):
		n = &node{kind: mapNode, pos: p.at.pos, length: p.at.length}
	case n == nil:
		return nil, e.nowhere(p, i, "there is no "+s.noun, nil)
	case n.kind == scalarNode || n.kind == nullNode:
		e.fail(p.part(i), "path "+units.Quote(p.at.text)+" names nothing: "+units.Quote(p.upTo(i))+" is "+n.shown()+" here", "replace that as a whole")
		return nil, false
	}
	if n.kind == listNode {
		return e.item(s, n, p, i, value)
	}
	if s.kind == matrixKind {
		part, i = strings.Join(p.parts[i:], "."), len(p.parts)-1
	}
	below, ok := e.below(s, n, p, i)
	if !ok {
		return nil, false
	}
	changed, ok := e.step(below, n.get(part), p, i+1, value)
	if !ok {
		return nil, false
	}
	return n.with(p.key(n, part, i, changed), changed), true
}

// key returns the key under which the i-th part of the path puts a value: the one that is there, or one that stands where
// the new value, or else the path, is written.
func (p address) key(n *node, part string, i int, changed *node) *node {
	old := n.pair(part)
	switch {
	case i == len(p.parts)-1:
		return &node{text: part, pos: changed.pos, length: changed.length}
	case old != nil:
		return old.key
	}
	return &node{text: part, pos: p.at.pos, length: p.at.length}
}

// below returns the shape of what the i-th part of the path names in a map.
func (e editor) below(s *shape, n *node, p address, i int) (*shape, bool) {
	part := p.parts[i]
	fields := s.fields
	if s.form != nil {
		fields = slices.Concat(fields, s.form.fields)
	}
	switch {
	case s.kind == treeKind || s.kind == matrixKind:
		return &shape{kind: treeKind}, true
	case s.kind == namesKind:
		if n.get(part) == nil && s.whole == nil {
			return nil, e.nowhere(p, i, "there is no "+s.noun+" "+units.Quote(part), keysOf(n))
		}
		return s.item, true
	case len(fields) == 0:
		return nil, e.nowhere(p, i, units.Quote(p.upTo(i))+" is "+s.describe(), nil)
	}
	f := fieldNamed(fields, part)
	if f == nil {
		return nil, e.nowhere(p, i, "there is no field "+units.Quote(part), fieldNames(fields))
	}
	return f.shape, true
}

// item replaces an item of a list.
func (e editor) item(s *shape, n *node, p address, i int, value *node) (*node, bool) {
	if s.plain != nil {
		s = s.plain
	}
	index, err := strconv.Atoi(p.parts[i])
	if err != nil || index < 0 || index >= len(n.items) {
		return nil, e.nowhere(p, i, units.Quote(p.upTo(i))+" is a list with positions 0 to "+strconv.Itoa(len(n.items)-1), nil)
	}
	if s.item == nil {
		s = &shape{item: &shape{kind: treeKind}}
	}
	changed, ok := e.step(s.item, n.items[index], p, i+1, value)
	if !ok {
		return nil, false
	}
	list := *n
	list.items = slices.Clone(n.items)
	list.items[index] = changed
	return &list, true
}

// with returns the map with the value under a key, in the place of the pair of that name if there is one.
func (n *node) with(key, value *node) *node {
	changed := *n
	changed.pairs = slices.Clone(n.pairs)
	if p := changed.pair(key.text); p != nil {
		*p = pair{key, value}
	} else {
		changed.pairs = append(changed.pairs, pair{key, value})
	}
	return &changed
}

// nowhere reports that the i-th part of a path names nothing. It returns false.
func (e editor) nowhere(p address, i int, why string, candidates []string) bool {
	label := ""
	if near, ok := diag.Nearest(p.parts[i], candidates); ok {
		label = "did you mean `" + near + "`?"
	}
	var notes []string
	if label == "" && len(candidates) > 0 {
		notes = []string{"allowed here: " + strings.Join(candidates, ", ")}
	}
	e.fail(p.part(i), "path "+units.Quote(p.at.text)+" names nothing: "+why, label, notes...)
	return false
}

// part returns a node that underlines the i-th part.
func (p address) part(i int) *node {
	offset := len(p.upTo(i))
	if i > 0 {
		offset++
	}
	return p.at.part(offset, len(p.parts[i]))
}

// keysOf returns the keys of a map.
func keysOf(n *node) []string {
	var keys []string
	for _, p := range n.pairs {
		keys = append(keys, p.key.text)
	}
	return keys
}
