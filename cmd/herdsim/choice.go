package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/scenario"
)

// bindChoice adds the flag that chooses a case, and gives --policy, which bindOverrides has added, the sense of a choice.
func bindChoice(flags *pflag.FlagSet, which *int) {
	flags.Lookup("policy").Usage = "the policy `NAME` (default: the only one)"
	flags.Var(whole(1, 1<<31-1, func(n uint64) { *which = int(n) }), "case",
		"the `K`-th case of the matrix, from 1 (default: the only one)")
}

// chooseCase returns the case that the flags leave; which counts from 1, and is 0 when none was named.
func chooseCase(f *scenario.File, which int) (*scenario.Case, error) {
	switch {
	case which > len(f.Cases):
		return nil, userErrorf("there is no case %d: %s has %s", which, shown(f.Path), plural(len(f.Cases), "case", "cases"))
	case which == 0 && len(f.Cases) > 1:
		return nil, userErrorf("%s has %d cases: choose one with --case%s", shown(f.Path), len(f.Cases), caseList(f.Cases))
	}
	return &f.Cases[max(which, 1)-1], nil
}

// chooseRun returns the case and the one policy of a scenario that the flags leave.
func chooseRun(f *scenario.File, which int) (*scenario.Case, *scenario.Policy, error) {
	c, err := chooseCase(f, which)
	if err != nil {
		return nil, nil, err
	}
	if len(c.Policies) > 1 {
		var names []string
		for _, p := range c.Policies {
			names = append(names, p.Name)
		}
		return nil, nil, userErrorf("%s has %d policies: choose one with --policy\n  = there are: %s", shown(f.Path), len(names), strings.Join(names, ", "))
	}
	return c, &c.Policies[0], nil
}

// caseList lists the first cases for a message.
func caseList(cases []scenario.Case) string {
	const most = 12
	var b strings.Builder
	for i, c := range cases[:min(len(cases), most)] {
		fmt.Fprintf(&b, "\n  = --case %d: %s", i+1, settingsLine(c.Set))
	}
	if len(cases) > most {
		fmt.Fprintf(&b, "\n  = … up to --case %d", len(cases))
	}
	return b.String()
}

func settingsLine(set []scenario.Setting) string {
	var parts []string
	for _, s := range set {
		parts = append(parts, s.Path+" = "+s.Value)
	}
	return strings.Join(parts, ", ")
}
