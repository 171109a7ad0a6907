package engine

import (
	"fmt"
	"testing"
)

// Whatever an event can say has a name, and no two things have the same.
func TestNames(t *testing.T) {
	for what, names := range map[string][]fmt.Stringer{
		"kind":   stringers[Kind](0, Kinds),
		"cause":  stringers[Cause](NoCause+1, Causes),
		"reason": stringers[Reason](NoReason+1, Reasons),
	} {
		seen := map[string]bool{"": true}
		for i, n := range names {
			if seen[n.String()] {
				t.Errorf("%s %d is called %q, which is no name or another's", what, i, n)
			}
			seen[n.String()] = true
		}
		if len(names) == 0 {
			t.Errorf("no %s has a name", what)
		}
	}
}

func stringers[T interface {
	~uint8
	fmt.Stringer
}](from, to T) []fmt.Stringer {
	var all []fmt.Stringer
	for v := from; v < to; v++ {
		all = append(all, v)
	}
	return all
}
