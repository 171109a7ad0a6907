package metrics

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

const docsPath = "../../docs/metrics.md"

// docs is the reference page of the metric table.
func docs() string {
	var b strings.Builder
	b.WriteString(docsHead)
	b.WriteString("| metric | unit | arguments | what it is |\n| --- | --- | --- | --- |\n")
	for _, m := range table() {
		args := make([]string, 0, len(argumentNames()))
		for _, name := range m.takes.names() {
			text := "`" + name + "`"
			for _, needed := range m.needs.names() {
				if needed == name {
					text += " (required)"
				}
			}
			args = append(args, text)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.id, m.dimension, strings.Join(args, ", "), m.definition)
	}
	return b.String()
}

const docsHead = `<!-- Made from the metric table of sim/metrics: change it there, then run "go test ./sim/metrics -update". -->
# Metrics

A metric is written as its name, with arguments in parentheses where they are wanted:
` + "`retries.peak(window=100ms, after=outage.end, cohort=herd)`" + `.

| argument | value | effect |
| --- | --- | --- |
| ` + "`window`" + ` | duration | the window of a peak, instead of the scenario's ` + "`metrics.window`" + ` |
| ` + "`after`" + `, ` + "`before`" + ` | duration from the start, ` + "`outage.start`, `outage.end`, `outage.NAME.start` or `outage.NAME.end`" + ` | only what happens at or after the one, and before the other |
| ` + "`retry`" + ` | whole number from 1 | only the retry of that number of each job |
| ` + "`cohort`" + ` | name of a cohort | only its jobs |

` + "`outage.start`" + ` is the start of the outage that starts first, ` + "`outage.end`" + ` the end of the one that ends last; where outages
share a name, the same holds among them.

A peak is the most events in any half-open window. Windows start at 0 or later, at whole multiples of a thousandth of
their length (rounded down to the nanosecond, at least 1 ns). It is given as a rate: the events in the window, divided by
its length.

Counts, rates, instants and maxima are exact; means are divided once, when they are printed. Percentiles are by nearest
rank: those of attempts are exact, those of spans within 0.1 % of the span. A metric whose occasion never came, such as
` + "`dead.first_at`" + ` when no job died, has no value.

Without arguments every result holds all of these, except those that require one. A result also has a row for each number
of attempts that jobs used, and a row for each round of retries up to the 1000th.

`

// checksPath holds a page with the metrics by what they compare with, between these two marks.
const (
	checksPath = "../../docs/checks.md"
	tableBegin = "by \"go test ./sim/metrics -update\" -->\n"
	tableEnd   = "<!-- /metrics -->"
)

// comparable is the table of that page.
func comparable() string {
	var b strings.Builder
	b.WriteString("| metric | unit | what it is |\n| --- | --- | --- |\n")
	for _, m := range table() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.id, m.dimension, m.definition)
	}
	return b.String()
}

func TestMetricsOfChecks(t *testing.T) {
	page, err := os.ReadFile(checksPath)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begins := strings.Cut(string(page), tableBegin)
	_, tail, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("%s has no place for the metrics", checksPath)
	}
	want := head + tableBegin + comparable() + tableEnd + tail
	if *update {
		if err := os.WriteFile(checksPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("%s is not what the metric table says; run go test ./sim/metrics -update", checksPath)
	}
}

func TestDocs(t *testing.T) {
	if *update {
		if err := os.WriteFile(docsPath, []byte(docs()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != docs() {
		t.Errorf("%s is not what the metric table says; run go test ./sim/metrics -update", docsPath)
	}
}

var update = flag.Bool("update", false, "rewrite the documentation that is made from code")

// Every row of the table says what it is, in one line, and has a name of its own.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range table() {
		if seen[m.id] || m.definition == "" || strings.ContainsAny(m.definition, "|\n") || m.value == nil || m.reads == 0 {
			t.Errorf("the row of %s is not right", m.id)
		}
		if m.needs&^m.takes != 0 {
			t.Errorf("%s needs an argument that it does not take", m.id)
		}
		seen[m.id] = true
	}
}
