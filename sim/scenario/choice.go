package scenario

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// choice checks a value that has several forms.
func (w walker) choice(s *shape, n *node, at spot, v *value) {
	switch {
	case n.kind == scalarNode:
		w.plainChoice(s, n, at, v)
	case n.kind == mapNode && len(s.fields) > 0:
		w.oneOf(s, n, at, v)
	case n.kind == mapNode && s.form != nil:
		w.record(s.form, n, at, v)
	case n.kind == listNode && s.plain != nil && s.plain.kind == listKind:
		v.arg = w.walk(s.plain, n, at)
	default:
		w.mismatch(s, n, at)
	}
}

// plainChoice checks a scalar: one of the words, or what else may stand there.
func (w walker) plainChoice(s *shape, n *node, at spot, v *value) {
	var names []string
	for _, known := range s.words {
		if known.text == n.text {
			v.word = known.text
			return
		}
		names = append(names, known.text)
	}
	f := fieldNamed(s.fields, n.text)
	near, likely := diag.Nearest(n.text, names)
	switch {
	case f != nil:
		w.fail(n, at.name+" `"+f.name+"` needs an argument", "write `{"+f.name+": …}`: "+f.doc)
	case likely:
		w.fail(n, at.name+" must be "+s.describe()+", found "+n.shown(), "did you mean `"+near+"`?")
	case s.plain != nil && s.plain.kind < recordKind:
		v.arg = w.walk(s.plain, n, at)
	default:
		w.mismatch(s, n, at)
	}
}

// oneOf checks a map with exactly one key.
func (w walker) oneOf(s *shape, n *node, at spot, v *value) {
	if len(n.pairs) == 0 {
		w.mismatch(s, n, at)
	}
	known := 0
	for i := range n.pairs {
		p := &n.pairs[i]
		f := fieldNamed(s.fields, p.key.text)
		if f == nil && w.trap(s.fields, n, i) {
			continue
		}
		if f == nil {
			w.unknown(s.fields, n, i, at)
			continue
		}
		if known++; known > 1 {
			w.fail(p.key, fmt.Sprintf("%s has `%s` and `%s`", at.name, v.word, f.name), "choose one")
			continue
		}
		v.word = f.name
		v.arg = w.walk(f.shape, p.value, spot{"`" + f.name + "`", p.key})
	}
}

// scalar reads a single value.
func (w walker) scalar(s *shape, n *node, at spot, v *value) {
	var err error
	switch s.kind {
	case textKind:
		v.word = n.text
		return
	case nameKind:
		v.word, err = n.text, units.Name(n.text)
	case booleanKind:
		v.truth, err = units.Boolean(n.text)
	case signedKind:
		digits, minus := strings.CutPrefix(n.text, "-")
		v.minus = minus
		v.number, err = quantityOf(s.kind, digits)
	default:
		v.number, err = quantityOf(s.kind, n.text)
	}
	if err != nil {
		w.reject(n, err)
		return
	}
	if s.kind == rateKind {
		v.rate, _ = units.Rate(n.text)
	}
	if n.quoted && needsNoQuotes(s.kind, n.text) {
		w.fail(n, at.name+" must be "+s.describe()+", found a text in quotes", "write it without quotes")
		return
	}
	if wanted := s.bounds.broken(s.kind, v.number); wanted != "" && s.kind == signedKind {
		w.fail(n, at.name+" must be "+s.describe(), "")
	} else if wanted != "" {
		w.fail(n, at.name+" must be "+wanted, "")
	}
}

// needsNoQuotes reports whether quotes change a value into a text: numbers and booleans, but not what has a unit.
func needsNoQuotes(k kind, text string) bool {
	return k == integerKind || k == signedKind || k == booleanKind || k == fractionKind && !strings.HasSuffix(text, "%")
}

// oneLine checks a text that is printed on one line.
func (w walker) oneLine(v *value, limit int, what string) {
	switch {
	case strings.TrimSpace(v.word) == "":
		w.fail(v.at(), what+" is empty", "leave it out")
	case strings.IndexFunc(v.word, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0:
		w.fail(v.at(), what+" must be one line of plain characters", "")
	case utf8.RuneCountInString(v.word) > limit:
		w.fail(v.at(), fmt.Sprintf("%s has more than %d characters", what, limit), "")
	}
}
