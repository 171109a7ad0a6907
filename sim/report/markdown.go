package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// What Markdown shows of a result: a comment on GitHub holds 65536 characters.
const (
	mostRows    = 100 // of each table
	mostDetails = 10  // failed checks that are explained
)

// Markdown writes the results for a comment on a pull request or the summary of a job: for each a table of its policies, a table
// of its checks, and the explanations of those that do not hold, folded. Texts of the user stand in code, where they can neither
// format nor address anybody.
func Markdown(w io.Writer, results []*result.Result) error {
	var b bytes.Buffer
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		t := &text{style: newStyle(TextOptions{Width: maxWidth}), result: r}
		fmt.Fprintf(&b, "### %s %s\n\n", verdictSign(r.Failed(), len(r.Checks)), code(fileOf(r)))
		t.markdownPolicies(&b)
		for _, s := range t.unrecovered() {
			fmt.Fprintf(&b, "\n**Recovery** %s\n", code(s))
		}
		t.markdownChecks(&b)
		fmt.Fprintf(&b, "\nResult %s, repeat with\n\n", code(fmt.Sprintf("%.8s", r.Digest)))
		fence(&b, strings.Join(t.command(), " "))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// verdictSign begins the heading of what was judged so many times, if at all.
func verdictSign(failed bool, judged int) string {
	switch {
	case failed:
		return "❌"
	case judged > 0:
		return "✅"
	}
	return "📈"
}

// markdownPolicies writes the comparison as one table.
func (t *text) markdownPolicies(b *bytes.Buffer) {
	tb := t.summary(entriesOf(t.result.Cases), detail{intervals: true, jobs: true})
	var heads, rules []string
	for _, f := range tb.fields {
		rule := "--:"
		if f.left {
			rule = "---"
		}
		heads, rules = append(heads, f.markdown(f.head)), append(rules, rule)
	}
	tableRow(b, heads)
	tableRow(b, rules)
	tableRows(b, len(tb.fields[0].cells), func(i int) []string {
		var cells []string
		for _, f := range tb.fields {
			cells = append(cells, f.markdown(f.cells[i]))
		}
		return cells
	})
	if t.some {
		b.WriteString("\n\\* mean of the replications that have a value\n")
	}
	if t.clumps != nil {
		b.WriteString("\na (n) or b (m): the replications fall in two clumps, n of them around a and m around b; a mean of both would describe none\n")
	}
	if t.fewest > 0 {
		fmt.Fprintf(b, "\n0 of N: none of the jobs of all replications; were their fates independent, a share of up to 3/N, here %s, would go unseen in one of twenty results\n",
			t.percent(3/float64(t.fewest)))
	}
}

// markdown is a cell or head of the field: a name, which the user chose, or a number.
func (f field) markdown(text string) string {
	if f.left {
		return code(text)
	}
	return numeric(text)
}

// numeric escapes the marks that stand beside numbers.
func numeric(text string) string {
	return strings.NewReplacer("*", `\*`, "~", `\~`, hard, " ").Replace(text)
}

// markdownChecks writes the checks as one table, and what is to be said about those that do not hold.
func (t *text) markdownChecks(b *bytes.Buffer) {
	checks := t.result.Checks
	if len(checks) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**Checks**: %s\n\n| | check | expect | policy | found |\n| --- | --- | --- | --- | --- |\n", CheckCounts(checks))
	shown := slices.Clone(checks)
	if len(checks) > mostRows { // those that do not hold come first
		slices.SortStableFunc(shown, func(a, b result.Check) int { return rank(a.Status) - rank(b.Status) })
	}
	tableRows(b, len(shown), func(i int) []string {
		c := &shown[i]
		sign := []string{"❌", "⚠️", "✅"}[rank(c.Status)]
		return []string{sign, code(c.Name), code(c.Expect), code(c.Policy + t.withSet(c.Set)), code(t.finding(c))}
	})
	t.markdownDetails(b)
}

// rank orders checks by how much they matter.
func rank(s result.Status) int {
	switch {
	case s.Failed():
		return 0
	case s == result.Warn:
		return 1
	}
	return 2
}

// markdownDetails explains checks that failed.
func (t *text) markdownDetails(b *bytes.Buffer) {
	if !t.result.Failed() {
		return
	}
	b.WriteString("\n<details><summary>Why</summary>\n\n")
	failed := 0
	for i := range t.result.Checks {
		c := &t.result.Checks[i]
		if !c.Status.Failed() {
			continue
		}
		if failed++; failed <= mostDetails {
			e := Explain(c, t.result.Replications)
			fence(b, e.Title+"\n"+told(c, e))
		}
	}
	leftOut(b, failed-mostDetails)
	b.WriteString("</details>\n")
}

// leftOut says how many of something are not shown, if any.
func leftOut(b *bytes.Buffer, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\n%s left out\n\n", plural(n, "more is", "more are"))
	}
}

// tableRows writes as many rows of a table as are shown, and says how many are not.
func tableRows(b *bytes.Buffer, n int, row func(i int) []string) {
	for i := range min(n, mostRows) {
		tableRow(b, row(i))
	}
	leftOut(b, n-mostRows)
}

func tableRow(b *bytes.Buffer, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// code puts a text into a code span of HTML, in which every character that Markdown or HTML could read is written by number.
func code(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(newStyle(TextOptions{}).clean(text), hard, " ") {
		if strings.ContainsRune("\\`*_{}[]<>()#|~&@!$:\"'", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// fence writes a block of code whose fence no line of the text can close.
func fence(b *bytes.Buffer, text string) {
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	fmt.Fprintf(b, "%s\n%s\n%s\n\n", marks, text, marks)
}
