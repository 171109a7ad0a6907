package advice

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

// changes lists what may be tried for a policy, most promising first for the kind of failure: one step of every knob, then the
// next step of each.
func changes(k *scenario.Scenario, name string, first func(path string) int) []scenario.Setting {
	p := k.Policies[slices.IndexFunc(k.Policies, func(p scenario.Policy) bool { return p.Name == name })]
	var knobs []scenario.Knob
	for _, n := range k.Knobs {
		if n.Policy == name || n.Policy == "" && k.For(&p).Queue == k.Queue {
			knobs = append(knobs, n)
		}
	}
	knobs = withBudget(knobs, name, p.Budget.Tries)
	slices.SortStableFunc(knobs, func(a, b scenario.Knob) int { return first(a.Path) - first(b.Path) })
	var list []scenario.Setting
	for step := 0; ; step++ {
		more := false
		for _, n := range knobs {
			if values := turned(n); step < len(values) {
				more = true
				list = append(list, scenario.Setting{Path: n.Path, Value: values[step]})
			}
		}
		if !more {
			return list
		}
	}
}

// withBudget adds the budget of a preset that none of its options names.
func withBudget(knobs []scenario.Knob, name string, tries int) []scenario.Knob {
	if tries == policy.Unlimited || slices.ContainsFunc(knobs, func(n scenario.Knob) bool { return isBudget(n.Path) }) {
		return knobs
	}
	return append(knobs, scenario.Knob{Path: "policies." + name + ".max_attempts", Value: strconv.Itoa(tries), Policy: name})
}

func isBudget(path string) bool {
	return strings.HasSuffix(path, ".max_attempts") || strings.HasSuffix(path, ".max_retries") || strings.HasSuffix(path, "options.attempts")
}

// turned lists the values to try instead of a knob's, smaller changes first.
func turned(n scenario.Knob) []string {
	last := n.Path[strings.LastIndexByte(n.Path, '.')+1:]
	switch {
	case last == "jitter":
		return slices.DeleteFunc([]string{"equal", "full"}, func(v string) bool { return v == n.Value })
	case last == "retry_after":
		return slices.DeleteFunc([]string{"honour", "ignore"}, func(v string) bool { return v == n.Value })
	case last == "drain":
		return []string{"true"}
	case last == "batch":
		return steps(n.Value, func(b int) []int { return []int{2 * b, 4 * b, 10 * b} })
	case isBudget(n.Path):
		return steps(n.Value, func(b int) []int { return []int{b + 1, b + 2, b + 4, 2*b + 4} })
	case last == "every":
		return append([]string{"0s"}, spans(n.Value, 1, 2, 1, 4)...)
	case last == "cap", last == "max_wait":
		return spans(n.Value, 1, 2, 2, 1, 1, 4, 1, 16, 1, 64)
	}
	return spans(n.Value, 2, 1, 4, 1, 1, 2, 8, 1)
}

func steps(value string, of func(int) []int) []string {
	b, err := strconv.Atoi(value)
	if err != nil || b > math.MaxInt32/16 {
		return nil // unlimited
	}
	var list []string
	for _, n := range of(b) {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

// spans multiplies a duration by fractions, given as numerators and denominators in turn.
func spans(value string, fractions ...int64) []string {
	d, err := units.Duration(value)
	var list []string
	for i := 0; err == nil && i < len(fractions); i += 2 {
		if d == 0 || int64(d) > math.MaxInt64/16 {
			break
		}
		list = append(list, units.FormatDuration(d*time.Duration(fractions[i])/time.Duration(fractions[i+1])))
	}
	return list
}
