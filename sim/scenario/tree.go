package scenario

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// A nodeKind says what a node is.
type nodeKind uint8

const (
	scalarNode nodeKind = iota
	nullNode            // nothing written, or YAML's null
	listNode
	mapNode
)

// String names the kind for a message.
func (k nodeKind) String() string {
	return [...]string{"a single value", "nothing", "a list", "a map"}[k]
}

// A node is a value of the document with aliases and merges resolved: what is left of YAML. Nodes are never changed, only
// replaced, so that the cases of a matrix share them.
type node struct {
	kind   nodeKind
	text   string // of a scalar, without its quotes
	quoted bool
	pos    diag.Pos
	length int // characters to underline
	pairs  []pair
	items  []*node
}

// A pair is a key and its value.
type pair struct{ key, value *node }

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if p := n.pair(key); p != nil {
		return p.value
	}
	return nil
}

// pair returns the pair of a key, or nil.
func (n *node) pair(key string) *pair {
	for i := range n.pairs {
		if n.pairs[i].key.text == key {
			return &n.pairs[i]
		}
	}
	return nil
}

// size counts the node and everything below it.
func (n *node) size() int {
	if n == nil {
		return 0
	}
	sum := 1
	for _, p := range n.pairs {
		sum += 1 + p.value.size()
	}
	for _, item := range n.items {
		sum += item.size()
	}
	return sum
}

// part returns a node that underlines length bytes of a scalar's text from offset, or the whole scalar when the text is not
// written on one line as it is read.
func (n *node) part(offset, length int) *node {
	inner := n.length
	if n.quoted {
		inner -= 2
	}
	offset = min(offset, len(n.text))
	length = min(length, len(n.text)-offset)
	if n.kind != scalarNode || inner != utf8.RuneCountInString(n.text) {
		return n
	}
	at := *n
	at.pos.Col += (n.length-inner)/2 + utf8.RuneCountInString(n.text[:offset])
	at.length = max(1, utf8.RuneCountInString(n.text[offset:offset+length]))
	return &at
}

// String writes the node in YAML's flow form, on one line.
func (n *node) String() string {
	switch n.kind {
	case listNode:
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = item.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mapNode:
		parts := make([]string, len(n.pairs))
		for i, p := range n.pairs {
			parts[i] = p.key.String() + ": " + p.value.String()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nullNode:
		return "null"
	}
	if n.quoted || strings.ContainsAny(n.text, ",[]{}\n") {
		return strconv.Quote(n.text)
	}
	return n.text
}

// shown returns the node as a message repeats it.
func (n *node) shown() string { return units.Quote(n.String()) }

// found says what the node is, for a message about what it is not.
func (n *node) found() string {
	switch {
	case n.kind == scalarNode:
		return n.shown()
	case n.kind != nullNode && len(n.pairs)+len(n.items) == 0:
		return "an empty one"
	}
	return n.kind.String()
}
