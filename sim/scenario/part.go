package scenario

import "slices"

// part returns the shape of a part of a record, or of a map of names: what is left out is neither missing nor has a default, it
// is as in the record that the part goes with. All other values are replaced as wholes.
func part(s *shape) *shape {
	if s.kind != recordKind && s.kind != namesKind {
		return s
	}
	p := *s
	p.whole = s
	if s.item != nil {
		p.item = part(s.item)
	}
	p.fields = slices.Clone(s.fields)
	for i := range p.fields {
		f := &p.fields[i]
		f.required, f.def, f.shape = false, "", part(f.shape)
	}
	return &p
}

// merged returns a value of the shape with a part of it put over it, field by field and name by name. Either may be nil.
func (s *shape) merged(value, over *node) *node {
	switch {
	case value == nil:
		return over
	case over == nil:
		return value
	case s.kind != recordKind && s.kind != namesKind, value.kind != mapNode, over.kind != mapNode, s.otherKind(value, over):
		return over
	}
	all := value
	for _, p := range over.pairs {
		below := &shape{kind: treeKind} // of a key that is wrong, and reported
		if f := fieldNamed(s.fields, p.key.text); f != nil {
			below = f.shape
		} else if s.item != nil {
			below = s.item
		}
		all = all.with(p.key, below.merged(value.get(p.key.text), p.value))
	}
	return all
}

// otherKind reports whether a part of a record that is of one of several kinds is of another kind than the record.
func (s *shape) otherKind(value, over *node) bool {
	return slices.ContainsFunc(s.kinds, func(kind string) bool { return over.get(kind) != nil && value.get(kind) == nil })
}
