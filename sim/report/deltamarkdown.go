package report

import (
	"fmt"
	"io"
	"strings"

	"herdsim/sim/result"
)

// DeltaMarkdown writes the comparison for a pull request or a job's summary.
func DeltaMarkdown(w io.Writer, d *result.Delta, all bool) error {
	t := &text{style: newStyle(TextOptions{Width: maxWidth})}
	var b strings.Builder
	fmt.Fprintf(&b, "### herdsim: %s → %s\n\n", cell(d.Before.Path), cell(d.After.Path))
	for _, c := range d.Changes {
		fmt.Fprintf(&b, "* `%s`: %s → %s\n", strings.ReplaceAll(t.clean(c.Path), "`", "'"), cell(t.setting(c.Before)), cell(t.setting(c.After)))
	}
	if len(d.Changes) == 0 {
		b.WriteString("The scenario is the same.\n")
	}
	b.WriteString("\n| policy | metric | before | after | difference | | p | |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n")
	for _, r := range shownRows(d, all) {
		c := t.cells(&r, true)
		var cells []string
		for _, text := range []string{t.group(&r), c.metric, c.before, c.after, c.difference, c.relative, c.p, c.verdict} {
			cells = append(cells, cell(text))
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	fmt.Fprintf(&b, "\nMean ± 95 %% interval; differences are paired over %s on seed %d; `~`: chance alone may make it (p > 0.05, Holm).\n",
		plural(d.Replications, "replication", "replications"), d.Seed)
	for _, l := range d.Limits {
		mark := t.passed
		if l.Beyond {
			mark = t.failed
		} else if l.Open {
			mark = "?"
		}
		line := fmt.Sprintf("\n* %s `%s` %s%s %s", mark, strings.ReplaceAll(t.clean(l.Limit), "`", "'"), cell(t.clean(l.Policy)), cell(t.withSet(l.Set)), cell(t.outcome(l)))
		b.WriteString(strings.TrimRight(line, " "))
	}
	if len(d.Limits) > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), hard, " "))
	return err
}

// cell makes a text safe within a table of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ", "*", `\*`, "_", `\_`, "~", `\~`).Replace(text)
}
