package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// helpWidth is the width of help in columns, whatever the terminal, so that it reads the same everywhere.
const helpWidth = 100

// switchValue is what pflag puts behind the name of every switch; it says less than it disturbs.
const switchValue = "[=true|false]"

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND]", summary: "explain a command and its flags",
		bind: func(a *app, _ *pflag.FlagSet) action { return a.help },
	}
}

func (a *app) help(_ context.Context, args []string) int {
	switch len(args) {
	case 0:
		return a.tell(a.print(shortHelp()))
	case 1:
		c, err := commandNamed(args[0])
		if err != nil {
			return a.tell(err)
		}
		return a.tell(a.print(c.help()))
	}
	return a.tell(userErrorf("help: one command at a time, not %d", len(args)))
}

func shortHelp() []byte {
	var b bytes.Buffer
	b.WriteString("herdsim simulates how job retry policies behave when a service fails.\n\nusage: herdsim COMMAND [FLAGS] [ARGUMENTS]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %-20s %s\n", c.name, c.args, c.summary)
	}
	b.WriteString(`
Start with: herdsim run @outage-herd
The flags of a command: herdsim help COMMAND

Exit codes: 0 done; 1 a check failed; 2 wrong command line or scenario; 3 output failed, a limit
was hit, or an internal error; 130 interrupted.
`)
	return b.Bytes()
}

// help is the whole text on a command.
func (c command) help() []byte {
	var b bytes.Buffer
	flags, _ := c.prepare(new(app))
	usage := c.name
	if flags.HasFlags() {
		usage += " [FLAGS]"
	}
	if c.args != "" {
		usage += " " + c.args
	}
	fmt.Fprintf(&b, "usage: herdsim %s\n\n%s\n", usage, c.summary)
	if c.details != "" {
		fmt.Fprintf(&b, "\n%s\n", c.details)
	}
	if flags.HasFlags() {
		fmt.Fprintf(&b, "\nflags:\n%s", strings.ReplaceAll(flags.FlagUsagesWrapped(helpWidth), switchValue, strings.Repeat(" ", len(switchValue))))
	}
	return b.Bytes()
}
