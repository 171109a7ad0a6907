package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// asked shows the metrics that the user named: of one case metric by metric, of several in one table.
func (t *text) asked() {
	entries := entriesOf(t.result.Cases)
	most := 0
	for _, e := range entries {
		most = max(most, len(e.c.Asked))
	}
	if most == 0 {
		return
	}
	t.line("")
	t.titled("METRICS", "")
	if len(t.result.Cases) > 1 {
		t.askedOfCases(entries, most)
		return
	}
	for k, key := range entries[0].c.Asked {
		t.wrapped(t.clean(key), 2)
		tb := &table{style: t.style}
		name := field{left: true, most: t.width / 2}
		for _, e := range entries {
			name.cells = append(name.cells, "  "+t.clean(labelOf(e.p)))
			tb.policy = append(tb.policy, e.nth)
		}
		tb.fields = []field{name, t.askedField(entries, k)}
		tb.fields[1].head = ""
		tb.grid(t, tb.fields, layoutOf{gap: 3})
	}
}

// askedOfCases shows n metrics of several cases. A metric that is not the same in all of them, because its arguments follow the
// case's outages, is headed by its name, and spelled out below.
func (t *text) askedOfCases(entries []entry, n int) {
	tb := t.rows(entries)
	var notes []string
	for k := range n {
		f := t.askedField(entries, k)
		if keys := distinct(entries, func(e entry) string { return e.askedFor(k) }); len(keys) > 1 {
			notes = append(notes, f.head+" is, case by case, "+t.clean(strings.Join(slices.DeleteFunc(keys, func(s string) bool { return s == "" }), ", ")))
		}
		tb.fields = append(tb.fields, f)
	}
	tb.write(t)
	for _, note := range notes {
		t.wrapped(note, 2)
	}
}

// askedFor returns the k-th metric that the user named for the entry's case, "" for none.
func (e entry) askedFor(k int) string {
	if k < len(e.c.Asked) {
		return e.c.Asked[k]
	}
	return ""
}

// askedField is the column of the k-th metric that the user named.
func (t *text) askedField(entries []entry, k int) field {
	keys := distinct(entries, func(e entry) string { return e.askedFor(k) })
	f := field{head: t.clean(keys[0])}
	if len(keys) > 1 {
		id, _, _ := strings.Cut(cmp.Or(keys...), "(")
		f.head = t.clean(id) + "(" + t.ellipsis + ")"
	}
	for _, e := range entries {
		cell := ""
		if key := e.askedFor(k); key != "" {
			cell = t.value(e, key, true)
			t.none = t.none || cell == t.absent
		}
		f.cells = append(f.cells, cell)
	}
	return f
}

// inCase adds to a name which of the cases of a matrix it is of.
func (t *text) inCase(name string, i int) string {
	if len(t.result.Cases) == 1 {
		return name
	}
	return fmt.Sprintf("%s, case %d of %d: %s", name, i+1, len(t.result.Cases), t.clean(settings(t.result.Cases[i].Set)))
}

// everything lists all metrics of every policy.
func (t *text) everything() {
	for i := range t.result.Cases {
		c := &t.result.Cases[i]
		for j := range c.Policies {
			p := &c.Policies[j]
			t.line("")
			t.titled("ALL METRICS", t.inCase(t.clean(labelOf(p)), i))
			t.metricsOf(entry{c, p, i, j}).write(t)
			t.sharesOf(p)
		}
	}
}

// metricsOf lists the metrics of a policy; with one replication there is nothing but its values.
func (t *text) metricsOf(e entry) *table {
	key, mean := field{head: "METRIC", left: true}, field{head: "VALUE"}
	low, high := field{head: "MIN"}, field{head: "MAX"}
	for _, k := range slices.Sorted(maps.Keys(e.p.Metrics)) {
		m, u := e.p.Metrics[k], unitOf(k)
		key.cells = append(key.cells, t.clean(k))
		mean.cells = append(mean.cells, t.value(e, k, true))
		low.cells = append(low.cells, t.mean(result.Metric{Mean: m.Min}, u))
		high.cells = append(high.cells, t.mean(result.Metric{Mean: m.Max}, u))
	}
	tb := &table{style: t.style, fields: []field{key, mean}}
	if t.result.Replications > 1 {
		tb.fields[1].head = "MEAN"
		tb.fields = append(tb.fields, low, high)
	}
	if !tb.fits(false, 2) { // the numbers of a metric stay on one line
		const least = 20
		tb.fields[0].most = max(least, t.width-2-total(tb.fields[1:], false, 2))
	}
	return tb
}
