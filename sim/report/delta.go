package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// DeltaJSON writes a comparison of two results as JSON writes a result.
func DeltaJSON(w io.Writer, d *result.Delta) error { return writeJSON(w, d) }

// DeltaText writes what a person wants to know of two results held against each other: what changed in the scenario, what that
// did to each metric of each policy, and whether it goes beyond a limit. Quiet leaves the table alone; Verbose adds all metrics.
func DeltaText(w io.Writer, d *result.Delta, o TextOptions) error {
	t := &text{style: newStyle(o), quiet: o.Quiet}
	if !o.Quiet {
		t.origins(d)
	}
	rows := shownRows(d, o.Verbose)
	t.line("")
	t.deltas(rows)
	if !o.Quiet {
		t.explainDeltas(d, rows)
		t.limits(d)
	}
	_, err := w.Write(bytes.TrimLeft(t.out.Bytes(), "\n"))
	return err
}

// origins says what is compared.
func (t *text) origins(d *result.Delta) {
	for _, o := range []struct {
		word string
		result.Origin
	}{{"before", d.Before}, {"after", d.After}} {
		t.wrapped(fmt.Sprintf("%-6s  %s  %s, result %.8s, herdsim %s", o.word, t.clean(o.Path), t.clean(o.Scenario), t.clean(o.Digest), t.clean(o.Version)), 8)
	}
	t.wrapped(fmt.Sprintf("paired on seed %d, %s", d.Seed, plural(d.Replications, "replication", "replications")), 8)
	t.line("")
	if len(d.Changes) == 0 {
		t.line("the scenario is the same")
		return
	}
	t.titled("CHANGED", "")
	for _, c := range d.Changes {
		t.wrapped("  "+t.clean(c.Path)+": "+t.setting(c.Before)+" "+t.then+" "+t.setting(c.After), 4)
	}
}

// setting returns one side of a change.
func (s style) setting(value *string) string {
	if value == nil {
		return "(not written)"
	}
	const most = 200
	return s.shorten(s.clean(*value), most)
}

// shownRows lists what a text shows of the policies for which anything has changed: the headlines that count something, or
// all that has changed.
func shownRows(d *result.Delta, all bool) []result.DeltaRow {
	var rows []result.DeltaRow
	for of := range groups(d) {
		if !anyChanged(of) {
			continue
		}
		for _, r := range of {
			none := r.Metric == "jobs.unfinished" && r.After != nil && r.After.Max.Float() == 0
			if r.Changed() && (all || r.Headline) || r.Headline && !none {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// unchanged names the policies for which nothing has changed.
func (s style) unchanged(d *result.Delta) string {
	var names []string
	for of := range groups(d) {
		if !anyChanged(of) {
			names = append(names, s.group(&of[0]))
		}
	}
	if len(names) > shown {
		names = append(names[:shown], fmt.Sprintf("and %d more", len(names)-shown))
	}
	return strings.Join(names, ", ")
}

// groups yields the rows of each policy in each case.
func groups(d *result.Delta) iter.Seq[[]result.DeltaRow] {
	return runs(d.Rows, func(a, b *result.DeltaRow) bool { return a.Policy == b.Policy && slices.Equal(a.Set, b.Set) })
}

func anyChanged(rows []result.DeltaRow) bool {
	return slices.ContainsFunc(rows, func(r result.DeltaRow) bool { return r.Changed() })
}

// group names a policy and its case.
func (s style) group(r *result.DeltaRow) string {
	return s.clean(cmp.Or(r.Label, r.Policy)) + s.withSet(r.Set)
}

// brief names a policy and its case with no more of the settings' paths than tells them apart.
func (s style) brief(r *result.DeltaRow, paths []string) string {
	short := *r
	short.Set = nil
	for _, v := range r.Set {
		short.Set = append(short.Set, result.Setting{Path: tail(v.Path, paths), Value: v.Value})
	}
	return s.group(&short)
}

// A deltaCells is a row as it is shown.
type deltaCells struct {
	metric, before, after, difference, relative, p, verdict string
}

// cells returns a row as it is shown, with intervals to both sides or without.
func (t *text) cells(r *result.DeltaRow, intervals bool) deltaCells {
	c := deltaCells{
		metric: t.clean(r.Metric), before: t.side(r.Before, r.Metric, intervals), after: t.side(r.After, r.Metric, intervals),
		difference: t.absent, verdict: t.verdict(r),
	}
	if r.Now != "" {
		c.metric += " " + t.then + " " + t.clean(r.Now)
	}
	if r.Difference == nil {
		return c
	}
	c.difference = t.gap(r.Difference, unitOf(r.Metric))
	if r.P != nil && r.Changed() {
		c.p = t.probability(r.P.Float())
	}
	if mean := r.Before.Mean.Float(); mean != 0 && r.Diff.Float() != 0 {
		c.relative = signed(fixed(100*r.Diff.Float()/mean, 1)) + hard + "%"
	}
	return c
}

// side returns a metric as it is in one of the results.
func (t *text) side(m *result.Metric, key string, interval bool) string {
	if m == nil {
		return t.absent
	}
	return t.marked(*m, unitOf(key), interval)
}

// verdict says in a word what has become of a metric.
func (t *text) verdict(r *result.DeltaRow) string {
	switch {
	case r.Lost > 0:
		return "lost " + strconv.Itoa(r.Lost)
	case r.Gained > 0:
		return "gained " + strconv.Itoa(r.Gained)
	case r.Difference == nil || !r.Changed():
		return "same"
	case r.P == nil:
		return ""
	}
	return judgement(r.Difference, r.Better)
}

// deltas shows the rows as a table, in as much detail as fits.
func (t *text) deltas(rows []result.DeltaRow) {
	if len(rows) == 0 {
		return
	}
	tb := t.deltaTable(rows, true, true)
	for _, intervals := range []bool{true, false} {
		if !tb.fits(false, 2) {
			tb = t.deltaTable(rows, intervals, false)
		}
	}
	tb.write(t)
}

// deltaTable has a row for each policy and below it one for each of its metrics.
func (t *text) deltaTable(rows []result.DeltaRow, intervals, p bool) *table {
	tb := &table{style: t.style}
	var paths []string
	for i := range rows {
		paths = withPaths(paths, rows[i].Set)
	}
	var all []deltaCells
	policies := 0
	for i := range rows {
		r := &rows[i]
		if i == 0 || t.group(r) != t.group(&rows[i-1]) {
			all = append(all, deltaCells{metric: t.shorten(t.brief(r, paths), t.width/2)})
			tb.policy = append(tb.policy, policies)
			policies++
		}
		c := t.cells(r, intervals)
		c.metric = "  " + c.metric
		all = append(all, c)
		tb.policy = append(tb.policy, policies-1)
	}
	add := func(head string, left bool, of func(c deltaCells) string) {
		f := field{head: head, left: left}
		for _, c := range all {
			f.cells = append(f.cells, of(c))
		}
		tb.fields = append(tb.fields, f)
	}
	add("POLICY, METRIC", true, func(c deltaCells) string { return c.metric })
	tb.fields[0].most = t.width / 2
	add("BEFORE", false, func(c deltaCells) string { return c.before })
	add("AFTER", false, func(c deltaCells) string { return c.after })
	add("DIFFERENCE", false, func(c deltaCells) string { return c.difference })
	add("", false, func(c deltaCells) string { return c.relative })
	if p {
		add("p", false, func(c deltaCells) string { return c.p })
	}
	add("", false, func(c deltaCells) string { return c.verdict })
	return tb
}

// explainDeltas says what the columns mean and what is not shown.
func (t *text) explainDeltas(d *result.Delta, rows []result.DeltaRow) {
	if d.Replications < 2 {
		t.wrapped("one replication: nothing is known of chance", 2)
	} else {
		t.wrapped(fmt.Sprintf("mean %s half the width of its %s confidence interval; difference: after less before, replication by replication; ~ chance alone may make it: p > 0.05 by a paired t test, adjusted for the policies of a case (Holm)",
			t.plusMinus, together("95 %")), 2)
	}
	if names := t.unchanged(d); names != "" {
		t.wrapped("nothing has changed for "+names, 2)
	}
	if slices.ContainsFunc(rows, func(r result.DeltaRow) bool { return r.Lost > 0 }) {
		t.wrapped("lost N: replications that have no value any more", 2)
	}
	if slices.ContainsFunc(rows, func(r result.DeltaRow) bool { return r.Gained > 0 }) {
		t.wrapped("gained N: replications that had no value before", 2)
	}
	if t.some {
		t.wrapped("* mean of the replications that have a value", 2)
	}
	if others := beyondChance(d.Rows) - beyondChance(rows); others > 0 {
		t.wrapped(plural(others, "more number differs", "more numbers differ")+" beyond chance: -v lists all that have changed", 2)
	}
}

// beyondChance counts the rows that have changed by more than chance explains.
func beyondChance(rows []result.DeltaRow) int {
	n := 0
	for i := range rows {
		if r := &rows[i]; r.Lost > 0 || r.Difference != nil && r.Changed() && r.Significant() {
			n++
		}
	}
	return n
}

// limits shows which limits hold.
func (t *text) limits(d *result.Delta) {
	if len(d.Limits) == 0 {
		return
	}
	beyond := 0
	for _, l := range d.Limits {
		if l.Beyond {
			beyond++
		}
	}
	t.line("")
	t.titled("LIMITS", fmt.Sprintf("%d kept, %d exceeded", len(d.Limits)-beyond, beyond))
	for verdicts := range runs(d.Limits, func(a, b *result.Limited) bool { return a.Limit == b.Limit }) {
		t.limit(verdicts)
	}
}

// limit shows the verdicts on one limit: those that keep it in one line, the others one by one.
func (t *text) limit(verdicts []result.Limited) {
	var kept []string
	for _, l := range verdicts {
		if !l.Beyond && !l.Open {
			kept = append(kept, t.clean(l.Policy)+t.withSet(l.Set))
			continue
		}
		t.wrapped("  "+t.limitMark(l)+" "+t.clean(l.Limit)+"  ["+together(t.clean(l.Policy))+"]"+t.withSet(l.Set)+"  "+t.outcome(l), 6)
	}
	switch len(kept) {
	case 0:
		return
	case 1:
		t.wrapped("  "+t.mark(result.Pass)+" "+t.clean(verdicts[0].Limit)+"  ["+together(kept[0])+"]", 6)
	default:
		t.wrapped("  "+t.mark(result.Pass)+" "+t.clean(verdicts[0].Limit)+"  ["+together(plural(len(kept), "policy", "policies"))+"]", 6)
	}
}

func (t *text) limitMark(l result.Limited) string {
	switch {
	case l.Beyond:
		return t.mark(result.Fail)
	case l.Open:
		return t.paint("?", "33")
	}
	return t.mark(result.Pass)
}

// outcome says how far a change lies beyond its limit.
func (s style) outcome(l result.Limited) string {
	if l.Excess == nil || l.CI95 == nil {
		return s.clean(l.Why)
	}
	metric, _, _ := strings.Cut(l.Limit, " ")
	excess := result.Metric{Mean: *l.Excess, CI95: (*[2]result.Number)(l.CI95)}
	switch {
	case l.Beyond:
		return "beyond it by " + s.interval(excess, unitOf(metric))
	case l.Open:
		return "may be beyond it, by " + s.interval(excess, unitOf(metric)) + ": chance alone may make that"
	}
	return ""
}
