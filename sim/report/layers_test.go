package report

import (
	"strings"
	"testing"

	"herdsim/sim/result"
)

// Layers are named by policy, and by case when there are several; policies without are left out, and so is an empty section.
func TestLayers(t *testing.T) {
	r := fixtures()["matrix-two"]
	if got := textOf(t, r, TextOptions{}); strings.Contains(got, "LAYERS") {
		t.Errorf("layers without any:\n%s", got)
	}
	calls := func(n string) result.Number {
		var c result.Number
		if err := c.UnmarshalJSON([]byte(n)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	p := &r.Cases[1].Policies[0]
	p.Label = "nested"
	p.Layers = []result.LayerRow{{Tries: 1, Calls: calls("0")}, {Tries: 5, Calls: calls("3600.5")}}
	got := strings.Join(strings.Fields(strings.ReplaceAll(textOf(t, r, TextOptions{Width: 200}), hard, " ")), " ")
	for _, want := range []string{
		"LAYERS calls that the tries inside each attempt added; layer 1 is the outermost nested, case 2 of",
		"layer 1 of 1 try: 0, layer 2 of 5 tries: 3600",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
