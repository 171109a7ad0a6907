package check

import "strings"

// A relation is what a comparison demands: that a number is below another, equal to it or above it, where these are true.
type relation struct {
	sign                string
	below, equal, above bool
}

// relations are all that can be demanded, longer signs before those that they begin with.
func relations() []relation {
	return []relation{
		{"<=", true, true, false},
		{"<", true, false, false},
		{">=", false, true, true},
		{">", false, false, true},
		{"==", false, true, false},
		{"!=", true, false, true},
	}
}

// relationAt returns the relation whose sign a text begins with.
func relationAt(text string) (relation, bool) {
	for _, r := range relations() {
		if strings.HasPrefix(text, r.sign) {
			return r, true
		}
	}
	return relation{}, false
}

// holds reports whether the relation holds between two numbers of which c is the order: -1, 0 or 1.
func (r relation) holds(c int) bool { return c < 0 && r.below || c == 0 && r.equal || c > 0 && r.above }

// directed reports whether it matters on which side of the other a number lies.
func (r relation) directed() bool { return r.below != r.above }

// mirrored returns the relation of a comparison whose sides change places.
func (r relation) mirrored() relation {
	for _, m := range relations() {
		if m.below == r.above && m.equal == r.equal && m.above == r.below {
			return m
		}
	}
	panic("check: a relation that has no mirror")
}
