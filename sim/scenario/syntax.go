package scenario

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

var (
	yamlError     = regexp.MustCompile(`(?s)^(?:yaml: )?(?:line (\d+): )?(.*)$`)
	keyTroubles   = regexp.MustCompile(`^(did not find expected ',' or|could not find expected ':'|mapping values are not allowed)`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// bisectable is how many bytes a text may have to be parsed again and again in search of a mistake.
const bisectable = 64 << 10

// syntaxProblem turns an error of the parser into a diagnostic about a line. The parser knows no columns.
func syntaxProblem(src *diag.Source, shift int, data []byte, err error) diag.Diagnostic {
	parts := yamlError.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(parts[1])
	d := diag.Diagnostic{Message: "this is not YAML: " + parts[2]}
	if at := longKey(data); at > 0 && keyTroubles.MatchString(parts[2]) {
		d.Message = "this is not YAML: a key has more than " + strconv.Itoa(maxKey) + " bytes"
		d.Pos, d.Length = underline(src, shift, at)
		return d
	}
	switch anchor := unknownAnchor.FindStringSubmatch(parts[2]); {
	case anchor != nil:
		d.Message = "alias " + units.Quote("*"+anchor[1]) + " stands for nothing: there is no anchor " + units.Quote("&"+anchor[1]) + " before it"
		line = lineWith(data, "*"+anchor[1])
	case strings.HasPrefix(parts[2], "did not find expected ',' or '"):
		// The parser counts from 0 here. It means the line of the opening bracket; when that is the first, where it gave up.
		if line++; line > 1+bytes.Count(bytes.TrimSpace(data), []byte("\n")) {
			line = 1
		}
		d.Message = "this is not YAML: a bracket is not closed, or a comma is missing"
	case line == 0 || strings.HasPrefix(parts[2], "did not find expected "):
		line = firstBadLine(data, parts[2]) // the parser means the line where the block begins, or names none
	}
	line = misplaced(src, parts[2], line)
	d.Pos, d.Length = underline(src, shift, max(1, line))
	if hint := syntaxHint(parts[2], src.Line(d.Pos.Line)); hint != "" {
		d.Notes = []string{hint}
	}
	return d
}

// misplaced returns the line that is wrong where the parser names one beside it.
func misplaced(src *diag.Source, message string, line int) int {
	switch {
	case strings.HasPrefix(message, "found a tab character"):
		for n := max(1, line); n <= line+1; n++ {
			if strings.Contains(indentOf(src.Line(n)), "\t") {
				return n
			}
		}
	case strings.HasPrefix(message, "found unexpected end of stream"):
		if !strings.ContainsAny(src.Line(line), `"'`) {
			return 1 // a quote that opens in the first line: the parser counts from 0 and takes that for no line
		}
	case strings.HasPrefix(message, "mapping values are not allowed"):
		before := line - 1
		for before > 0 && (strings.TrimSpace(src.Line(before)) == "" || strings.HasPrefix(strings.TrimSpace(src.Line(before)), "#")) {
			before--
		}
		if text := strings.TrimSpace(src.Line(before)); before > 0 && !strings.Contains(text+" ", ": ") && !strings.HasPrefix(text, "- ") {
			return before // it is no key, and this line goes on with it
		}
	}
	return line
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// maxKey is how many bytes YAML gives to a key that stands before its colon.
const maxKey = 1024

// longKey returns the first line with a key that is too long, or 0. It takes a text up to `: ` for a key where a line begins and,
// in the flow form, behind a bracket or a comma.
func longKey(data []byte) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		start, awaited := 0, true // of the key, once it has begun
		for at := 0; at < len(line); at++ {
			switch c := line[at]; {
			case c == '{' || c == '[' || c == ',':
				awaited, start = true, at+1
			case awaited && c != ' ':
				awaited, start = false, at
				if c == '"' || c == '\'' {
					at += 1 + max(0, bytes.IndexByte(line[at+1:], c))
				}
			case c == ':' && (at+1 == len(line) || bytes.IndexByte([]byte(" \t\r,]}"), line[at+1]) >= 0):
				if at-start > maxKey {
					return i + 1
				}
				start = len(line) // what follows is a value
			}
		}
	}
	return 0
}

// underline returns the place and length of what a line says.
func underline(src *diag.Source, shift, line int) (diag.Pos, int) {
	text := src.Line(line)
	if line == 1 {
		text = string([]rune(text)[shift:])
	} else {
		shift = 0
	}
	said := strings.TrimLeft(text, " \t")
	col := 1 + shift + utf8.RuneCountInString(text) - utf8.RuneCountInString(said)
	return diag.Pos{Source: src, Line: line, Col: col}, max(1, utf8.RuneCountInString(strings.TrimRight(said, " \t")))
}

// lineWith returns the first line that holds a text.
func lineWith(data []byte, text string) int {
	before, _, _ := bytes.Cut(data, []byte(text))
	return 1 + bytes.Count(before, []byte("\n"))
}

// firstBadLine returns the first line after which the parser complains in the same words.
func firstBadLine(data []byte, message string) int {
	if len(data) > bisectable {
		return 1
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	return 1 + sort.Search(len(lines)-1, func(last int) bool {
		_, err := documents(bytes.Join(lines[:last+1], nil))
		return err != nil && strings.HasSuffix(err.Error(), message)
	})
}

// syntaxHint says what is usually behind an error of the parser.
func syntaxHint(message, line string) string {
	switch {
	case strings.Contains(indentOf(line), "\t"):
		return "indent with spaces, not with tabs"
	case strings.HasPrefix(message, "found character that cannot start any token"):
		return "quote a text that begins with `@`, `%` or a backquote"
	case strings.HasPrefix(message, "mapping values are not allowed") && !strings.Contains(line+" ", ": "):
		return "a key is followed by `: ` and a value"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return "quote a text that holds `: `, or mend the indentation"
	case strings.HasPrefix(message, "could not find expected ':'"):
		return "a key is followed by `: ` and a value"
	case strings.HasPrefix(message, "found incompatible YAML document"), strings.HasPrefix(message, "found unknown directive name"):
		return "leave the line that begins with `%` out"
	case strings.HasPrefix(message, "did not find expected ',' or '"):
		return "inside `{…}` and `[…]`, quote a text that holds a comma or a bracket"
	case strings.HasPrefix(message, "did not find expected "):
		return "mend the indentation or the brackets of this line"
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return "a quote that opens here is not closed"
	case strings.HasPrefix(message, "block sequence entries are not allowed"):
		return "begin the list on a line of its own"
	}
	return ""
}
