package metrics

import (
	"slices"
	"strings"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// ParseEdge reads an edge of an outage: outage.start, outage.end, outage.NAME.start or outage.NAME.end.
func ParseEdge(text string, env Env) (clock.Time, *TermError) {
	p := termParser{text: text, env: env}
	at := p.edge(extent{0, len(text)}, strings.TrimPrefix(text, "outage."))
	return at, p.err
}

// edge returns the instant that outage.REF stands for, where ref is start, end, NAME.start or NAME.end.
func (p *termParser) edge(at extent, ref string) clock.Time {
	name, side, named := strings.Cut(ref, ".")
	if !named {
		name, side = "", ref
	}
	if side != "start" && side != "end" {
		p.fail(at, units.Quote("outage."+ref)+" is no edge of an outage",
			"write `outage.start`, `outage.end`, `outage.NAME.start` or `outage.NAME.end`")
		return 0
	}
	var names []string
	from, to, found := clock.End, clock.Time(0), false
	for _, o := range p.env.Outages {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
		if name == "" || o.Name == name {
			from, to, found = min(from, o.From), max(to, o.To), true
		}
	}
	switch {
	case !found && len(names) == 0:
		p.fail(at, "there is no outage", "")
	case !found:
		p.fail(at, "unknown outage "+units.Quote(name), nearestOf(name, names, "outages"))
	case side == "start":
		return from
	case to == clock.End:
		p.fail(at, "the outage has no end", "")
	}
	return to
}

func metricNames() []string {
	var names []string
	for _, m := range table() {
		names = append(names, m.id)
	}
	return names
}

// metricHint returns the metric that was most likely meant, or those of its family, or the families.
func metricHint(id string) string {
	names := metricNames()
	if hint := nearest(id, names); hint != "" {
		return hint
	}
	family, _, _ := strings.Cut(id, ".")
	var families, members []string
	for _, name := range names {
		f, _, _ := strings.Cut(name, ".")
		if !slices.Contains(families, f) {
			families = append(families, f)
		}
		if f == family {
			members = append(members, name)
		}
	}
	if members == nil {
		return "metrics begin with " + listed(families)
	}
	return "metrics of `" + family + "`: " + listed(members)
}

// nearest returns a hint with the name that was most likely meant, or nothing.
func nearest(word string, names []string) string {
	if name, ok := diag.Nearest(word, names); ok {
		return "did you mean `" + name + "`?"
	}
	return ""
}

// nearestOf is nearest with a list of what there is when no name is close.
func nearestOf(word string, names []string, what string) string {
	if hint := nearest(word, names); hint != "" {
		return hint
	}
	if len(names) == 0 {
		return "there are no " + what
	}
	return what + ": " + listed(names)
}

// listed quotes the first names.
func listed(names []string) string {
	const shown = 12
	list := "`" + strings.Join(names[:min(len(names), shown)], "`, `") + "`"
	if len(names) > shown {
		list += ", …"
	}
	return list
}
