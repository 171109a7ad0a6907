package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// recovery names the policies that some replication did not get over. Where all recovered there is nothing to say.
func (t *text) recovery() {
	for i, s := range t.unrecovered() {
		if i == 0 {
			t.line("")
		}
		t.titled("RECOVERY", s)
	}
}

// unrecovered returns a sentence for each thing to be said of policies that did not recover, with the policies it is true of.
func (t *text) unrecovered() []string {
	var order []string
	names := map[string][]string{}
	for _, e := range entriesOf(t.result.Cases) {
		words := ending(e.p, t.result.Replications)
		if words == "" {
			continue
		}
		if !slices.Contains(order, words) {
			order = append(order, words)
		}
		name := t.clean(labelOf(e.p))
		if len(t.result.Cases) > 1 {
			name += " in case " + strconv.Itoa(e.index+1)
		}
		names[words] = append(names[words], name)
	}
	for i, words := range order {
		order[i] = strings.Join(names[words], ", ") + ": " + words
	}
	return order
}

// ending says what became of a policy's replications, or nothing when all recovered.
func ending(p *result.Policy, of int) string {
	r := p.Recovery
	if r == nil || r.Recovered == of {
		return ""
	}
	in := ""
	if of > 1 {
		in = fmt.Sprintf(" in %d of %d replications", of, of)
	}
	switch succeeded := p.Metrics["jobs.succeeded"]; {
	case r.Stuck == of && succeeded.Max.Float() == 0:
		return "no job succeeds" + in
	case r.Stuck == of:
		return "never recovers, stuck at the end" + in
	case r.Recovering == of:
		return "still recovering at the end" + in
	}
	return fmt.Sprintf("recovered in %d of %d replications, still recovering in %d, stuck in %d", r.Recovered, of, r.Recovering, r.Stuck)
}
