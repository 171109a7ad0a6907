package main

import (
	"context"

	"github.com/spf13/pflag"

	"herdsim/sim/scenario"
)

func schemaCommand() command {
	return command{
		name: "schema", summary: "print the JSON Schema of scenario files, for editors",
		details: `Save it beside your scenarios: herdsim schema > herdsim-v1.schema.json. An editor with a YAML language
server then completes and checks every file that begins with the line

  # yaml-language-server: $schema=./herdsim-v1.schema.json

A schema knows fields, forms and units; herdsim validate also knows what fields mean together.`,
		bind: func(a *app, _ *pflag.FlagSet) action { return a.schema },
	}
}

func (a *app) schema(_ context.Context, args []string) int {
	if len(args) > 0 {
		return a.tell(userErrorf("schema takes no argument"))
	}
	return a.tell(a.print(scenario.Schema()))
}
