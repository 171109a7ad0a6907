package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"herdsim/sim/result"
)

// DeltaMarkdown writes the comparison for a comment on a pull request or the summary of a job; all is as TextOptions.Verbose. Texts of the
// user stand in code, as in Markdown.
func DeltaMarkdown(w io.Writer, d *result.Delta, all bool) error {
	t := &text{style: newStyle(TextOptions{Width: maxWidth})}
	var b bytes.Buffer
	fmt.Fprintf(&b, "### %s %s → %s\n\n", verdictSign(d.Failed(), len(d.Limits)), code(d.Before.Path), code(d.After.Path))
	for _, c := range d.Changes[:min(len(d.Changes), mostRows)] {
		fmt.Fprintf(&b, "* %s: %s → %s\n", code(c.Path), code(t.setting(c.Before)), code(t.setting(c.After)))
	}
	leftOut(&b, len(d.Changes)-mostRows)
	if len(d.Changes) == 0 {
		b.WriteString("The scenario is the same.\n")
	}
	t.markdownDeltas(&b, shownRows(d, all))
	if names := t.unchanged(d); names != "" {
		fmt.Fprintf(&b, "\nNothing has changed for %s.\n", code(names))
	}
	fmt.Fprintf(&b, "\nMean ± half its 95 %% interval; differences are paired over %s on seed %d; \\~: chance alone may make it (p > 0.05, Holm).\n",
		plural(d.Replications, "replication", "replications"), d.Seed)
	t.markdownLimits(&b, d.Limits)
	_, err := w.Write(b.Bytes())
	return err
}

func (t *text) markdownDeltas(b *bytes.Buffer, rows []result.DeltaRow) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| policy | metric | before | after | difference | | p | |\n| --- | --- | --: | --: | --: | --: | --: | --- |\n")
	tableRows(b, len(rows), func(i int) []string {
		c := t.cells(&rows[i], true)
		cells := []string{code(t.group(&rows[i])), code(c.metric)}
		for _, text := range []string{c.before, c.after, c.difference, c.relative, c.p, c.verdict} {
			cells = append(cells, numeric(text))
		}
		return cells
	})
}

// markdownLimits lists the verdicts, those that are not simply kept first.
func (t *text) markdownLimits(b *bytes.Buffer, limits []result.Limited) {
	if len(limits) == 0 {
		return
	}
	weight := func(l result.Limited) int {
		switch {
		case l.Beyond:
			return 0
		case l.Open:
			return 1
		}
		return 2
	}
	shown := slices.Clone(limits)
	slices.SortStableFunc(shown, func(a, b result.Limited) int { return weight(a) - weight(b) })
	b.WriteString("\n| | limit | policy | |\n| --- | --- | --- | --- |\n")
	tableRows(b, len(shown), func(i int) []string {
		l := shown[i]
		return []string{[]string{"❌", "❔", "✅"}[weight(l)], code(l.Limit), code(l.Policy + t.withSet(l.Set)), code(t.outcome(l))}
	})
}
