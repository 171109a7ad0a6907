package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/units"
)

// helpWidth is the width of help in columns, whatever the terminal, so that it reads the same everywhere.
const helpWidth = 100

// switchValue is what pflag puts behind the name of every switch; it says less than it disturbs.
const switchValue = "[=true|false]"

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND]", summary: "explain a command and its flags",
		bind: func(a *app, flags *pflag.FlagSet) action {
			man := false
			flags.BoolVar(&man, "man", false, "print the manual page of herdsim and all its commands instead, as man(7) source (default: off)")
			return func(_ context.Context, args []string) int { return a.help(man, args) }
		},
	}
}

func (a *app) help(man bool, args []string) int {
	switch {
	case man && len(args) > 0:
		return a.tell(userErrorf("help: the manual page holds every command: leave %s out", units.Quote(args[0])))
	case man:
		return a.tell(a.print(manual()))
	case len(args) == 0:
		return a.tell(a.print(shortHelp()))
	case len(args) == 1:
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

`)
	var meanings []string
	for _, e := range exitMeanings() {
		meanings = append(meanings, fmt.Sprintf("%d %s", e.code, e.text))
	}
	filledText(&b, "Exit codes: ", "", strings.Join(meanings, "; ")+".")
	return b.Bytes()
}

// usage is how the command is called.
func (c command) usage(flags *pflag.FlagSet) string {
	usage := c.name
	if flags.HasFlags() {
		usage += " [FLAGS]"
	}
	if c.args != "" {
		usage += " " + c.args
	}
	return usage
}

// help is the whole text on a command.
func (c command) help() []byte {
	var b bytes.Buffer
	flags, _ := c.prepare(new(app))
	fmt.Fprintf(&b, "usage: herdsim %s\n\n%s\n", c.usage(flags), c.summary)
	if c.details != "" {
		fmt.Fprintf(&b, "\n%s\n", c.details)
	}
	if flags.HasFlags() {
		fmt.Fprintf(&b, "\nflags:\n%s", strings.ReplaceAll(flags.FlagUsagesWrapped(helpWidth), switchValue, strings.Repeat(" ", len(switchValue))))
	}
	return b.Bytes()
}

// filledText writes a text in lines of helpWidth, the first behind one indent and the others behind another.
func filledText(b *bytes.Buffer, first, other, text string) {
	line := first
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len([]rune(line))+1+len([]rune(word)) > helpWidth:
			b.WriteString(line + "\n")
			line = other + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}
