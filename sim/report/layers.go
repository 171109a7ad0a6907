package report

import (
	"fmt"
	"strings"
)

// layers shows how many calls the tries inside attempts have added, for the policies that have such layers.
func (t *text) layers() {
	titled := false
	for _, e := range entriesOf(t.result.Cases) {
		var parts []string
		for i, l := range e.p.Layers {
			parts = append(parts, together(fmt.Sprintf("layer %d of %s: %s", i+1, plural(l.Tries, "try", "tries"), group(sensible(l.Calls.Float())))))
		}
		if len(parts) == 0 {
			continue
		}
		if !titled {
			t.line("")
			t.titled("LAYERS", "calls that the tries inside each attempt added; layer 1 is the outermost")
			titled = true
		}
		t.wrapped("  "+together(t.inCase(t.clean(labelOf(e.p)), e.index))+"   "+strings.Join(parts, ", "), 4)
	}
}
