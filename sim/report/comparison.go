package report

import (
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// An entry is one row of the comparison: a policy in a case.
type entry struct {
	c          *result.Case
	p          *result.Policy
	index, nth int // of the case and of the policy in it
}

// entriesOf lists the policies of the cases, which are numbered from 0.
func entriesOf(cases []result.Case) []entry {
	var entries []entry
	for i := range cases {
		for j := range cases[i].Policies {
			entries = append(entries, entry{&cases[i], &cases[i].Policies[j], i, j})
		}
	}
	return entries
}

// herd is the metric by which the policies of the entry's case are judged.
func (e entry) herd() string { return e.c.Herd }

// world is what the jobs of the entry's policy meet.
func (e entry) world() *result.World { return e.c.For(e.p) }

// lastEnd returns the latest end of the outages that end; nil if none does.
func lastEnd(c *result.Case) *result.Number {
	var last *result.Number
	for _, o := range c.Outages {
		if o.End != nil && (last == nil || o.End.Float() > last.Float()) {
			last = o.End
		}
	}
	return last
}

// comparison shows the rows as a table.
func (t *text) comparison(entries []entry) {
	tb := t.summary(entries, detail{true, true})
	if !tb.fits(false, 2) { // the intervals of large numbers take room and say least
		for _, lean := range []detail{{false, true}, {false, false}} {
			if next := t.summary(entries, lean); next.fits(true, 2) {
				tb = next
				break
			}
		}
	}
	tb.write(t)
}

// A detail says what a table of the comparison has beside means.
type detail struct {
	intervals bool // to all means, else to peaks and deaths only
	jobs      bool // among which none is dead or unfinished
}

// summary builds the table of the comparison.
func (t *text) summary(entries []entry, d detail) *table {
	tb := t.rows(entries)
	tb.remarks = t.remarks(entries)
	add := func(head, short string, cell func(e entry) string) {
		f := field{head: head, short: short}
		for _, e := range entries {
			f.cells = append(f.cells, cell(e))
		}
		tb.fields = append(tb.fields, f)
	}
	head, short := t.peakHead(entries)
	add(head, short, func(e entry) string { return t.value(e, e.herd(), true) })
	if slices.ContainsFunc(entries, func(e entry) bool { return e.world().Capacity != nil }) {
		add("x CAP", "", t.timesCapacity)
	}
	add("DEAD-LETTERED", "DEAD-\nLETTERED", func(e entry) string { return t.count(e, "jobs.dead", detail{true, d.jobs}) })
	if slices.ContainsFunc(entries, entry.unfinished) {
		add("UNFINISHED", "UN-\nFINISHED", func(e entry) string { return t.count(e, "jobs.unfinished", d) })
	}
	add("DRAINED", "", func(e entry) string { return t.drained(e, d.intervals) })
	add("CALLS", "", func(e entry) string { return t.value(e, "calls.total", d.intervals) })
	if slices.ContainsFunc(entries, entry.duplicated) {
		add("DUPLICATE", "DUPLI-\nCATE", func(e entry) string { return t.value(e, "calls.duplicate", d.intervals) })
	}
	add("ATTEMPTS p50/p99", "ATTEMPTS\np50/p99", func(e entry) string {
		return t.value(e, "attempts.p50", false) + " / " + t.value(e, "attempts.p99", false)
	})
	return tb
}

// rows is a table whose rows are named by the case's settings and the policy, and hold nothing yet.
func (t *text) rows(entries []entry) *table {
	tb := &table{style: t.style, fields: t.settingFields(entries)}
	var labels []string
	for _, e := range entries {
		labels = append(labels, t.clean(labelOf(e.p)))
		tb.policy = append(tb.policy, e.nth)
	}
	tb.fields = append(tb.fields, field{head: "POLICY", left: true, most: labelWidth(t.style, labels), cells: labels})
	return tb
}

// unfinished reports whether jobs were left at the end of any replication.
func (e entry) unfinished() bool { return e.p.Metrics["jobs.unfinished"].Max.Float() > 0 }

// duplicated reports whether an attempt was called by more than one of its copies.
func (e entry) duplicated() bool { return e.p.Metrics["calls.duplicate"].Max.Float() > 0 }

// stuck reports whether jobs were left at the end of every replication.
func (e entry) stuck() bool { return e.p.Metrics["jobs.unfinished"].Min.Float() > 0 }

// drained is the instant of the last finish of a job that failed. The metric has a value even where other jobs never
// finished: there the backlog did not drain, and the cell must not say so.
func (t *text) drained(e entry, interval bool) string {
	text := t.value(e, "retries.drained_at", interval)
	switch {
	case e.stuck():
		return t.absent
	case e.unfinished() && text != t.absent:
		t.some = true
		return strings.TrimSuffix(text, "*") + "*"
	}
	return text
}

// peakHead names the peak by the end of the outage, when all rows have the same.
func (t *text) peakHead(entries []entry) (head, short string) {
	keys := distinct(entries, entry.herd)
	switch {
	case len(keys) > 1:
		return "PEAK AFTER OUTAGE", "PEAK AFTER\nOUTAGE"
	case keys[0] == "retries.peak" || lastEnd(entries[0].c) == nil:
		return "PEAK", ""
	}
	end := t.exactSpan(*lastEnd(entries[0].c))
	return "PEAK AFTER " + end, "PEAK AFTER\n" + end
}

func distinct(entries []entry, of func(entry) string) []string {
	var all []string
	for _, e := range entries {
		if s := of(e); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// value returns a metric as a cell.
func (t *text) value(e entry, key string, interval bool) string {
	m, ok := e.p.Metrics[key]
	if !ok {
		return t.absent
	}
	if m.Clumps != nil {
		t.noteClumps(e, key, m)
	}
	return t.marked(m, unitOf(key), interval)
}

// marked returns the mean of a metric, or both of its clumps; a star marks a mean over some of the replications.
func (t *text) marked(m result.Metric, u unit, interval bool) string {
	text := t.mean(m, u)
	switch {
	case m.Clumps != nil:
		text = t.clumped(m, u)
	case interval:
		text = t.interval(m, u)
	}
	if slices.Contains(m.Values, nil) {
		t.some = true
		text += "*"
	}
	return text
}

func (t *text) timesCapacity(e entry) string {
	m, ok := e.p.Metrics[e.herd()]
	capacity := e.world().Capacity
	if !ok || capacity == nil || capacity.Float() == 0 {
		return t.absent
	}
	if m.Clumps == nil {
		return t.multiple(m.Mean.Float() / capacity.Float())
	}
	var parts []string
	for _, k := range m.Clumps {
		parts = append(parts, t.multiple(k.Mean.Float()/capacity.Float()))
	}
	return strings.Join(parts, " or ")
}

func (s style) multiple(x float64) string {
	if x > 0 && x < 0.1 || x >= 1000 {
		return group(sensible(x)) + s.times
	}
	return fixed(x, 1) + s.times
}

// settingFields are the columns that tell the cases of a matrix apart, headed by as much of the setting's path as it
// takes. Repeated values are left out, so that a case's rows read as a group.
func (t *text) settingFields(entries []entry) []field {
	if entries[0].index == entries[len(entries)-1].index {
		return nil
	}
	all := paths(entries)
	var fields []field
	for _, path := range all {
		f := field{head: t.clean(tail(path, all)), left: true, most: t.width / 4}
		for i, e := range entries {
			cell := ""
			if i == 0 || entries[i-1].index != e.index {
				cell = t.clean(setting(e.c.Set, path))
			}
			f.cells = append(f.cells, cell)
		}
		fields = append(fields, f)
	}
	return fields
}

// paths lists the paths that the cases set.
func paths(entries []entry) []string {
	var all []string
	for _, e := range entries {
		all = withPaths(all, e.c.Set)
	}
	return all
}

// withPaths adds those paths of the settings that are new.
func withPaths(all []string, set result.Settings) []string {
	for _, s := range set {
		if !slices.Contains(all, s.Path) {
			all = append(all, s.Path)
		}
	}
	return all
}

func setting(set result.Settings, path string) string {
	for _, s := range set {
		if s.Path == path {
			return s.Value
		}
	}
	return ""
}

// tail returns the shortest end of a dotted path that no other of the paths has.
func tail(path string, paths []string) string {
	parts := strings.Split(path, ".")
	for n := 1; n < len(parts); n++ {
		end := strings.Join(parts[len(parts)-n:], ".")
		same := 0
		for _, p := range paths {
			if p == end || strings.HasSuffix(p, "."+end) {
				same++
			}
		}
		if same == 1 {
			return end
		}
	}
	return path
}

// remarks marks the policy whose retries drain first, in one case, where it is beyond doubt: it lets no more jobs die than
// any other does and finishes them all, and its interval lies below those of all others.
func (t *text) remarks(entries []entry) []string {
	all := make([]string, len(entries))
	if len(entries) < 2 || entries[0].index != entries[len(entries)-1].index {
		return all
	}
	for i, e := range entries {
		if !slices.ContainsFunc(entries, func(o entry) bool { return o.nth != e.nth && !e.drainsBefore(o) }) {
			all[i] = t.arrow + " fastest drain"
		}
	}
	return all
}

func (e entry) drainsBefore(o entry) bool {
	mine, ok := e.p.Metrics["retries.drained_at"]
	if !ok || slices.Contains(mine.Values, nil) || e.unfinished() || e.dead() > o.dead() || e.allDead() {
		return false
	}
	other, ok := o.p.Metrics["retries.drained_at"]
	if !ok || slices.Contains(other.Values, nil) {
		return o.unfinished()
	}
	if e.p.Metrics["dead.total"].Clumps != nil || o.p.Metrics["dead.total"].Clumps != nil {
		return false
	}
	_, high := reach(mine)
	low, _ := reach(other)
	return high < low
}

// reach returns what a metric may be: its interval, or all its values when they fall in two clumps.
func reach(m result.Metric) (low, high float64) {
	switch {
	case m.Clumps != nil:
		return m.Min.Float(), m.Max.Float()
	case m.CI95 != nil:
		return m.CI95[0].Float(), m.CI95[1].Float()
	}
	return m.Mean.Float(), m.Mean.Float()
}

// allDead reports whether nothing was brought back: to give up early is no way to drain.
func (e entry) allDead() bool { return e.p.Metrics["jobs.succeeded"].Mean.Float() == 0 }

func (e entry) dead() float64 { return e.p.Metrics["jobs.dead"].Mean.Float() }

// legend says what the columns mean, and why a cell is empty.
func (t *text) legend(entries []entry) {
	parts := []string{"peak: the most retries in any " + t.span(entries[0].c.Window.Float()) + " window, per second"}
	if keys := distinct(entries, entry.herd); len(keys) == 1 {
		parts[0] += ", " + keys[0]
	}
	if slices.ContainsFunc(entries, func(e entry) bool { return e.world().Capacity != nil }) {
		capacity := "x cap: peak / capacity"
		if slices.ContainsFunc(entries, func(e entry) bool { return len(e.world().Steps) > 0 }) {
			capacity += " outside phases"
		}
		parts = append(parts, together(capacity))
	}
	parts = append(parts, "drained: when the last job that ever failed had succeeded or died, retries.drained_at")
	t.wrapped(strings.Join(parts, "; "), 2)
	if n := t.result.Replications; n > 1 {
		t.wrapped(fmt.Sprintf("mean %s half the width of its %s confidence interval over %d replications", t.plusMinus, together("95 %"), n), 2)
	}
	t.explainDifferences()
	t.explainNone()
	t.whyAbsent(entries)
}

// whyAbsent explains the cells that hold no value, and the marks.
func (t *text) whyAbsent(entries []entry) {
	reasons := distinct(entries, func(e entry) string {
		_, ok := e.p.Metrics["retries.drained_at"]
		switch {
		case e.stuck():
			return "jobs were still unfinished at the end of the run"
		case ok:
			return ""
		case e.p.Metrics["calls.failed"].Max.Float() == 0:
			return "no call failed"
		}
		return "no job that failed was done at the end of the run"
	})
	reasons = slices.DeleteFunc(reasons, func(s string) bool { return s == "" })
	if len(reasons) > 0 {
		t.wrapped(t.absent+" under drained: "+strings.Join(reasons, ", or "), 2)
	}
	if slices.ContainsFunc(entries, func(e entry) bool { _, ok := e.p.Metrics["attempts.p50"]; return !ok }) {
		t.wrapped(t.absent+" under attempts: no job finished", 2)
	}
	t.explainMarks()
}
