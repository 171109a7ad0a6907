package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A glyphs is the set of signs that a text is drawn with.
type glyphs struct {
	levels                  string // from the lowest block to the highest
	barStart, bar, barEnd   rune   // an outage
	flap                    rune   // outages that come too fast to be told apart
	times, plusMinus, arrow string
	absent, ellipsis, micro string
	passed, failed          string // of checks
	then                    string // between a value before and after
	replay                  rune   // of dead letters
}

// unicodeGlyphs are in the fonts of all common terminals; asciiGlyphs are for the rest, and for logs.
func unicodeGlyphs() glyphs {
	return glyphs{"▁▂▃▄▅▆▇█", '╶', '─', '╴', '╌', "×", "±", "←", "–", "…", "µs", "✓", "✗", "→", '↻'}
}

func asciiGlyphs() glyphs {
	return glyphs{".:-=+*#@", '|', '-', '|', '~', "x", "+-", "<-", "-", "..", "us", "+", "x", "->", 'R'}
}

// A style turns texts into what this terminal can show.
type style struct {
	glyphs
	width        int
	ascii, color bool
}

// The width of a text is bounded on both sides: below, nothing can be laid out; above, no one reads.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 400
)

func newStyle(o TextOptions) style {
	s := style{glyphs: unicodeGlyphs(), width: defaultWidth, ascii: o.ASCII, color: o.Color}
	if o.ASCII {
		s.glyphs = asciiGlyphs()
	}
	if o.Width != 0 {
		s.width = min(max(o.Width, minWidth), maxWidth)
	}
	return s
}

// clean makes a text from outside safe to print: control and formatting characters, which can move the cursor or hide
// text, become a question mark, and so does what is not ASCII where only ASCII may be printed.
func (s style) clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case s.ascii && r >= utf8.RuneSelf, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp), r == utf8.RuneError:
			return '?'
		}
		return r
	}, text)
}

// columns returns the number of terminal columns of a text. It does not look at the locale: the same result prints the
// same text everywhere.
func columns(text string) int { return terminal().StringWidth(text) }

func terminal() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// shorten cuts a text to at most width columns and marks the cut.
func (s style) shorten(text string, width int) string {
	return terminal().Truncate(text, width, s.ellipsis)
}

// shortenAll cuts names to at most width columns so that different ones stay different: at the end, else in the middle,
// else with the name's number.
func (s style) shortenAll(names []string, width int) []string {
	for _, cut := range []func(string) string{
		func(name string) string { return s.shorten(name, width) },
		func(name string) string { return s.shortenMiddle(name, width) },
	} {
		short, seen := make([]string, len(names)), map[string]string{}
		clash := false
		for i, name := range names {
			short[i] = cut(name)
			full, ok := seen[short[i]]
			clash = clash || ok && full != name
			seen[short[i]] = name
		}
		if !clash {
			return short
		}
	}
	short := make([]string, len(names))
	for i, name := range names {
		number := strconv.Itoa(1 + slices.Index(names, name))
		short[i] = s.shorten(name, width-len(number)) + number
	}
	return short
}

// shortenMiddle cuts a text to at most width columns and keeps both of its ends.
func (s style) shortenMiddle(text string, width int) string {
	if columns(text) <= width {
		return text
	}
	back := (width - columns(s.ellipsis)) / 2
	cut := columns(text) - back
	return terminal().Truncate(text, width-back, s.ellipsis) + terminal().TruncateLeft(text, cut, "")
}

// pad fills a text with spaces up to width columns, on the left if right is set.
func pad(text string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-columns(text)))
	if right {
		return fill + text
	}
	return text + fill
}

// palette holds the colours of the policies, in the order and near to the tones of the pictures, among the 256 of a
// terminal. The eighth is the terminal's own.
func palette() [8]string {
	return [8]string{"38;5;166", "38;5;178", "38;5;32", "38;5;36", "38;5;175", "38;5;74", "38;5;227", "39"}
}

// tint colours a text as the policy of that index.
func (s style) tint(text string, policy int) string {
	p := palette()
	return s.paint(text, p[policy%len(p)])
}

// strong makes a heading stand out.
func (s style) strong(text string) string { return s.paint(text, "1") }

func (s style) paint(text, code string) string {
	if !s.color || strings.TrimSpace(text) == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%sm%s\x1b[0m", code, text)
}

// hard is a space at which no line is broken; it is printed as a plain one.
const hard = "\u00a0"

// together keeps the words of a text on one line.
func together(text string) string { return strings.ReplaceAll(text, " ", hard) }

// wrap breaks a text at spaces into lines of at most width columns; all but the first are indented. A word that is
// longer than a line is cut.
func (s style) wrap(text string, indent int) []string {
	var lines []string
	line := ""
	for i, word := range strings.Split(text, " ") {
		if i > 0 && columns(line)+1+columns(word) <= s.width {
			line += " " + word
			continue
		}
		if i > 0 {
			lines = append(lines, line)
			line = strings.Repeat(" ", indent)
		}
		for columns(line)+columns(word) > s.width {
			head := terminal().Truncate(word, s.width-columns(line), "")
			lines = append(lines, line+head)
			line, word = strings.Repeat(" ", indent), word[len(head):]
		}
		line += word
	}
	return append(lines, line)
}
