// Package preset holds real job queues and retry libraries, each as its own options in its own units. A preset turns those
// options into a policy, a budget and the library's way of promoting due retries.
package preset

import (
	"slices"
	"strings"

	"herdsim/sim/engine"
	"herdsim/sim/policy"
)

// A Preset is one library, as read in its source.
type Preset struct {
	Name    string   // as in a scenario
	Title   string   // as its authors write it
	Source  string   // repository and version read
	Formula string   // the wait after failure n, the first being 1
	Budget  string   // how it decides to give up
	Queue   string   // how it promotes due retries
	Options []Option // in the order in which they are worth reading
	Differs []string // what the model leaves out or simplifies
	build   func(*reader) Built
}

// An Option is one setting of a library, under the library's name and in its unit.
type Option struct {
	Name    string
	Aliases []string // other names that mean the same
	Type    string   // what a value looks like, with its range
	Unit    string   // empty where there is none
	Default string   // as it would be written; empty when leaving it out has a meaning of its own, given in Doc
	Doc     string
	Later   bool // the library has it, this model does not yet: refused, unless null
}

// Built is a preset with its options filled in.
type Built struct {
	Policy      policy.Policy
	Budget      policy.Budget
	Queue       engine.Queue        // the library's own promotion
	RetryBudget *engine.RetryBudget // that its retries share; nil for none
	Notes       []Note              // what a reader of the result should know about these options

	Warnings []Problem // of waits that the library takes, and that are a mistake most likely
}

// A Note holds as long as the preset's own budget does.
type Note struct {
	Text  string
	Waits bool // it is about the waits too, and holds as long as they are the preset's own
}

// registry lists every preset, sorted by name.
func registry() []*Preset {
	return []*Preset{bullmq(), echomq(), flexiq()}
}

// Names returns the names of all presets, sorted.
func Names() []string {
	var names []string
	for _, p := range registry() {
		names = append(names, p.Name)
	}
	return names
}

// Lookup returns the preset of that name.
func Lookup(name string) (*Preset, bool) {
	all := registry()
	i, ok := slices.BinarySearchFunc(all, name, func(p *Preset, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return nil, false
	}
	return all[i], true
}

// Build fills in the options, a map or null, with defaults for those left out. Built is of use only when there are no
// problems.
func (p *Preset) Build(options Value) (Built, []Problem) {
	r := read(p, options)
	built := p.build(r) // also after a problem: it finds the others
	if len(r.problems) > 0 {
		return Built{}, r.problems
	}
	built.Warnings = r.warnings
	return built, nil
}
