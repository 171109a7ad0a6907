package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"herdsim/sim/scenario"
)

func validateCommand() command {
	return command{
		name: "validate", args: "FILE|@NAME|DIR|-…", summary: "read scenarios and show every error and warning, without a simulation",
		details: `FILE is a scenario, @NAME one that is shipped, such as @outage-herd, DIR stands for the *.yaml and
*.yml in it (not in folders below), - for standard input. The flags that change a scenario are checked
with it, as run would. Policies are counted once for each file, however many cases it has.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			v := validation{app: a}
			bindOverrides(flags, &v.over)
			bindMetric(flags, &v.over)
			v.voice.bind(flags, "nothing when all is well")
			v.voice.bindFormat(flags)
			return v.run
		},
	}
}

type validation struct {
	*app
	over  scenario.Overrides
	voice voice
}

func (v *validation) run(ctx context.Context, args []string) int {
	tasks, _, err := v.load(ctx, args, v.over, &v.voice)
	if err != nil {
		return v.tell(err)
	}
	var policies, cases int
	for _, t := range tasks {
		policies += len(t.file.Cases[0].Policies) // the same in every case
		cases += len(t.file.Cases)
	}
	if v.voice.quiet {
		return exitDone
	}
	line := fmt.Sprintf("ok: %s, %s, %s\n",
		plural(len(tasks), "file", "files"), plural(policies, "policy", "policies"), plural(cases, "case", "cases"))
	return v.tell(v.print([]byte(line)))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
