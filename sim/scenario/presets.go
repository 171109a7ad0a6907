package scenario

import (
	"strings"

	"herdsim/sim/diag"
	"herdsim/sim/engine"
	"herdsim/sim/preset"
	"herdsim/sim/units"
)

// needsPreset reports what has no meaning without a preset.
func (b *builder) needsPreset(v named) {
	for _, name := range []string{"options", "queue"} {
		if w := v.get(name); w != nil && (name == "options" || w.word != "") {
			b.conflict(w.key, "`"+name+"` in policy `"+v.name+"` has no meaning without `preset`", "there are: "+strings.Join(preset.Names(), ", "))
		}
	}
}

// preset fills the policy with what a preset makes of its options.
func (b *builder) preset(v named, p *Policy) {
	name := v.get("preset")
	known, ok := preset.Lookup(name.word)
	if !ok {
		label := ""
		if near, ok := diag.Nearest(name.word, preset.Names()); ok {
			label = "did you mean `" + near + "`?"
		}
		b.fail(name.node, "unknown preset "+units.Quote(name.word)+" in policy `"+v.name+"`", label, "there are: "+strings.Join(preset.Names(), ", "))
		return
	}
	t := table{}
	options := preset.Value{Ref: t.ref(name.node)}
	if w := v.get("options"); w != nil {
		options = t.value(w.node)
	}
	built, mistakes := known.Build(options)
	for _, m := range mistakes {
		b.mistake(t[m.Ref], m)
	}
	ownWaits, ownBudget := v.get("delay") == nil, v.get("max_attempts") == nil && v.get("max_retries") == nil && stopsAfter(v.get("delay")) == 0
	for _, w := range built.Warnings {
		if ownWaits {
			b.warn(t[w.Ref], w.Message)
		}
	}
	p.Policy, p.Budget, p.Discipline.RetryBudget = built.Policy, built.Budget, built.RetryBudget
	for _, n := range built.Notes {
		if ownBudget && (ownWaits || !n.Waits) {
			p.Notes = append(p.Notes, n.Text)
		}
	}
	switch {
	case v.wrote("queue") && v.get("queue").word != "":
		if built.Queue.ByWorker {
			b.needsWorkers(v.get("queue").node, "promotion by workers, as preset "+known.Name+" has it here,", b.in)
		}
		p.queue = &built.Queue
	case promotion(built.Queue) != promotion(b.in.Queue) && len(mistakes) == 0:
		p.Notes = append(p.Notes, "preset "+known.Name+" runs without its own promotion of due retries: write `queue: preset` beside it to have it")
	}
}

// promotion returns what a queue says of promotion, and not of leases.
func promotion(q engine.Queue) engine.Queue {
	q.Visibility, q.RenewLease, q.LeaseFails, q.DeadlyStall = 0, false, false, 0
	return q
}

// mistake reports a mistake in a preset's options.
func (b *builder) mistake(n *node, m preset.Problem) {
	if len(m.Allowed) == 0 {
		b.fail(n, m.Message, m.Hint)
		return
	}
	label := ""
	if near, ok := diag.Nearest(n.text, m.Allowed); ok {
		label = "did you mean `" + near + "`?"
	}
	b.fail(n, m.Message, label, "allowed here: "+strings.Join(m.Allowed, ", "))
}

// A table keeps the nodes that a preset's problems refer to by number.
type table []*node

func (t *table) ref(n *node) int {
	*t = append(*t, n)
	return len(*t) - 1
}

// value turns a node into what presets read.
func (t *table) value(n *node) preset.Value {
	v := preset.Value{Ref: t.ref(n), Text: n.text, Quoted: n.quoted}
	switch n.kind {
	case scalarNode:
		v.Kind = preset.Scalar
	case listNode:
		v.Kind = preset.List
		for _, item := range n.items {
			v.List = append(v.List, t.value(item))
		}
	case mapNode:
		v.Kind = preset.Map
		for _, p := range n.pairs {
			v.Map = append(v.Map, preset.Entry{Key: p.key.text, KeyRef: t.ref(p.key), Value: t.value(p.value)})
		}
	}
	return v
}
