package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// read turns the bytes of a source into a tree. It returns nil when there is an error that makes the rest unreadable.
// shift is how many characters stand before the YAML on its first line.
func (p *problems) read(src *diag.Source, shift int, data []byte) *node {
	data, ok := p.judgeText(src, data)
	if !ok {
		return nil
	}
	roots, err := documents(data)
	switch {
	case err != nil:
		p.add(syntaxProblem(src, shift, data, err))
		return nil
	case len(roots) == 0:
		p.conflict(&node{pos: diag.Pos{Source: src, Line: 1, Col: 1}}, "the text holds nothing but comments")
		return nil
	case len(roots) > 1:
		pos, _ := (&ruler{src: src, lines: map[int][]rune{}}).locate(roots[1])
		p.conflict(&node{pos: pos}, "a second document begins here", "leave it out: one text holds one document")
	}
	e := expander{problems: p, ruler: ruler{src, shift, map[int][]rune{}}, open: map[*yaml.Node]bool{}}
	root := e.expand(roots[0], 1)
	if e.full {
		return nil
	}
	return root
}

// errPanic stands for an input that makes the parser panic.
var errPanic = errors.New("yaml: the parser cannot read it")

// documents parses at most two documents and returns their roots.
func documents(data []byte) (list []*yaml.Node, err error) {
	defer func() {
		if recover() != nil {
			list, err = nil, errPanic
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for len(list) < 2 {
		document := new(yaml.Node)
		if err := decoder.Decode(document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		list = append(list, document.Content[0])
	}
	return list, nil
}

// An expander builds the tree: it resolves aliases and merges and refuses what a scenario may not hold.
type expander struct {
	problems *problems
	ruler    ruler
	open     map[*yaml.Node]bool // the aliases being expanded
	nodes    int
	full     bool // a limit was met; there is no point in going on
}

// expand returns the tree of a YAML node at a depth, from 1.
func (e *expander) expand(y *yaml.Node, depth int) *node {
	if y.Kind == yaml.AliasNode {
		return e.alias(y, depth)
	}
	n := e.place(y)
	e.nodes++
	switch {
	case e.full:
		return n
	case depth > maxDepth:
		e.stop(n, fmt.Sprintf("maps and lists are more than %d deep here", maxDepth))
		return n
	case e.nodes > maxNodes:
		e.stop(n, fmt.Sprintf("the document has more than %d values, aliases counted as what they stand for", maxNodes))
		return n
	case y.Style&yaml.TaggedStyle != 0:
		e.problems.fail(n, "tags such as "+units.Quote(y.Tag)+" are not supported", "leave it out")
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mapNode
		e.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = listNode
		for _, item := range y.Content {
			n.items = append(n.items, e.expand(item, depth+1))
		}
	default:
		n.text, n.quoted = y.Value, y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if y.Tag == "!!null" && !n.quoted {
			n.kind = nullNode
		}
	}
	return n
}

// place returns a node that knows where it is and nothing else.
func (e *expander) place(y *yaml.Node) *node {
	pos, length := e.ruler.locate(y)
	return &node{pos: pos, length: length}
}

func (e *expander) stop(n *node, message string) {
	e.full = true
	e.problems.fail(n, message, "")
}

// alias returns what an alias stands for.
func (e *expander) alias(y *yaml.Node, depth int) *node {
	if e.open[y.Alias] {
		n := e.place(y)
		e.stop(n, "alias "+units.Quote("*"+y.Value)+" stands for something that holds the alias")
		return n
	}
	e.open[y.Alias] = true
	defer delete(e.open, y.Alias)
	return e.expand(y.Alias, depth)
}
