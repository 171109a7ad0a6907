package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Options say how a list is printed.
type Options struct {
	Color   bool // with the escapes of ANSI terminals
	Width   int  // cells that a line of the source may take; 0 means 100
	Concise bool // one line each, as tools read them, and no total
	NoTotal bool
}

// Styles of ANSI terminals.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
	bold   = "\x1b[1m"
	plain  = "\x1b[0m"
)

// defaultWidth is the room for a source line when Options name none.
const defaultWidth = 100

// Render prints every diagnostic, blank lines between them, and last how many there are of each severity, or in the way that
// the options say. An empty list prints nothing.
func (l List) Render(w io.Writer, o Options) error {
	if len(l) == 0 {
		return nil
	}
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	var b strings.Builder
	for _, d := range l {
		if o.Concise {
			b.WriteString(d.concise() + "\n")
			continue
		}
		d.render(&b, o)
		b.WriteByte('\n')
	}
	if !o.Concise && !o.NoTotal {
		b.WriteString(l.total() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// total returns e.g. "3 errors, 1 warning".
func (l List) total() string {
	var parts []string
	for _, s := range []Severity{Error, Warning} {
		switch n := l.Count(s); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+s.String())
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

// concise returns the diagnostic on one line, without its notes: `file:line:col: error: what is wrong: what to write`.
func (d Diagnostic) concise() string {
	line := d.Severity.String() + ": " + d.Message
	if d.Pos.Source != nil {
		line = d.Pos.String() + ": " + line
	}
	if d.Label != "" {
		line += ": " + d.Label
	}
	return clean(strings.ReplaceAll(line, "\n", " "))
}

func (d Diagnostic) render(b *strings.Builder, o Options) {
	color := red
	if d.Severity == Warning {
		color = yellow
	}
	paint := func(style, text string) string {
		if !o.Color {
			return text
		}
		return style + text + plain
	}
	number := strconv.Itoa(d.Pos.Line)
	gutter := strings.Repeat(" ", max(2, len(number)))
	fmt.Fprintf(b, "%s%s\n", paint(color, d.Severity.String()), paint(bold, ": "+clean(d.Message)))
	if d.Pos.Source != nil {
		fmt.Fprintf(b, "%s%s %s\n", gutter, paint(blue, "-->"), clean(d.Pos.String()))
		if d.Length > 0 {
			col := d.Pos.Col - 1
			text, carets := newSnippet(d.Pos.Source.Line(d.Pos.Line), col, o.Width).lines(col, d.Length, o.Width)
			bar := paint(blue, "|")
			fmt.Fprintf(b, "%s %s\n", gutter, bar)
			fmt.Fprintf(b, "%s %s%s\n", paint(blue, fmt.Sprintf("%*s", len(gutter), number)), bar, behind(text))
			fmt.Fprintf(b, "%s %s %s\n", gutter, bar, paint(color, carets+behind(clean(d.Label))))
		}
	}
	for _, note := range d.Notes {
		note = strings.ReplaceAll(clean(note), "\n", "\n  "+gutter+" ")
		fmt.Fprintf(b, "%s %s %s\n", gutter, paint(blue, "="), note)
	}
}

// behind returns a space and the text, or nothing for no text: no printed line ends in a space.
func behind(text string) string {
	if text = strings.TrimRight(text, " "); text == "" {
		return ""
	}
	return " " + text
}
