package scenario

import (
	"fmt"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// problems gathers diagnostics, each once however many cases of the matrix meet it.
type problems struct {
	list   diag.List
	seen   map[string]bool
	errors int // every error, repeated and left out ones too: a reader compares it before and after
}

// add keeps a diagnostic unless it is known, or there are too many.
func (p *problems) add(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		p.errors++
	}
	key := fmt.Sprint(d.Pos, d.Message)
	if p.seen[key] || p.list.Count(d.Severity) > maxProblems {
		return
	}
	if p.list.Count(d.Severity) == maxProblems {
		d = diag.Diagnostic{Severity: d.Severity, Message: fmt.Sprintf("more than %d %ss: the others are left out", maxProblems, d.Severity)}
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[key] = true
	p.list = append(p.list, d)
}

// fail adds an error that underlines a node.
func (p *problems) fail(n *node, message, label string, notes ...string) {
	p.add(diag.Diagnostic{Message: message, Pos: n.pos, Length: n.length, Label: label, Notes: notes})
}

// reject adds an error of one of the small languages at the node that holds the text.
func (p *problems) reject(n *node, err error) {
	e := err.(*units.Error)
	p.fail(n, e.Message, e.Hint)
}

// conflict adds an error about things that do not go together: the place alone is shown.
func (p *problems) conflict(n *node, message string, notes ...string) {
	p.add(diag.Diagnostic{Message: message, Pos: n.pos, Notes: notes})
}

// warn adds a warning; the place alone is shown.
func (p *problems) warn(n *node, message string) {
	p.add(diag.Diagnostic{Severity: diag.Warning, Message: message, Pos: n.pos})
}
