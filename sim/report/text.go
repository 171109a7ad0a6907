// Package report turns a result into text, JSON and CSV. It looks at nothing but the result, so that a saved result
// reads like the run that made it.
package report

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// TextOptions say how a text looks. The zero value is the plain text of a terminal of 80 columns.
type TextOptions struct {
	Width   int  // columns; 0: 80; below 40 it counts as 40, above 400 as 400
	Color   bool // ANSI colours, one for each policy
	ASCII   bool // only bytes below 0x80
	Quiet   bool // the table of the comparison and nothing else
	Verbose bool // with every metric of every policy
}

// fullCases is the number of cases up to which each one gets a chart and a table of its own.
const fullCases = 3

// Text writes what a person wants to know of a result: what was run, the retries over time, one row of numbers for each
// policy with the meaning of each column, the metrics asked for, notes, and how to repeat the run. No line is wider than
// asked for, except for a command line that has no space to be broken at.
func Text(w io.Writer, r *result.Result, o TextOptions) error {
	t := &text{style: newStyle(o), result: r, quiet: o.Quiet}
	if !o.Quiet {
		t.head()
	}
	if len(r.Cases) > fullCases {
		t.overview()
	} else {
		for i := range r.Cases {
			t.oneCase(i)
		}
	}
	if !o.Quiet {
		t.legend(entriesOf(r.Cases))
		t.layers()
		t.asked()
		if o.Verbose {
			t.everything()
			t.allDifferences()
		}
		t.explainMarks()
		t.recovery()
		t.notes()
		t.checks()
		t.repeat()
	}
	_, err := w.Write(bytes.TrimLeft(t.out.Bytes(), "\n"))
	return err
}

// A text is a report in the making.
type text struct {
	style
	result *result.Result
	quiet  bool
	some   bool // a cell is marked as the mean of some replications, and the mark is not yet explained
	none   bool // a metric that the user asked for has no value, likewise

	clumps            []clumpedCell // cells that show two clumps
	told              int           // of them, those whose shares are told already
	fewest            int64         // jobs behind a cell that shows none of them; 0 when there is no such cell
	compared          bool          // differences to a baseline are shown
	clumpedDifference bool          // one of them is not, because replications fall in two clumps
	out               bytes.Buffer
}

// line adds a line without spaces at its end.
func (t *text) line(s string) {
	t.out.WriteString(strings.TrimRight(strings.ReplaceAll(s, hard, " "), " "))
	t.out.WriteByte('\n')
}

// wrapped adds a text in as many lines as it takes; all but the first are indented.
func (t *text) wrapped(s string, indent int) {
	for _, l := range t.wrap(s, indent) {
		t.line(l)
	}
}

// explainMarks says what the marks since the last time mean.
func (t *text) explainMarks() {
	t.shares()
	if t.none {
		t.wrapped(t.absent+" no value: nothing of the kind happened", 2)
	}
	if t.some {
		t.wrapped("* mean of the replications that have a value; in some, jobs were unfinished at the end or nothing of the kind happened", 2)
	}
	t.none, t.some = false, false
}

// titled adds a text that begins with a strong title.
func (t *text) titled(title, rest string) {
	mark := together(title)
	lines := t.wrap(mark+hard+" "+rest, 2)
	if after, ok := strings.CutPrefix(lines[0], mark); ok {
		lines[0] = t.strong(title) + after
	}
	for _, l := range lines {
		t.line(l)
	}
}

func (t *text) head() {
	r := t.result
	parts := []string{
		"seed " + strconv.FormatUint(r.Seed, 10),
		plural(r.Replications, "replication", "replications"),
	}
	if len(r.Cases) > 1 {
		parts = append(parts, plural(len(r.Cases), "case", "cases"))
	}
	if len(r.Cases) > 0 {
		parts = append(parts, plural(len(r.Cases[0].Policies), "policy", "policies"))
	}
	t.titled(t.clean(fileOf(r)), strings.Join(parts, ", "))
	if situations := t.situations(); len(situations) == 1 {
		t.wrapped(situations[0], 2)
	}
}

// fileOf returns the scenario's file as the user wrote it, or its name where there was no file.
func fileOf(r *result.Result) string {
	if r.Scenario.File != "" {
		return r.Scenario.File
	}
	return r.Scenario.Name
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return group(strconv.Itoa(n)) + " " + many
}

// runs yields neighbours that are alike, as long as they are.
func runs[T any](all []T, alike func(a, b *T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for i := 0; i < len(all); {
			n := i + 1
			for n < len(all) && alike(&all[i], &all[n]) {
				n++
			}
			if !yield(all[i:n]) {
				return
			}
			i = n
		}
	}
}

// situations returns what the cases put the policies into, each once.
func (t *text) situations() []string {
	var all []string
	for i := range t.result.Cases {
		if s := t.situation(&t.result.Cases[i]); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// situation describes the workload and the dependency in one sentence.
func (t *text) situation(c *result.Case) string {
	parts := []string{t.downtime(c.Outages)}
	switch {
	case c.Limit != "":
		parts = append(parts, "capacity"+hard+t.clean(c.Limit))
	case c.Capacity != nil:
		parts = append(parts, together("capacity "+group(sensible(c.Capacity.Float()))+"/s"))
	}
	sentence := strings.Join(parts, ", ")
	if c.Workload != "" {
		sentence = t.clean(c.Workload) + "; " + sentence
	}
	if c.Replay != nil {
		sentence += "; dead letters replayed " + t.clean(c.Replay.Words)
	}
	for i, p := range c.Phases {
		if i == shown {
			sentence += "; and " + plural(len(c.Phases)-shown, "more phase", "more phases")
			break
		}
		sentence += "; " + t.clean(p.Name) + " " + t.spans(p.Spans) + ": " + t.clean(p.Changes)
	}
	return sentence + t.strangers(c)
}

// strangers names the policies for which a case is otherwise than its sentence says.
func (t *text) strangers(c *result.Case) string {
	var labels []string
	for i := range c.Policies {
		if p := &c.Policies[i]; p.World != nil {
			labels = append(labels, t.clean(labelOf(p)))
		}
	}
	switch {
	case labels == nil:
		return ""
	case len(labels) > shown:
		return fmt.Sprintf("; otherwise for %d policies", len(labels))
	}
	return "; otherwise for " + strings.Join(labels, ", ")
}

// shown is how many spans, and phases, a sentence lists.
const shown = 3

// spans lists spans of time.
func (t *text) spans(spans []result.Span) string {
	var parts []string
	for i, s := range spans {
		switch {
		case i == shown:
			return strings.Join(append(parts, together(fmt.Sprintf("and %d times more", len(spans)-shown))), ", ")
		case s.End == nil:
			parts = append(parts, together("from "+t.span(s.Start.Float())+" on"))
		default:
			from, to := t.span(s.Start.Float()), t.span(s.End.Float())
			if from == to && s.Start != *s.End {
				from, to = t.exactSpan(s.Start), t.exactSpan(*s.End)
			}
			parts = append(parts, from+"-"+to)
		}
	}
	return strings.Join(parts, ", ")
}

// oneCase shows one case in full.
func (t *text) oneCase(i int) {
	c := &t.result.Cases[i]
	if len(t.result.Cases) > 1 {
		t.line("")
		t.titled(fmt.Sprintf("CASE %d of %d", i+1, len(t.result.Cases)), t.clean(settings(c.Set)))
		if !t.quiet && len(t.situations()) > 1 {
			t.wrapped(t.situation(c), 2)
		}
	}
	if ch := newChart(t.style, c); ch != nil && !t.quiet {
		t.line("")
		ch.write(t)
	}
	t.line("")
	t.comparison(entriesOf(t.result.Cases[i : i+1]))
	if !t.quiet {
		t.differences(c)
	}
}

// overview shows many cases in one table.
func (t *text) overview() {
	entries := entriesOf(t.result.Cases)
	var names []string
	for _, p := range paths(entries) {
		if end := tail(p, paths(entries)); end != p {
			names = append(names, t.clean(end+": "+p))
		}
	}
	t.line("")
	if len(names) > 0 && !t.quiet {
		t.titled("CASES", strings.Join(names, "; "))
	}
	t.comparison(entries)
}

// notes shows what the policies' makers want a reader to know, each note once.
func (t *text) notes() {
	var seen []string
	for i := range t.result.Cases {
		for j := range t.result.Cases[i].Policies {
			for _, n := range t.result.Cases[i].Policies[j].Notes {
				if !slices.Contains(seen, n) {
					seen = append(seen, n)
				}
			}
		}
	}
	if len(seen) > 0 {
		t.line("")
	}
	for _, n := range seen {
		t.wrapped("note: "+t.clean(strings.Join(strings.Fields(n), " ")), len("note: "))
	}
}

// repeat shows the digest and a command that gives the same result.
func (t *text) repeat() {
	words := t.command()
	head := fmt.Sprintf("result %.8s   repeat with:", t.clean(t.result.Digest))
	t.line("")
	if line := head + " " + strings.Join(words, " "); columns(line) <= t.width {
		t.line(line)
		return
	}
	t.line(head)
	row := "  " + words[0]
	for _, w := range words[1:] {
		if columns(row+" "+w+` \`) > t.width {
			t.line(row + ` \`) // the shell reads on in the next line
			row = "   "
		}
		row += " " + w
	}
	t.line(row)
}

// command returns the words of the command line; a flag and its value are one.
func (t *text) command() []string {
	r := t.result
	file := fileOf(r)
	if strings.HasPrefix(file, "-") && file != "-" {
		file = "./" + file // which no one takes for a flag
	}
	words := []string{"herdsim", "run", t.clean(quoted(file))}
	for i, a := range r.Scenario.Args {
		word := t.clean(quoted(a))
		if i > 0 && strings.HasPrefix(r.Scenario.Args[i-1], "-") && !strings.HasPrefix(a, "-") {
			words[len(words)-1] += " " + word
		} else {
			words = append(words, word)
		}
	}
	return append(words, "--seed "+strconv.FormatUint(r.Seed, 10), "-n "+strconv.Itoa(r.Replications))
}

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@,+%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
