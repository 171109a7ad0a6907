package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// manual is the manual page: what help says of every command, as man(7) source. It carries no date, so that one version has
// one page.
func manual() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH HERDSIM 1 \"\" \"herdsim %s\" \"User Commands\"\n", roff(version()))
	b.WriteString(".SH NAME\nherdsim \\- simulate how job retry policies behave when a service fails\n")
	b.WriteString(".SH SYNOPSIS\n.B herdsim\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n")
	for _, c := range commands() {
		c.manual(&b)
	}
	b.WriteString(".SH \"EXIT STATUS\"\n")
	for _, e := range exitMeanings() {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s.\n", e.code, roff(e.text))
	}
	b.WriteString(".SH EXAMPLES\n.EX\nherdsim run @outage\\-herd\nherdsim init > queue.yaml\nherdsim check queue.yaml\n.EE\n")
	return b.Bytes()
}

// manual writes the section of a command.
func (c command) manual(b *bytes.Buffer) {
	flags, _ := c.prepare(new(app))
	fmt.Fprintf(b, ".SS %s\n", roff(c.usage(flags)))
	sentence := strings.ToUpper(c.summary[:1]) + c.summary[1:] + "."
	b.WriteString(roff(sentence) + "\n")
	for _, paragraph := range strings.Split(c.details, "\n\n") {
		switch {
		case paragraph == "":
		case shaped(paragraph):
			b.WriteString(".PP\n.EX\n" + roff(paragraph) + "\n.EE\n")
		default:
			b.WriteString(".PP\n" + roff(paragraph) + "\n")
		}
	}
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "\\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			name = "\\-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR", name)
		if f.NoOptDefVal == "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
		}
		b.WriteString("\n" + roff(usage) + "\n")
	})
}

var shapedLine = regexp.MustCompile(`(?m)^( |\w+: )`)

// shaped reports whether the line breaks of a paragraph matter: it is a list, a table or an example.
func shaped(paragraph string) bool { return shapedLine.MatchString(paragraph) }

// roff makes a text safe for troff: what it would read as a command or a letter of its own, and all that is not ASCII.
func roff(text string) string {
	var b strings.Builder
	start := true // of a line
	for _, r := range text {
		if start && (r == '.' || r == '\'') {
			b.WriteString(`\&`)
		}
		start = r == '\n'
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '"':
			b.WriteString(`\(dq`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
