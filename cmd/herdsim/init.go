package main

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/preset"
)

// starter is the beginning of every scenario that init prints; the policies follow.
//
//go:embed starter.yaml
var starter string

// patient is a policy to compare with.
const patient = `  patient:                                        # waits 1s, 2s, 4s, … up to 30s, each anything from 0 to that
    delay: {exponential: {base: 1s, factor: 2, cap: 30s}}
    jitter: full
    max_attempts: 12                              # tries in all, the first included
`

func initCommand() command {
	return command{
		name: "init", summary: "print a commented scenario to start from",
		details: `The scenario is complete: herdsim init > queue.yaml, then herdsim run queue.yaml. With --preset its first
policy is that library, with every option and its default.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			var name string
			flags.Var(filled(&name), "preset", "compare the library `NAME`: "+strings.Join(preset.Names(), ", ")+" (default: none)")
			offer(flags, "preset", preset.Names())
			return func(_ context.Context, args []string) int { return a.init(name, args) }
		},
	}
}

func (a *app) init(name string, args []string) int {
	if len(args) > 0 {
		return a.tell(userErrorf("init takes no argument"))
	}
	policies := `  fixed:
    delay: {fixed: 5s}                            # the same wait after every failure
    max_attempts: 12
`
	if name != "" {
		p, err := presetNamed(name)
		if err != nil {
			return a.tell(err)
		}
		policies = presetPolicy(p)
	}
	return a.tell(a.print([]byte(starter + policies + patient)))
}

// presetPolicy writes a library as a policy. An option without a default is a comment: leaving it out means something.
func presetPolicy(p *preset.Preset) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s:\n    preset: %s                                %s# %s\n", p.Name, p.Name, strings.Repeat(" ", max(0, 6-len(p.Name))), p.Title)
	b.WriteString("    queue: preset                                 # promote due retries as the library does\n")
	if slices.ContainsFunc(p.Options, func(o preset.Option) bool { return !o.Later && o.Default != "" }) {
		b.WriteString("    options:                                      # in the library's own names and units\n")
	} else {
		b.WriteString("    # options:                                    # in the library's own names and units\n")
	}
	for _, o := range p.Options {
		if o.Later {
			continue
		}
		meaning := o.Doc
		if o.Unit != "" {
			meaning += " (" + o.Unit + ")"
		}
		line := fmt.Sprintf("      %s: %s", o.Name, o.Default)
		if o.Default == "" {
			line = fmt.Sprintf("      # %s: %s", o.Name, o.Type)
		}
		fmt.Fprintf(&b, "%-49s # %s\n", line, meaning)
	}
	return b.String()
}
