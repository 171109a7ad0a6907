package report

import (
	"slices"
	"strings"
)

// A field is one column of a table: what heads it and one cell for each row.
type field struct {
	head  string
	short string // the head in two lines, divided by a line feed, where the table has to be narrow; empty: as head
	left  bool   // aligned to the left: it names the row
	most  int    // columns that a cell may take in a grid, longer ones are shortened; 0: any number
	cells []string
}

// heads returns the one or two lines of a field's head.
func (f field) heads(short bool) (upper, lower string) {
	if short && f.short != "" {
		upper, lower, _ = strings.Cut(f.short, "\n")
		return upper, lower
	}
	return "", f.head
}

func (f field) width(short bool) int {
	upper, lower := f.heads(short)
	w := max(columns(upper), columns(lower))
	for _, c := range f.cells {
		w = max(w, columns(c))
	}
	if f.most > 0 {
		return min(w, max(f.most, columns(f.head)))
	}
	return w
}

// A table is a list of rows with the same fields.
type table struct {
	style
	fields  []field
	policy  []int    // for each row the index of its policy, for its colour; nil: none
	remarks []string // for each row a text after it; nil: none
}

// total returns the columns that the fields take, with such heads and such gaps between them.
func total(fields []field, short bool, gap int) int {
	sum := -gap
	for _, f := range fields {
		sum += gap + f.width(short)
	}
	return sum
}

func (tb *table) fits(short bool, gap int) bool { return total(tb.fields, short, gap) <= tb.width }

// write adds the table to a text in the widest form that fits: heads in one line, heads in two lines, several grids one
// below the other, and at last one record of lines for each row.
func (tb *table) write(t *text) {
	for _, short := range []bool{false, true} {
		for _, gap := range []int{3, 2} {
			if tb.fits(short, gap) {
				inline := tb.remarksFit(short, gap)
				tb.grid(t, tb.fields, layoutOf{short, gap, inline})
				if !inline {
					tb.remarksBelow(t)
				}
				return
			}
		}
	}
	if parts := tb.split(); parts != nil {
		for i, fields := range parts {
			if i > 0 {
				t.line("")
			}
			tb.grid(t, fields, layoutOf{short: true, gap: 2})
		}
	} else {
		tb.records(t)
	}
	tb.remarksBelow(t)
}

func (tb *table) remarksFit(short bool, gap int) bool {
	room := tb.width - total(tb.fields, short, gap) - gap
	return !slices.ContainsFunc(tb.remarks, func(r string) bool { return columns(r) > room })
}

// split deals the fields out to grids that fit, each with the names of the rows; nil if a name leaves no room for a cell.
func (tb *table) split() [][]field {
	var names, rest []field
	for _, f := range tb.fields {
		if f.left {
			names = append(names, f)
		} else {
			rest = append(rest, f)
		}
	}
	var parts [][]field
	part := names
	for _, f := range rest {
		if len(part) > len(names) && total(append(part[:len(part):len(part)], f), true, 2) > tb.width {
			parts = append(parts, part)
			part = names
		}
		part = append(part[:len(part):len(part)], f)
		if total(part, true, 2) > tb.width {
			return nil
		}
	}
	return append(parts, part)
}

// A layoutOf a grid says how it is set.
type layoutOf struct {
	short   bool // heads in two lines
	gap     int  // columns between fields
	remarks bool // remarks at the end of the rows
}

// grid writes one line for each row.
func (tb *table) grid(t *text, fields []field, o layoutOf) {
	cells, widths := make([][]string, len(fields)), make([]int, len(fields))
	for k, f := range fields {
		cells[k], widths[k] = f.cells, f.width(o.short)
		if f.most > 0 {
			cells[k] = tb.shortenAll(f.cells, widths[k])
		}
	}
	line := func(cell func(k int) string) string {
		var parts []string
		for k, f := range fields {
			parts = append(parts, pad(tb.shorten(cell(k), widths[k]), widths[k], !f.left))
		}
		return strings.TrimRight(strings.Join(parts, strings.Repeat(" ", o.gap)), " ")
	}
	for _, head := range []string{
		line(func(k int) string { upper, _ := fields[k].heads(o.short); return upper }),
		line(func(k int) string { _, lower := fields[k].heads(o.short); return lower }),
	} {
		if head != "" {
			t.line(t.strong(head))
		}
	}
	for i := range fields[0].cells {
		s := line(func(k int) string { return cells[k][i] })
		if o.remarks && tb.remarks != nil && tb.remarks[i] != "" {
			s += strings.Repeat(" ", o.gap) + tb.remarks[i]
		}
		t.line(tb.colored(s, i))
	}
}

func (tb *table) colored(s string, row int) string {
	if tb.policy == nil {
		return s
	}
	return tb.tint(s, tb.policy[row])
}

// remarksBelow writes each remark with the name of its row.
func (tb *table) remarksBelow(t *text) {
	for i, r := range tb.remarks {
		if r != "" {
			t.wrapped(strings.TrimSpace(strings.TrimPrefix(r, tb.arrow))+": "+tb.name(i), 2)
		}
	}
}

// name returns the last of the row's left-aligned cells: the policy.
func (tb *table) name(row int) string {
	name := ""
	for _, f := range tb.fields {
		if f.left {
			name = f.cells[row]
		}
	}
	return name
}

// records writes each row as a heading of its left-aligned cells and a line for each other one.
func (tb *table) records(t *text) {
	widest := 0
	for _, f := range tb.fields {
		if !f.left {
			widest = max(widest, columns(f.head))
		}
	}
	widest = min(widest, tb.width/2)
	for i := range tb.fields[0].cells {
		var head []string
		for _, f := range tb.fields {
			if f.left && f.cells[i] != "" {
				head = append(head, f.cells[i])
			}
		}
		for _, l := range tb.wrap(strings.Join(head, "  "), 2) {
			t.line(tb.colored(l, i))
		}
		for _, f := range tb.fields {
			if !f.left && f.cells[i] != "" {
				t.wrapped("  "+together(pad(strings.ToLower(f.head), widest, false))+hard+" "+together(f.cells[i]), 4)
			}
		}
	}
}
