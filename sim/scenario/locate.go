package scenario

import (
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"herdsim/sim/diag"
)

// underlined is how many characters of a scalar are underlined at most.
const underlined = 1000

// A ruler finds where YAML nodes are written.
type ruler struct {
	src   *diag.Source
	shift int            // characters before the YAML on its first line
	lines map[int][]rune // lines that have been looked at
}

// line returns the characters of a line from a column, from 1.
func (r *ruler) line(pos diag.Pos) []rune {
	runes, known := r.lines[pos.Line]
	if !known {
		runes = []rune(r.src.Line(pos.Line))
		r.lines[pos.Line] = runes
	}
	return runes[min(pos.Col-1, len(runes)):]
}

// locate returns where a YAML node is written and how many characters to underline. YAML counts an anchor as part of the
// value behind it; it is skipped.
func (r *ruler) locate(y *yaml.Node) (diag.Pos, int) {
	pos := diag.Pos{Source: r.src, Line: max(1, y.Line), Col: max(1, y.Column)}
	if pos.Line == 1 {
		pos.Col += r.shift
	}
	if y.Kind == yaml.AliasNode {
		return pos, 1 + utf8.RuneCountInString(y.Value)
	}
	rest := r.line(pos)
	if y.Anchor != "" {
		after := 0
		for after < len(rest) && !unicode.IsSpace(rest[after]) {
			after++
		}
		for after < len(rest) && unicode.IsSpace(rest[after]) {
			after++
		}
		if after == len(rest) {
			return pos, 1 // the value follows on another line
		}
		pos.Col, rest = pos.Col+after, rest[after:]
	}
	if y.Kind != yaml.ScalarNode {
		return pos, 1
	}
	return pos, scalarLength(rest[:min(len(rest), underlined)], y)
}

// scalarLength returns how many characters of the line the scalar takes, 1 when it goes on in further lines.
func scalarLength(rest []rune, y *yaml.Node) int {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return quotedLength(rest)
	}
	n := 0
	for _, c := range y.Value {
		if n == len(rest) || rest[n] != c {
			return 1
		}
		n++
	}
	return max(1, n)
}

// quotedLength returns the characters from an opening quote to the closing one, or 1 when it is not on this line.
func quotedLength(rest []rune) int {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && rest[0] == '"':
			i++
		case rest[i] != rest[0]:
		case rest[0] == '\'' && i+1 < len(rest) && rest[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return 1
}
