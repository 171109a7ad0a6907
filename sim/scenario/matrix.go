package scenario

import (
	"fmt"
	"slices"

	"herdsim/sim/units"
)

// An axis is one path of the matrix and its values.
type axis struct {
	path   address
	values []*node
}

// fixedFields belong to the file, not to a case: a result has one seed and one number of replications.
var fixedFields = []string{"version", "name", "description", "seed", "replications", "matrix", "checks"}

// axes returns the matrix of a document. A path that --set has set is no axis any more: what is set on the command line
// holds in every case.
func (p *problems) axes(root *node, set []address) []axis {
	entry := root.pair("matrix")
	if entry == nil {
		return nil
	}
	n := entry.value
	if n.kind == nullNode {
		return nil // the walker says so
	}
	if n.kind != mapNode || len(n.pairs) == 0 {
		p.fail(spotOf(entry.key, n), "`matrix` must be a map of paths and lists, found "+n.found(), "")
		return nil
	}
	var list []axis
	for _, pair := range n.pairs {
		a := axis{newAddress(pair.key), pair.value.items}
		switch {
		case pair.value.kind != listNode || len(a.values) == 0:
			p.notValues(pair)
			continue
		case slices.Contains(fixedFields, a.path.parts[0]):
			p.fixed(pair.key, a.path.parts[0])
			continue
		}
		if p.settled(a, set) || p.overlaps(a, list) {
			continue
		}
		if _, leads := (editor{p}).replace(root, a.path, a.values[0]); leads {
			list = append(list, a)
		}
	}
	return list
}

// fixed reports an axis that belongs to the file.
func (p *problems) fixed(axis *node, name string) {
	label := "leave it out of `matrix`"
	if name == "seed" || name == "replications" {
		label = "write it beside `matrix`; for several, run the file with `--" + name + "` several times"
	}
	p.fail(axis, "`"+name+"` is the same in every case", label)
}

// notValues reports an axis that is not a list of values.
func (p *problems) notValues(axis pair) {
	label := ""
	if axis.value.kind == scalarNode {
		label = "write `[" + axis.value.String() + "]`"
	}
	p.fail(spotOf(axis.key, axis.value), units.Quote(axis.key.text)+" in `matrix` must be a list of values, found "+axis.value.found(), label)
}

// settled reports whether --set has set the axis; setting a part of what an axis replaces is reported as an error.
func (p *problems) settled(a axis, set []address) bool {
	for _, s := range set {
		switch {
		case slices.Equal(s.parts, a.path.parts):
			return true
		case s.within(a.path):
			p.fail(s.at, units.Quote(s.at.text)+" is part of "+units.Quote(a.path.at.text)+", which `matrix` replaces in every case", "set that")
		}
	}
	return false
}

// overlaps reports whether one axis would replace what another has set.
func (p *problems) overlaps(a axis, others []axis) bool {
	for _, o := range others {
		if a.path.within(o.path) || o.path.within(a.path) {
			p.fail(a.path.at, units.Quote(a.path.at.text)+" and "+units.Quote(o.path.at.text)+" in `matrix` replace each other", "leave one of them out")
			return true
		}
	}
	return false
}

// combinations returns how many cases the axes span, and false, reported, when they are too many for a document of a size.
func (p *problems) combinations(axes []axis, size int, matrix *node) (int, bool) {
	product := uint64(1)
	for _, a := range axes {
		if product *= uint64(len(a.values)); product > 1<<32 {
			break // far beyond the limit; more factors could overflow
		}
	}
	switch {
	case product > maxCases:
		p.fail(matrix, fmt.Sprintf("`matrix` has %s combinations: the most are %d", about(product), maxCases), "leave out values")
	case product*uint64(size) > maxVisits:
		p.fail(matrix, fmt.Sprintf("`matrix` has %d combinations of a document of %d values: the most are %d in all", product, size, maxVisits), "leave out values")
	default:
		return int(product), true
	}
	return 0, false
}

// about prints a product, which may have stopped growing.
func about(product uint64) string {
	if product > 1<<32 {
		return "more than 4294967296"
	}
	return fmt.Sprint(product)
}

// A space yields the documents of the combinations. Documents that follow one another share what has not changed: the last
// axis changes fastest, and the tree that the axes before it have made is kept.
type space struct {
	editor
	axes  []axis
	trees []*node // trees[i] has the values of the first i axes
	last  []int   // the values chosen for them
}

// newSpace returns the combinations of axes, which all lead somewhere in the document.
func newSpace(p *problems, root *node, axes []axis) *space {
	s := &space{editor: editor{p}, axes: slices.Clone(axes), trees: []*node{root}}
	slices.SortStableFunc(s.axes, func(a, b axis) int { // those of one value never change: they come first
		return min(len(a.values), 2) - min(len(b.values), 2)
	})
	return s
}

// document returns the k-th combination.
func (s *space) document(k int) *node {
	chosen := make([]int, len(s.axes))
	for i := len(s.axes) - 1; i >= 0; i-- {
		chosen[i] = k % len(s.axes[i].values)
		k /= len(s.axes[i].values)
	}
	same := 0
	for same < len(s.last) && s.last[same] == chosen[same] {
		same++
	}
	s.trees, s.last = s.trees[:same+1], chosen
	for i := same; i < len(s.axes); i++ {
		tree, _ := s.replace(s.trees[i], s.axes[i].path, s.axes[i].values[chosen[i]])
		s.trees = append(s.trees, tree)
	}
	return s.trees[len(s.axes)]
}

// settings returns what the document returned last has set, in the order of the given axes.
func (s *space) settings(axes []axis) []Setting {
	var list []Setting
	for _, a := range axes {
		i := slices.IndexFunc(s.axes, func(b axis) bool { return a.path.at == b.path.at })
		list = append(list, Setting{a.path.at.text, a.values[s.last[i]].String()})
	}
	return list
}
