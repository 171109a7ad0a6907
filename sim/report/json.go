package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"herdsim/sim/result"
)

// JSON writes the result as indented JSON, keys in the order of their declaration. What fits a line stays on one, and so
// does every list of plain values: a metric or a series reads as a row. The same result gives the same bytes.
func JSON(w io.Writer, r *result.Result) error {
	return writeJSON(w, r)
}

// writeJSON writes any value in that layout.
func writeJSON(w io.Writer, v any) error {
	var compact bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	l := layout{src: bytes.TrimRight(compact.Bytes(), "\n")}
	l.measure()
	l.value(0)
	l.out.WriteByte('\n')
	_, err := w.Write(l.out.Bytes())
	return err
}

// lineLength is the length up to which an object or a nested list is kept on one line.
const lineLength = 160

// A layout breaks compact JSON into lines.
type layout struct {
	src    []byte
	spans  []span // the containers, in the order in which they open
	next   int    // the span of the next container
	indent int
	out    bytes.Buffer
}

// A span is one container of the source.
type span struct {
	end  int  // just after its closing bracket
	flat bool // to be written on one line
}

// measure finds where each container ends and whether it is written on one line.
func (l *layout) measure() {
	type open struct {
		index, start int
		plain        bool // a list of plain values
	}
	var stack []open
	for i := 0; i < len(l.src); i++ {
		switch c := l.src[i]; c {
		case '"':
			i = l.stringEnd(i) - 1
		case '{', '[':
			if n := len(stack); n > 0 {
				stack[n-1].plain = false
			}
			stack = append(stack, open{len(l.spans), i, c == '['})
			l.spans = append(l.spans, span{})
		case '}', ']':
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			l.spans[top.index] = span{i + 1, top.plain || i-top.start < lineLength}
		}
	}
}

// stringEnd returns the position after the string that opens at i.
func (l *layout) stringEnd(i int) int {
	for i++; l.src[i] != '"'; i++ {
		if l.src[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// value writes the value at i and returns the position after it.
func (l *layout) value(i int) int {
	switch l.src[i] {
	case '{', '[':
		s := l.spans[l.next]
		if s.flat {
			l.flat(i, s.end)
		} else {
			l.broken(i, s.end)
		}
		return s.end
	case '"':
		end := l.stringEnd(i)
		l.out.Write(l.src[i:end])
		return end
	}
	end := i
	for end < len(l.src) && bytes.IndexByte([]byte(",]}"), l.src[end]) < 0 {
		end++
	}
	l.out.Write(l.src[i:end])
	return end
}

// flat writes the container at [i, end) on one line.
func (l *layout) flat(i, end int) {
	for i < end {
		switch c := l.src[i]; c {
		case '"':
			stop := l.stringEnd(i)
			l.out.Write(l.src[i:stop])
			i = stop
			continue
		case ',', ':':
			l.out.WriteByte(c)
			l.out.WriteByte(' ')
		case '{', '[':
			l.next++
			l.out.WriteByte(c)
		default:
			l.out.WriteByte(c)
		}
		i++
	}
}

// broken writes the container at [i, end) with one line for each of its members.
func (l *layout) broken(i, end int) {
	l.next++
	object := l.src[i] == '{'
	l.out.WriteByte(l.src[i])
	l.indent++
	for i++; i < end; i++ { // i is at a member; after it, at a comma or at the bracket
		l.line()
		if object {
			stop := l.stringEnd(i)
			l.out.Write(l.src[i:stop])
			l.out.WriteString(": ")
			i = stop + 1
		}
		i = l.value(i)
		if l.src[i] == ',' {
			l.out.WriteByte(',')
		}
	}
	l.indent--
	l.line()
	l.out.WriteByte(l.src[end-1])
}

func (l *layout) line() {
	l.out.WriteByte('\n')
	for range l.indent {
		l.out.WriteString("  ")
	}
}
