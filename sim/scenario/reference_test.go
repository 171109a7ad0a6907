package scenario

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const referencePath = "../../docs/scenario.md"

const referenceHead = "<!-- Made from the field table of sim/scenario: change it there, then run \"go test ./sim/scenario -update\". -->\n" +
	`# Scenario files

A scenario is one YAML document in UTF-8. Unknown keys, keys written twice, tags, a second document and keys without a value
are errors. Every error of a file is reported at once, each with its line and column.

| notation | examples |
| --- | --- |
| duration | ~90s~, ~1h30m~, ~1.5s~, ~2d~; units ns, us, ms, s, m, h, d. Or ISO 8601: ~PT90S~, ~P1DT2H~. ~0~ needs no unit |
| rate | ~50/s~, ~10/m~, ~5/h~, ~2/100ms~; the count is whole |
| number | ~0.02~ or ~2%~, up to 18 decimals, read exactly |
| whole number | ~0~, ~1000~; no sign (but for ~shift~), separator, exponent or leading zero, and no quotes |
| name | a letter, then letters, digits, ~_~ and ~-~, at most 64 characters |

A path such as ~dependency.outages.main.for~ addresses a value, in ~matrix~ and with ~--set PATH=VALUE~; items of a list are
addressed by position, from 0. A field that is not written may be set, but cohorts, policies and outages must exist. What
~--set~ sets holds in every case: it replaces an axis of the same path. ~seed~ and ~replications~ are the same in every case.

@matrix@

Keys of the document that begin with ~x-~ may hold anything; they are a place for anchors. Aliases and ~<<~ work, and the
keys beside ~<<~ win.

An outage that comes again is listed as ~NAME#1~, ~NAME#2~ and so on; in the arguments of a metric ~outage.NAME.start~ is its
first start and ~outage.NAME.end~ its last end.

What becomes of a call is decided when it begins, in this order: an outage fails it; the capacity refuses it (cause
~overload~), and then it takes no time; a cohort of poison makes it fail; ~error_rate~ does; else it succeeds. A call is in
flight from the moment at which it passes the capacity until it ends, whatever becomes of it. Calls of no length that begin in
one instant are in flight together. Latency and ~fail_after~ are those of the moment at which the call begins. With
~workers.timeout~ a call that would last longer fails at that instant (cause ~timeout~), whatever it would have failed by; one that
ends at that very instant does not. See [dependency.md](dependency.md).

**Which pending job runs first.** ~queue.order~ ranks the pending jobs; jobs of equal ~priority~ run as they became pending.
With ~queue.retries: head~ a promoted retry goes ahead of every pending job, under ~order: priority~ of those of its priority,
and of several the last one promoted runs first; it changes nothing under ~lifo~, where every job joins at the head, nor under
~oldest~. With ~after_fresh~ no retry, whatever its priority, runs while a first attempt is pending; retries among themselves
keep the order. A first run that was delayed is no retry: it waits on the same schedule, is promoted by the same sweeps and
then joins as any first attempt does.

**Sweeps.** A poller sweeps at its ticks: it takes what is due off the schedule, first due first, ties by job number, and
makes it pending; at most ~batch~ jobs a tick. ~first~ puts due retries before due first runs, or behind them. Each promotion
takes ~cost~; the job becomes pending when it is over. A sweep takes what was due at its tick; with ~drain: true~ it goes on, with
no regard to ~batch~, until nothing is due. Ticks that pass while a poller works are skipped; with ~anchor: after~ the interval
begins anew when its work is done. ~pollers~ share the schedule and work at the same time, each at one job. Those of one interval
are spread evenly over it; with ~every: {uniform: […]}~ each draws every interval for itself (one of 0s counts as 1 ns) and begins
as if it had always been running. Within one instant a poller has one turn, in the order of their numbers: a promotion that
is over, then a tick. With ~by: worker~ a tick is missed at which no worker would be left without work: as many calls run and
jobs are pending, before the claims of the instant, as there are workers that have not crashed. Nothing is promoted then, and the next tick has its
turn; a sweep that has begun goes on to its end and keeps no worker from claiming. See [sweeps.md](sweeps.md).

**Dead letters.** A dead job leaves a letter. A replay takes the letters that there are at its instant, those of the oldest deaths
first; at most ~batch~. Within one instant jobs that come back follow the arrivals, in the order of their numbers. A letter is
dropped at the very end of its ~ttl~, before a replay of that instant, and to make room for the letter of a new death when there
are ~max~; its job stays dead. A replay that would find no letter is none: a run does not go on for it. See
[dead-letters.md](dead-letters.md).

**Overrides.** ~queue~, ~workers~, ~dependency~ and ~dead_letter~ under a policy hold for that policy alone: what they write takes the
place of what the document has, field by field, and outages, phases and crashes by name; what they leave out is as in the document.
Lists, values of one form of several and a ~capacity~ of another kind are replaced as wholes. The other policies, and every draw, stay
as they are. Terms and the peak that policies are judged by name one span of time for all: the outages that they speak of are the
document's; ~recovery.*~ and ~dependency.capacity~ in a check are those of the policy. See [variants.md](variants.md).

**Files of instants.** ~arrivals.csv~ names a file in the scenario's folder or below it (in the working folder when the
scenario is standard input), of at most 64 MiB. It has one instant a line, in seconds with up to nine decimals, counted from
~at~. Lines may be in any order: a job's index in the cohort is the place of its line, from 0. Blank lines do not count, and
a first line that begins with neither digit nor sign is a heading. ~count~ and ~for~ cut the list off.

`

// reference is the page about the format.
func reference() string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(referenceHead, "~", "`"), "@matrix@", example("matrix")))
	b.WriteString("| field | value | default | meaning |\n| --- | --- | --- | --- |\n")
	for i := range format.fields {
		fieldRow(&b, &format.fields[i], "")
	}
	for i := range format.fields {
		f := &format.fields[i]
		if f.shape.kind != recordKind && f.shape.kind != namesKind && f.shape.kind != listKind {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n%s\n\n| field | value | default | meaning |\n| --- | --- | --- | --- |\n", f.name, upper(f.doc), example(f.name))
		below(&b, f.shape, f.name)
	}
	b.WriteString(limitsTable())
	return b.String()
}

// example is a scenario that shows a field, as the documents show a file. The tests of the command run it.
func example(field string) string {
	data, err := os.ReadFile("testdata/examples/" + field + ".yaml")
	if err != nil {
		panic(err)
	}
	return "```yaml\n" + string(data) + "```"
}

// below writes the rows of what a shape holds; of a part, the whole has them.
func below(b *strings.Builder, s *shape, path string) {
	switch {
	case s.whole != nil:
		return
	case s.kind == namesKind:
		below(b, s.item, path+".NAME")
	case s.kind == listKind && (s.item.kind == recordKind || s.item == checkShape):
		below(b, s.item, path+".0")
	case s.form != nil:
		below(b, s.form, path)
	}
	for i := range s.fields {
		fieldRow(b, &s.fields[i], path+".")
		below(b, s.fields[i].shape, path+"."+s.fields[i].name)
	}
}

// fieldRow writes one field.
func fieldRow(b *strings.Builder, f *field, prefix string) {
	def := "`" + f.def + "`"
	switch {
	case f.required:
		def = "required"
	case f.def == "" || f.def == empty:
		def = ""
	}
	meaning := f.doc
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+f.name, f.shape.describe(), def, strings.ReplaceAll(meaning, "|", `\|`))
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// limitsTable writes the limits on what is read.
func limitsTable() string {
	text := "\n## Limits\n\n| what | most |\n| --- | --- |\n"
	for _, l := range []struct {
		what string
		most uint64
	}{
		{"bytes of a file", maxBytes},
		{"maps and lists inside each other", maxDepth},
		{"values, keys and items, each alias counted as what it stands for", maxNodes},
		{"keys of one map", maxKeys},
		{"combinations of the matrix", maxCases},
		{"combinations times the values of the document", maxVisits},
		{"combinations times checks", maxChecked},
		{"combinations times the values of the fields that each policy overrides", maxOverlaid},
		{"jobs that arrive all at once or over a spread", maxTogether},
		{"outages and phases of all combinations, repetitions counted", maxWindows},
		{"bins of a run that stops at a known time", maxBins},
	} {
		text += fmt.Sprintf("| %s | %d |\n", l.what, l.most)
	}
	return text
}

func TestReference(t *testing.T) {
	golden(t, referencePath, reference())
}

// Every field says in one line what it means; defaults and bounds can be read, and no default is out of bounds.
func TestFieldTable(t *testing.T) {
	seen := 0
	var visit func(path string, fields []field)
	shapeOf := func(path string, s *shape) {}
	visit = func(path string, fields []field) {
		var names []string
		for i := range fields {
			f := &fields[i]
			seen++
			if f.name == "" || f.doc == "" || strings.ContainsAny(f.doc, "\n~") || strings.HasSuffix(f.doc, ".") || slices.Contains(names, f.name) {
				t.Errorf("the row of %s.%s is not right: %q", path, f.name, f.doc)
			}
			if f.required && f.def != "" {
				t.Errorf("%s.%s is required and has a default", path, f.name)
			}
			names = append(names, f.name)
			if f.def != "" {
				walker{new(problems), map[sight]*value{}}.standard(f)
			}
			shapeOf(path+"."+f.name, f.shape)
		}
	}
	shapeOf = func(path string, s *shape) {
		for s != nil {
			if s.bounds != (bounds{}) {
				s.bounds.broken(s.kind, quantity{1, 1})
			}
			visit(path, s.fields)
			if s.form != nil {
				visit(path, s.form.fields)
			}
			if s.plain != nil {
				shapeOf(path, s.plain)
			}
			s = s.item
		}
	}
	shapeOf("", format)
	if seen < 100 {
		t.Errorf("only %d fields seen", seen)
	}
}
