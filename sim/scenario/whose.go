package scenario

import (
	"slices"
	"strings"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// whose reads the `cohorts` of an outage or a phase, as indexes in ascending order; nil for all.
func (b *builder) whose(v named) []uint16 {
	list := v.get("cohorts")
	if !usable(list) {
		return nil
	}
	var all []uint16
	for _, item := range list.items {
		i := slices.Index(b.cohortNames, item.word)
		switch {
		case item.bad:
		case i < 0:
			b.fail(item.node, "there is no cohort "+units.Quote(item.word), nearestOf(item.word, b.cohortNames))
		case slices.Contains(all, uint16(i)):
			b.fail(item.node, "cohort `"+item.word+"` is listed twice", "")
		default:
			all = append(all, uint16(i))
		}
	}
	if stall := v.get("stall"); usable(stall) && stall.key != nil {
		b.conflict(stall.key, "phase `"+v.name+"` has `stall` and `cohorts`", "servers that stall do so for everybody")
	}
	slices.Sort(all)
	return all
}

// nearestOf suggests one of the names, or lists them.
func nearestOf(word string, names []string) string {
	if near, ok := diag.Nearest(word, names); ok {
		return "did you mean `" + near + "`?"
	}
	return "there are: " + strings.Join(names, ", ")
}

// namesOf names cohorts.
func (b *builder) namesOf(cohorts []uint16) []string {
	var names []string
	for _, i := range cohorts {
		names = append(names, b.cohortNames[i])
	}
	return names
}

// forWhom says whom something concerns, in words that may follow what it is; "" for all.
func (b *builder) forWhom(cohorts []uint16) string {
	if cohorts == nil {
		return ""
	}
	return " (for " + strings.Join(b.namesOf(cohorts), ", ") + ")"
}
