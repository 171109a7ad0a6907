package report

import (
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// A rival is a policy held against the baseline of its case.
type rival struct {
	c           *result.Case
	comparisons []result.Comparison
	label       string
	nth         int // of the policy
}

// rivals lists the policies of a case that are held against its baseline.
func (t *text) rivals(c *result.Case) []rival {
	var all []rival
	for i := range c.Policies {
		r := rival{c: c, label: t.clean(labelOf(&c.Policies[i])), nth: i}
		for _, d := range c.Comparisons {
			if d.Policy == c.Policies[i].Name {
				r.comparisons = append(r.comparisons, d)
			}
		}
		if r.comparisons != nil {
			all = append(all, r)
		}
	}
	return all
}

// find returns the comparison by a metric.
func (r rival) find(metric string) (result.Comparison, bool) {
	i := slices.IndexFunc(r.comparisons, func(d result.Comparison) bool { return d.Metric == metric })
	if i < 0 {
		return result.Comparison{}, false
	}
	return r.comparisons[i], true
}

// differences shows how far the policies of a case lie from the first one by the metrics of the comparison.
func (t *text) differences(c *result.Case) {
	rivals := t.rivals(c)
	if len(rivals) == 0 {
		return
	}
	first := slices.IndexFunc(c.Policies, func(p result.Policy) bool { return p.Name == rivals[0].comparisons[0].Baseline })
	name := "AGAINST " + t.clean(labelOf(&c.Policies[first]))
	tb := &table{style: t.style, fields: []field{{head: name, left: true, most: t.width / 3}}}
	for _, r := range rivals {
		tb.fields[0].cells = append(tb.fields[0].cells, r.label)
		tb.policy = append(tb.policy, r.nth)
	}
	peak, shortPeak := t.peakHead([]entry{{c: c}})
	for _, f := range []struct{ metric, head, short string }{
		{c.Herd, peak, shortPeak},
		{"jobs.dead", "DEAD-LETTERED", "DEAD-\nLETTERED"},
		{"jobs.unfinished", "UNFINISHED", "UN-\nFINISHED"},
		{"retries.drained_at", "DRAINED", ""},
		{"calls.total", "CALLS", ""},
	} {
		if f.metric == "jobs.unfinished" && !slices.ContainsFunc(c.Policies, func(p result.Policy) bool { return entry{p: &p}.unfinished() }) {
			continue
		}
		column := field{head: f.head, short: f.short}
		for _, r := range rivals {
			column.cells = append(column.cells, t.difference(r, f.metric))
		}
		tb.fields = append(tb.fields, column)
	}
	t.line("")
	if !tb.fits(true, 2) { // a long name has a line of its own
		t.titled(name, "")
		tb.fields[0].head = "POLICY"
	}
	tb.write(t)
	t.compared = true
}

// difference returns the cell of one policy and metric.
func (t *text) difference(r rival, metric string) string {
	d, ok := r.find(metric)
	switch {
	case !ok || metric == "retries.drained_at" && r.stuck(d):
		return t.absent
	case r.clumped(d):
		t.clumpedDifference = true
		return "clumps"
	}
	return t.gap(&d.Difference, unitOf(metric))
}

// stuck reports whether the policy or its baseline left jobs unfinished in every replication: neither has drained.
func (r rival) stuck(d result.Comparison) bool { return r.either(d, entry.stuck) }

// clumped reports whether the values of the policy or of its baseline fall in two clumps: the difference of their means then
// describes no replication.
func (r rival) clumped(d result.Comparison) bool {
	return r.either(d, func(e entry) bool { return e.p.Metrics[d.Metric].Clumps != nil })
}

func (r rival) either(d result.Comparison, is func(entry) bool) bool {
	return slices.ContainsFunc(r.c.Policies, func(p result.Policy) bool {
		return (p.Name == d.Policy || p.Name == d.Baseline) && is(entry{c: r.c, p: &p})
	})
}

// gap returns a difference with its interval and its sign, behind a tilde when chance may have made it.
func (s style) gap(d *result.Difference, u unit) string {
	m := result.Metric{Mean: d.Diff, CI95: (*[2]result.Number)(d.CI95)}
	if d.Zero() {
		return s.mean(m, u)
	}
	text := s.interval(m, u)
	if d.Diff.Float() != 0 {
		text = signed(text)
	}
	if d.P != nil && !d.Significant() {
		return "~ " + text
	}
	return text
}

// signed puts a plus before a number that has no sign.
func signed(text string) string {
	if strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + text
}

// explainDifferences says what the tables of differences mean, once.
func (t *text) explainDifferences() {
	if !t.compared {
		return
	}
	others := 0
	for _, c := range t.result.Cases {
		others = max(others, len(c.Policies)-1)
	}
	text := "against: paired differences on the same draws, policy less baseline; ~ chance alone may make it: p > 0.05 by a paired t test"
	if others > 1 {
		text += fmt.Sprintf(", adjusted for %d policies (Holm)", others)
	}
	t.wrapped(text, 2)
	if t.clumpedDifference {
		t.wrapped("clumps: replications fall in two, and a difference of means would describe none of them", 2)
	}
}

// allDifferences lists every metric of every policy against the baseline, but for those that are the same in all
// replications.
func (t *text) allDifferences() {
	for i := range t.result.Cases {
		c := &t.result.Cases[i]
		for _, r := range t.rivals(c) {
			tb := t.differencesOf(r)
			if tb == nil {
				continue
			}
			t.line("")
			t.titled("ALL DIFFERENCES", t.inCase(r.label+" against "+t.clean(r.comparisons[0].Baseline), i))
			tb.write(t)
		}
	}
}

// differencesOf returns nil when there is no difference.
func (t *text) differencesOf(r rival) *table {
	key, diff, p, verdict := field{head: "METRIC", left: true}, field{head: "DIFFERENCE"}, field{head: "p"}, field{head: "", left: false}
	for _, d := range r.comparisons {
		if d.P == nil || d.Zero() {
			continue
		}
		key.cells = append(key.cells, t.clean(d.Metric))
		diff.cells = append(diff.cells, t.gap(&d.Difference, unitOf(d.Metric)))
		p.cells = append(p.cells, t.probability(d.P.Float()))
		verdict.cells = append(verdict.cells, judgement(&d.Difference, d.Better))
	}
	if key.cells == nil {
		return nil
	}
	return &table{style: t.style, fields: []field{key, diff, p, verdict}}
}

// probability returns a p in three decimals.
func (s style) probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fixed(p, 3)
}

// judgement says in a word what a difference means.
func judgement(d *result.Difference, better result.Direction) string {
	switch {
	case !d.Significant():
		return "~"
	case better == result.Neither:
		return "differs"
	case (d.Diff.Float() < 0) == (better == result.Lower):
		return "better"
	}
	return "worse"
}
