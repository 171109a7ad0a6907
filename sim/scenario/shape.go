package scenario

import (
	"math/bits"
	"strings"

	"herdsim/sim/units"
)

// A kind is what a value of the format looks like.
type kind uint8

const (
	durationKind kind = iota
	rateKind
	fractionKind
	integerKind
	signedKind // a whole number that may be negative; its bound is one of size
	booleanKind
	textKind
	nameKind
	sizeKind   // in bytes
	recordKind // a map of known fields
	namesKind  // a map of names that the user chooses
	listKind
	choiceKind // one of several forms
	treeKind   // left to whoever knows it
	matrixKind // paths and lists of values
)

// A shape describes the values that a field may have. Shapes are made once, when the program starts.
type shape struct {
	kind   kind
	bounds bounds   // of a number
	fields []field  // of a record; of a choice: a map with exactly one of them
	item   *shape   // of a list and of names
	length int      // of a list; 0 for any but none
	noun   string   // of names: what one is called
	words  []word   // of a choice
	plain  *shape   // of a choice: a scalar that is none of the words, or a list
	form   *shape   // of a choice: a record
	kinds  []string // of a record that has one of these fields: a part that has another takes its place
	whole  *shape   // of a part: what it is a part of
}

// A word is a plain value of a choice.
type word struct {
	text string
}

// A field is one row of the format: what the walker accepts, and what the reference says.
type field struct {
	name     string
	shape    *shape
	def      string // the value that leaving it out stands for; "" when that is no value (doc then says what it means)
	doc      string // one line
	required bool
}

// empty is the default of a record that stands for the defaults of its fields.
const empty = "{}"

// Bounds of a number, in the number's own notation; "" for none.
type bounds struct{ least, above, most string }

// fieldNamed returns the field of a name, or nil.
func fieldNamed(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// fieldNames returns the names of the fields.
func fieldNames(fields []field) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// describe says in words what a value of the shape is: "a duration above 0s".
func (s *shape) describe() string {
	switch s.kind {
	case recordKind:
		return "a map"
	case namesKind:
		return "a map of names"
	case listKind:
		return s.describeList()
	case choiceKind:
		return s.describeChoice()
	case treeKind:
		return "any value"
	case matrixKind:
		return "a map of paths and lists"
	case signedKind:
		return "a whole number from -" + s.bounds.most + " to " + s.bounds.most
	}
	text := [...]string{
		durationKind: "a duration", rateKind: "a rate", fractionKind: "a number", integerKind: "a whole number",
		booleanKind: "`true` or `false`", textKind: "a text", nameKind: "a name", sizeKind: "a size in bytes",
	}[s.kind]
	return text + s.bounds.describe()
}

func (s *shape) describeList() string {
	count := ""
	if s.length > 0 {
		count = " of " + [...]string{"", "one", "two"}[s.length]
	}
	return "a list" + count + " (each " + s.item.describe() + ")"
}

// describeChoice names the forms.
func (s *shape) describeChoice() string {
	var parts []string
	for _, w := range s.words {
		parts = append(parts, "`"+w.text+"`")
	}
	if s.plain != nil {
		parts = append(parts, s.plain.describe())
	}
	if s.form != nil {
		parts = append(parts, "a map")
	}
	switch names := fieldNames(s.fields); len(names) {
	case 0:
	case 1:
		parts = append(parts, "a map with `"+names[0]+"`")
	default:
		parts = append(parts, "a map with one of `"+strings.Join(names, "`, `")+"`")
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " or " + parts[last]
}

func (b bounds) describe() string {
	switch {
	case b.least != "" && b.most != "":
		return " from " + b.least + " to " + b.most
	case b.above != "" && b.most != "":
		return " above " + b.above + " and at most " + b.most
	case b.least != "":
		return " from " + b.least
	case b.above != "":
		return " above " + b.above
	case b.most != "":
		return " of at most " + b.most
	}
	return ""
}

// A quantity is an exact number: nanoseconds of a duration, a whole number, bytes, a fraction, happenings per nanosecond of a rate.
type quantity struct{ num, den uint64 }

// compare returns -1, 0 or 1 as a is less than, equal to or more than b.
func (a quantity) compare(b quantity) int {
	ahi, alo := bits.Mul64(a.num, b.den)
	bhi, blo := bits.Mul64(b.num, a.den)
	switch {
	case ahi == bhi && alo == blo:
		return 0
	case ahi < bhi || ahi == bhi && alo < blo:
		return -1
	}
	return 1
}

// quantityOf reads a number of the kind.
func quantityOf(k kind, text string) (quantity, error) {
	switch k {
	case durationKind:
		d, err := units.Duration(text)
		return quantity{uint64(d), 1}, err
	case rateKind:
		r, err := units.Rate(text)
		return quantity{uint64(r.Count), max(1, uint64(r.Per))}, err
	case sizeKind:
		n, err := units.Size(text)
		return quantity{n, 1}, err
	case fractionKind:
		num, den, err := units.Fraction(text)
		return quantity{num, max(1, den)}, err
	}
	n, err := units.Integer(text)
	return quantity{n, 1}, err
}

// broken returns what a number would have to be, or nothing when it is within the bounds.
func (b bounds) broken(k kind, q quantity) string {
	compare := func(bound string) int {
		limit, err := quantityOf(k, bound)
		if err != nil {
			panic("scenario: bad bound in the field table: " + err.Error())
		}
		return q.compare(limit)
	}
	switch {
	case b.least != "" && compare(b.least) < 0:
		return "at least " + b.least
	case b.above != "" && compare(b.above) <= 0:
		return "above " + b.above
	case b.most != "" && compare(b.most) > 0:
		return "at most " + b.most
	}
	return ""
}
