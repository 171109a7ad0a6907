package scenario

import (
	"fmt"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/engine"
)

// A World is what the jobs of a policy meet: the scenario's, or one in which the policy overrides some of it.
type World struct {
	Queue      engine.Queue
	Workers    engine.Workers
	Dependency dependency.Config
	DeadLetter engine.DeadLetter

	Outages  []Outage // in the file's order, repetitions spelled out as NAME#1, NAME#2, …
	Capacity string   // the dependency's, in words; "" for none
	Phases   []Phase  // in the file's order
	Replay   string   // when dead letters are replayed, in words; "" for never
}

// An Outage is a named span in which the dependency is down. To is clock.End when it has no end.
type Outage struct {
	Name     string
	From, To clock.Time
	Cohorts  []string // whose calls fail, in the file's order; nil for all
}

// A Phase is a named set of spans in which the dependency differs. A window's To is clock.End when it has no end.
type Phase struct {
	Name    string
	Windows []dependency.Window // in order
	Changes string              // in words
}

// worldFields are the fields of a scenario that a policy may override.
var worldFields = []string{"queue", "workers", "dependency", "dead_letter"}

// A worldly is what has the fields of a world: a document, or what a policy makes of it. A field that is wrong has a bad value.
type worldly map[string]*value

// world reads a world. It reports whether nothing is wrong in it beside the queue.
func (b *builder) world(v worldly) (w World, sound bool) {
	if q := v["queue"]; usable(q) {
		w.Queue = b.queueOf(q)
	}
	before := b.errors
	if k := v["workers"]; usable(k) {
		w.Workers = b.workers(k)
	}
	if w.Queue.ByWorker && !w.Queue.HeldByWorker && w.Queue.Sweeps() {
		b.needsWorkers(v["queue"].get("promote").get("by").node, "`by: worker`", &w)
	}
	if d := v["dependency"]; d != nil {
		b.dependency(d, &w)
	}
	if d := v["dead_letter"]; usable(d) {
		w.DeadLetter = b.deadLetter(d)
		w.Replay = replayWords(w.DeadLetter.Replay)
	}
	return w, b.errors == before && usable(v["dependency"])
}

// ownWorld returns the world of a policy that overrides fields of the document's; nil when it does not, or when one of the two
// is wrong.
func (b *builder) ownWorld(p named) *World {
	own := worldly{}
	overrides := false
	for _, name := range worldFields {
		own[name] = b.own[name]
		over := p.get(name)
		if over == nil || over.word != "" {
			continue // nothing, or a word: what that means is for whoever knows it
		}
		if !usable(own[name]) {
			return nil
		}
		overrides = true
		own[name] = b.put(name, own[name], over)
		if own[name].bad {
			return nil
		}
	}
	if !overrides {
		return nil
	}
	before := b.errors
	w, _ := b.world(own)
	if b.errors > before {
		return nil
	}
	return &w
}

// overrides lists what a policy writes over fields of the document.
func overrides(p named) []Setting {
	var list []Setting
	for _, name := range worldFields {
		if over := p.get(name); over != nil && over.word == "" {
			list = append(list, Setting{name, over.node.String()})
		}
	}
	return list
}

// put returns a field of the document with what a policy writes put over it.
func (b *builder) put(name string, v, over *value) *value {
	s := fieldNamed(format.fields, name).shape
	w := walker{b.problems, map[sight]*value{}} // nobody meets these nodes again
	return w.walk(s, s.merged(v.node, over.node), spot{"`" + name + "`", over.key})
}

// overridden reports overrides that make too much to read of a document: every policy that overrides a field reads it again.
func (p *problems) overridden(root *node, cases int) bool {
	policies := root.pair("policies")
	if policies == nil {
		return false
	}
	size := 0
	for _, policy := range policies.value.pairs {
		for _, name := range worldFields {
			if policy.value.get(name) != nil {
				size += root.get(name).size()
			}
		}
	}
	if size*cases <= maxOverlaid {
		return false
	}
	p.fail(policies.key, fmt.Sprintf("policies override %d values in %d cases: the most are %d in all", size, cases, maxOverlaid), "leave out policies, or values of `matrix`")
	return true
}
