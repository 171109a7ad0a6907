package check

import (
	"strings"
	"unicode/utf8"

	"herdsim/sim/units"
)

// An extent is text[from:to].
type extent struct{ from, to int }

// A token is a word, a number with its unit, or a sign.
type token struct {
	class class
	at    extent
	text  string
}

type class uint8

const (
	end class = iota
	sign
	word
	literal // begins with a digit
)

// signLength returns the length of the sign that a text begins with, 0 for none. `<>` is none, although `<` is one.
func signLength(text string) int {
	if strings.HasPrefix(text, "<>") {
		return 0
	}
	if r, ok := relationAt(text); ok {
		return len(r.sign)
	}
	if strings.IndexByte("+-*/()", text[0]) >= 0 {
		return 1
	}
	return 0
}

// keywords are the words that name nothing.
func keywords() []string { return []string{"and", "or", "not"} }

// misspelt holds signs of other languages, longer ones first, and what to write.
func misspelt() [][2]string {
	return [][2]string{
		{"&&", "and"},
		{"||", "or"},
		{"=<", "<="},
		{"=>", ">="},
		{"<>", "!="},
		{"≤", "<="},
		{"≥", ">="},
		{"≠", "!="},
		{"×", "*"},
		{"·", "*"},
		{"÷", "/"},
		{"−", "-"},
		{"&", "and"},
		{"|", "or"},
		{"!", "not"},
		{"=", "=="},
	}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// A lexer yields the tokens of a text. An argument list is not its business: the parser takes it whole.
type lexer struct {
	*failure
	text string
	at   int
}

// next returns the next token.
func (l *lexer) next() token {
	rest := strings.TrimLeft(l.text[l.at:], " \t\r\n")
	l.at = len(l.text) - len(rest)
	switch {
	case rest == "":
		return l.take(end, 0)
	case isLetter(rest[0]):
		return l.take(word, wordLength(rest))
	case isDigit(rest[0]), rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.take(literal, literalLength(rest))
	}
	if n := signLength(rest); n > 0 {
		if rest[:n] == "-" {
			l.spaced()
		}
		return l.take(sign, n)
	}
	for _, m := range misspelt() {
		if strings.HasPrefix(rest, m[0]) {
			l.fail(extent{l.at, l.at + len(m[0])}, units.Quote(m[0])+" is not a sign of this language", "write `"+m[1]+"`")
			return l.take(end, 0)
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.fail(extent{l.at, l.at + size}, units.Quote(rest[:size])+" means nothing here", "")
	return l.take(end, 0)
}

func (l *lexer) take(c class, length int) token {
	t := token{c, extent{l.at, l.at + length}, l.text[l.at : l.at+length]}
	l.at += length
	return t
}

// spaced checks that the minus at hand stands free: names may hold one.
func (l *lexer) spaced() {
	before := l.at > 0 && strings.ContainsRune(" \t\r\n", rune(l.text[l.at-1]))
	after := l.at+1 < len(l.text) && strings.ContainsRune(" \t\r\n", rune(l.text[l.at+1]))
	if !before || !after {
		l.fail(extent{l.at, l.at + 1}, "a minus needs a space on both sides", "write ` - `")
	}
}

// wordLength returns the length of the name that a text begins with: letters, digits, `_`, and where it goes on, `.` and `-`.
func wordLength(text string) int {
	goesOn := func(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }
	n := 0
	for n < len(text) {
		c, next := text[n], byte(' ')
		if n+1 < len(text) {
			next = text[n+1]
		}
		if !goesOn(c) && (c != '.' || !goesOn(next)) && (c != '-' || !goesOn(next) && next != '-' && next != '.') {
			return n
		}
		n++
	}
	return n
}

// literalLength returns the length of the number that a text begins with, with its unit: `25%`, `1h30m`, `50/s`. A slash is
// part of it when what follows reads as a span of time: a count in a time is a rate either way.
func literalLength(text string) int {
	n := numberLength(text)
	if n == len(text) || text[n] != '/' {
		return n
	}
	per := numberLength(text[n+1:])
	if per == 0 || n+1+per < len(text) && strings.IndexByte("(-.", text[n+1+per]) >= 0 {
		return n
	}
	all := text[:n+1+per]
	if _, err := units.Rate(all); err == nil || isLetter(text[n+1]) && !strings.Contains(text[n+1:n+1+per], ".") {
		return len(all)
	}
	return n
}

func numberLength(text string) int {
	n := 0
	for n < len(text) && (isDigit(text[n]) || isLetter(text[n]) || strings.IndexByte("._%", text[n]) >= 0 || text[n] >= utf8.RuneSelf) {
		n++
	}
	return n
}
