package scenario

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"herdsim/sim/diag"
)

// judgeText checks that bytes are text that YAML may hold, before any parser sees them. It returns the text without a byte
// order mark.
func (p *problems) judgeText(src *diag.Source, data []byte) ([]byte, bool) {
	start := &node{pos: diag.Pos{Source: src, Line: 1, Col: 1}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxBytes:
		p.conflict(start, fmt.Sprintf("the text has %d bytes: the most are %d", len(data), maxBytes))
	case len(bytes.TrimSpace(data)) == 0:
		p.conflict(start, "the text is empty", "the smallest scenario has version, cohorts and policies")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}), bytes.IndexByte(data[:min(4, len(data))], 0) >= 0:
		p.conflict(start, "the text is in UTF-16 or UTF-32", "write it in UTF-8")
	default:
		at := unreadable(data)
		if at == len(data) {
			return data, true
		}
		p.conflict(&node{pos: placeOf(src, data, at)}, describeByte(data[at:]), "write plain text in UTF-8")
	}
	return nil, false
}

// unreadable returns the offset of the first byte that is not UTF-8 or that YAML does not allow, or len(data).
func unreadable(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1,
			r < ' ' && r != '\t' && r != '\n' && r != '\r',
			r >= 0x7f && r < 0xa0 && r != 0x85,
			r == 0xfeff, r == 0xfffe, r == 0xffff:
			return i
		}
		i += size
	}
	return len(data)
}

func describeByte(data []byte) string {
	if r, size := utf8.DecodeRune(data); r != utf8.RuneError || size > 1 {
		return fmt.Sprintf("the character U+%04X is not allowed in YAML", r)
	}
	return fmt.Sprintf("the byte 0x%02x is not UTF-8", data[0])
}

// placeOf returns the place of a byte.
func placeOf(src *diag.Source, data []byte, offset int) diag.Pos {
	line, col := 1, 1
	before := string(data[:offset])
	for i, r := range before {
		switch {
		case r == '\r' && i+1 < len(data) && data[i+1] == '\n':
		case r == '\n', r == '\r', r == 0x85, r == 0x2028, r == 0x2029:
			line, col = line+1, 1
		default:
			col++
		}
	}
	return diag.Pos{Source: src, Line: line, Col: col}
}
