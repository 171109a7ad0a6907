// Package diag holds what is to be said about a text that a person wrote: where, what is wrong, and how to write it right.
// A List prints the way a compiler's complaints do, with the line and a caret under the place.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Severity says whether the text can be used all the same.
type Severity uint8

// Severities. A text with an error cannot be used.
const (
	Error Severity = iota
	Warning
)

// String returns the word that begins the diagnostic.
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Source is a text with a name: a file, or an argument of the command line.
type Source struct {
	name  string
	lines []string
}

// breaks turns every line break of YAML into one.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// NewSource returns a source of the given text. The name is printed as it is.
func NewSource(name string, text []byte) *Source {
	return &Source{name, strings.Split(breaks.Replace(strings.ToValidUTF8(string(text), "\ufffd")), "\n")}
}

// Name returns the name.
func (s *Source) Name() string { return s.name }

// Line returns the n-th line, from 1, without its end; a line that does not exist is empty.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// A Pos is a place in a source. Line and Col count from 1; Col counts characters. The zero Pos is nowhere.
type Pos struct {
	Source    *Source
	Line, Col int
}

// String returns name:line:col, or nothing for the zero Pos.
func (p Pos) String() string {
	if p.Source == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.Source.name, p.Line, p.Col)
}

// A Diagnostic is one thing to say about a place.
type Diagnostic struct {
	Severity Severity
	Message  string   // one line, lower case
	Pos      Pos      // the zero Pos prints neither place nor line
	Length   int      // characters to underline; 0 prints no line, only the place
	Label    string   // behind the carets, e.g. "did you mean `max_attempts`?"
	Notes    []string // behind `= `; further lines of a note are indented by 5 and otherwise left as they are
}

// A List is every diagnostic about one text.
type List []Diagnostic

// HasErrors reports whether any of them is an error.
func (l List) HasErrors() bool { return l.Count(Error) > 0 }

// Count returns how many have the severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Sort orders the list by place, a source's places together in the order in which the sources were first met.
func (l List) Sort() {
	rank := map[*Source]int{}
	for _, d := range l {
		if _, known := rank[d.Pos.Source]; !known {
			rank[d.Pos.Source] = len(rank)
		}
	}
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(rank[a.Pos.Source], rank[b.Pos.Source]),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
		)
	})
}
