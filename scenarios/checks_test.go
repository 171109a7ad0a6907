package scenarios

import (
	"testing"

	"herdsim/sim/scenario"
)

// Every shipped scenario says what it is there to show, so that `herdsim check scenarios` guards it.
func TestShippedScenariosHaveChecks(t *testing.T) {
	for _, name := range Names() {
		data, _ := Read(name)
		f, problems := scenario.Parse(name+".yaml", data, scenario.Overrides{})
		if f == nil {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		for i := range f.Cases {
			if len(f.Cases[i].Checks) == 0 {
				t.Errorf("%s has no check", name)
			}
		}
	}
}
