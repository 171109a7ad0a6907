package report

import (
	"fmt"
	"maps"
	"slices"

	"herdsim/sim/result"
)

// asked shows the metrics that the user named, policy by policy.
func (t *text) asked() {
	for i := range t.result.Cases {
		c := &t.result.Cases[i]
		if len(c.Asked) == 0 {
			continue
		}
		t.line("")
		t.titled("METRICS", t.caseName(i))
		for _, key := range c.Asked {
			t.wrapped(t.clean(key), 2)
			tb := &table{style: t.style}
			name, value := field{left: true, most: t.width / 2}, field{}
			for j := range c.Policies {
				e := entry{c, &c.Policies[j], i, j}
				name.cells = append(name.cells, "  "+t.clean(labelOf(e.p)))
				cell := t.value(e, key, true)
				t.none = t.none || cell == t.absent
				value.cells = append(value.cells, cell)
				tb.policy = append(tb.policy, j)
			}
			tb.fields = []field{name, value}
			tb.grid(t, tb.fields, layoutOf{gap: 3})
		}
	}
}

// caseName tells the cases of a matrix apart.
func (t *text) caseName(i int) string {
	if len(t.result.Cases) == 1 {
		return ""
	}
	return fmt.Sprintf("case %d of %d: %s", i+1, len(t.result.Cases), t.clean(settings(t.result.Cases[i].Set)))
}

// everything lists all metrics of every policy.
func (t *text) everything() {
	for i := range t.result.Cases {
		c := &t.result.Cases[i]
		for j := range c.Policies {
			p := &c.Policies[j]
			t.line("")
			name := t.clean(labelOf(p))
			if s := t.caseName(i); s != "" {
				name += ", " + s
			}
			t.titled("ALL METRICS", name)
			t.metricsOf(entry{c, p, i, j}).write(t)
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
	return tb
}
