// Package units reads the small languages of a scenario's scalars: durations, rates, fractions, whole numbers, sizes, booleans
// and names. What is read is exact or refused; nothing is rounded.
package units

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error says what is wrong with a text, and how to write it right when that can be guessed.
type Error struct {
	Message string // e.g. "duration `500` has no unit"
	Hint    string // e.g. "write `500ms` or `500s`"; may be empty
}

// Error returns the message with the hint behind it.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}

// shown is how many characters of a user's text a message repeats.
const shown = 60

// Quote puts text between backquotes for a message: long texts are cut, and characters that could move a terminal's cursor
// or hide themselves are replaced.
func Quote(text string) string {
	if utf8.RuneCountInString(text) > shown {
		text = string([]rune(text)[:shown]) + "…"
	}
	return "`" + strings.Map(visible, text) + "`"
}

// visible returns r, or the replacement character when r does not print.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}

// digits returns the length of the run of ASCII digits that text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// padded reports whether a run of digits begins with a zero that says nothing, as octal numbers do.
func padded(run string) bool { return len(run) > 1 && run[0] == '0' }
