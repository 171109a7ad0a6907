package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// tab is the distance between tab stops in a printed line.
const tab = 4

// widths measures characters the same way whatever the terminal's locale says.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// reach is how many times the room for a line is looked at on both sides of the place: a line may be a megabyte long.
const reach = 4

// A snippet is a part of a line prepared for printing: one string per character, and its width in cells.
type snippet struct {
	text  []string
	cells []int
	start int  // characters of the line before the part
	more  bool // the line goes on behind the part
}

// newSnippet takes the part of a line around a character (from 0), spreads tabs and replaces what does not print.
func newSnippet(line string, col, room int) snippet {
	s := snippet{start: max(0, min(col, utf8.RuneCountInString(line))-reach*room)}
	at, n := 0, 0
	for _, r := range line {
		if n++; n <= s.start {
			continue
		}
		if len(s.text) >= 2*reach*room {
			s.more = true
			break
		}
		text, width := printable(r), 0
		if r == '\t' {
			width = tab - at%tab
			text = strings.Repeat(" ", width)
		} else {
			width = widths.RuneWidth(r)
			if text != string(r) {
				width = 1
			}
		}
		s.text, s.cells, at = append(s.text, text), append(s.cells, width), at+width
	}
	return s
}

// printable returns the character, or the replacement character for one that would not show or would move the cursor.
func printable(r rune) string {
	if unicode.IsPrint(r) {
		return string(r)
	}
	return string(utf8.RuneError)
}

// clean makes a text of one or more lines safe to print.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, text)
}

// width returns how many cells the characters [from, to) take.
func (s snippet) width(from, to int) int {
	sum := 0
	for _, w := range s.cells[min(from, len(s.cells)):min(to, len(s.cells))] {
		sum += w
	}
	return sum
}

// cut chooses the characters [from, to) to print so that they fit the room in cells, those at col and a little before it
// among them.
func (s snippet) cut(col, room int) (from, to int) {
	if s.width(0, len(s.text)) <= room {
		return 0, len(s.text)
	}
	from = min(col, len(s.text))
	for from > 0 && s.width(from-1, col) <= room/3 {
		from--
	}
	to = from
	for to < len(s.text) && s.width(from, to+1) <= room {
		to++
	}
	for from > 0 && s.width(from-1, to) <= room {
		from--
	}
	return from, to
}

// lines returns the printed line and the carets under length characters from col (both from 0), within the room.
func (s snippet) lines(col, length, room int) (text, carets string) {
	col = min(col-s.start, len(s.text))
	from, to := s.cut(col, room)
	text = strings.Join(s.text[from:to], "")
	indent := s.width(from, col)
	if s.start+from > 0 {
		text, indent = "…"+text, indent+1
	}
	if s.more || to < len(s.text) {
		text += "…"
	}
	under := max(1, s.width(col, min(col+length, to)))
	return text, strings.Repeat(" ", indent) + strings.Repeat("^", under)
}
