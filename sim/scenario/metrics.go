package scenario

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/metrics"
)

// metrics reads `metrics` except for the terms. runOn says that the run goes on to the stop.
func (b *builder) metrics(v *value, runOn bool) Metrics {
	var m Metrics
	if w := v.get("bin"); usable(w) && w.arg != nil {
		m.Bin = w.arg.duration()
		b.bins(w, m.Bin, runOn)
	}
	if w := v.get("window"); usable(w) {
		m.Window = w.duration()
	}
	return m
}

// envOf returns what the arguments of terms may name: the case's cohorts and outages.
func envOf(s *Scenario) metrics.Env {
	env := metrics.Env{Outages: spans(s.Outages)}
	for _, c := range s.Base.Cohorts {
		env.Cohorts = append(env.Cohorts, c.Name)
	}
	return env
}

// terms reads `metrics.also` and the terms of the command line.
func (b *builder) terms(v *value, env metrics.Env, also []string) []metrics.Term {
	var list []metrics.Term
	if w := v.get("also"); usable(w) {
		for _, item := range w.items {
			list = b.term(list, item.node, env)
		}
	}
	for _, text := range also {
		at := diag.Pos{Source: diag.NewSource("--metric", []byte(text)), Line: 1, Col: 1}
		list = b.term(list, &node{text: text, pos: at, length: utf8.RuneCountInString(text)}, env)
	}
	return list
}

// bins checks the number of bins where it is known before the run.
func (b *builder) bins(v *value, bin time.Duration, runOn bool) {
	if bins := (int64(b.stop)-1)/int64(bin) + 1; runOn && b.stop < clock.End && bins > maxBins {
		b.fail(v.node, fmt.Sprintf("%d bins cover the run: the most are %d", bins, maxBins), "make `bin` longer or write `auto`")
	}
}

// term adds one term to the list.
func (b *builder) term(list []metrics.Term, n *node, env metrics.Env) []metrics.Term {
	term, err := metrics.ParseTerm(n.text, env)
	if err != nil {
		b.fail(n.part(err.Offset, err.Length), err.Message, err.Hint)
		return list
	}
	return append(list, term)
}

// spans returns the outages under the names of the file: one that comes again lasts from its first start to its last end.
func spans(outages []Outage) []metrics.Outage {
	var list []metrics.Outage
	for _, o := range outages {
		name, _, _ := strings.Cut(o.Name, "#")
		if last := len(list) - 1; last >= 0 && list[last].Name == name {
			list[last].To = o.To
			continue
		}
		list = append(list, metrics.Outage{Name: name, From: o.From, To: o.To})
	}
	return list
}
