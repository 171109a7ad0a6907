package scenario

import (
	"slices"

	"herdsim/sim/engine"
)

// A Knob is a setting that may be turned one step further: what is written at a path, as --set takes it.
type Knob struct {
	Path, Value string
	Policy      string // whose setting it is; "" for one that all policies share
}

// knobs lists the settings of a case that decide how its policies retry, those of the matrix left out: they are being turned
// already.
func (b *builder) knobs(v *value, s *Scenario, matrix []address) []Knob {
	var list []Knob
	for i := range s.Policies {
		p, w := namedIn(v.get("policies"), s.Policies[i].Name), s.For(&s.Policies[i])
		list = append(list, knobsOf(p)...)
		if w.Dependency.TellsAny() {
			list = append(list, Knob{"policies." + p.name + ".retry_after", p.get("retry_after").word, p.name})
		}
		if over := p.get("queue"); over != nil && over.word == "" && w.Queue != s.Queue {
			list = append(list, knobsOfQueue(b.put("queue", b.own["queue"], over), &w.Queue, "policies."+p.name+".queue.promote.", p.name)...)
		}
	}
	if w := v.get("queue"); usable(w) {
		list = append(list, knobsOfQueue(w, &s.Queue, "queue.promote.", "")...)
	}
	return slices.DeleteFunc(list, func(k Knob) bool {
		path := newAddress(&node{text: k.Path})
		return slices.ContainsFunc(matrix, func(axis address) bool { return path.within(axis) || axis.within(path) })
	})
}

// knobsOfQueue lists the knobs of sweeps, whose fields are at root.
func knobsOfQueue(v *value, q *engine.Queue, root, policy string) []Knob {
	if !q.Sweeps() {
		return nil
	}
	every := Knob{Path: root + "every", Policy: policy}
	if n := v.get("promote").get("every").node; n.kind == scalarNode {
		every.Value = n.text
	}
	list := append([]Knob{every}, written(v.get("promote"), root, policy, "batch")...)
	if q.Batch > 0 && !q.Drain {
		list = append(list, Knob{Path: root + "drain", Value: "false", Policy: policy})
	}
	return list
}

// knobsOf lists the knobs of one policy.
func knobsOf(p named) []Knob {
	root := "policies." + p.name + "."
	list := written(p.value, root, p.name, "max_attempts", "max_retries", "max_elapsed", "max_wait")
	preset := p.get("preset") != nil
	if d := p.get("delay"); usable(d) && d.word != "" && d.arg != nil {
		path := root + "delay." + d.word
		switch {
		case d.arg.fields != nil:
			list = append(list, written(d.arg, path+".", p.name, "base", "cap", "first", "step")...)
		case d.arg.node != nil && d.arg.node.kind == scalarNode:
			list = append(list, Knob{path, d.arg.node.text, p.name})
		}
	}
	switch jitter := p.get("jitter"); {
	case p.wrote("jitter"):
		list = append(list, Knob{root + "jitter", jitter.node.String(), p.name})
	case preset:
		list = append(list, Knob{root + "jitter", "", p.name})
	case p.get("delay") != nil:
		list = append(list, Knob{root + "jitter", "none", p.name})
	}
	if o := p.get("options"); preset && o != nil {
		for _, pair := range o.node.pairs {
			if pair.value.kind == scalarNode && slices.Contains([]string{"attempts", "max_attempts", "max_retries"}, pair.key.text) {
				list = append(list, Knob{root + "options." + pair.key.text, pair.value.text, p.name})
			}
		}
	}
	return list
}

// written lists those fields of a record that are written as plain values.
func written(v *value, path, policy string, names ...string) []Knob {
	var list []Knob
	for _, name := range names {
		if v != nil && v.wrote(name) && v.get(name).node.kind == scalarNode {
			list = append(list, Knob{path + name, v.get(name).node.text, policy})
		}
	}
	return list
}
