package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/diag"
	"herdsim/sim/units"
)

// A command is one word of the command line.
type command struct {
	name    string
	args    string   // its arguments, as help shows them
	summary string   // one line
	details string   // what help says beyond the flags
	offers  []string // arguments that completion offers beside files
	bind    func(a *app, flags *pflag.FlagSet) action
}

// An action carries out a command whose flags were read, and returns the exit code.
type action func(ctx context.Context, args []string) int

// commands lists every command in the order of help.
func commands() []command {
	return []command{
		runCommand(), checkCommand(), validateCommand(), delayCommand(), planCommand(), compareCommand(), plotCommand(), traceCommand(),
		presetsCommand(), initCommand(), schemaCommand(), completionCommand(), versionCommand(), helpCommand(),
	}
}

// takesScenarios reports whether the command's arguments may be scenarios.
func (c command) takesScenarios() bool { return strings.Contains(c.args, "@NAME") }

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func commandNamed(name string) (command, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	names := commandNames()
	return command{}, userErrorf("unknown command %s%s\n  = the commands are: %s", units.Quote(name), didYouMean(name, names), strings.Join(names, ", "))
}

func (a *app) dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return a.tell(a.print(shortHelp()))
	}
	name := args[0]
	switch name {
	case "-h", "--help":
		name = "help"
	case "--version":
		name = "version"
	}
	if strings.HasPrefix(name, "-") {
		return a.tell(userErrorf("flag %s before any command: flags come after it", units.Quote(name)))
	}
	c, err := commandNamed(name)
	if err != nil {
		return a.tell(err)
	}
	a.concise = wantsConcise(args[1:])
	flags, act := c.prepare(a)
	if err := flags.Parse(args[1:]); errors.Is(err, pflag.ErrHelp) {
		return a.tell(a.print(c.help()))
	} else if err != nil {
		return a.tell(c.explain(flags, err))
	}
	return act(ctx, flags.Args())
}

// wantsConcise looks for --format concise before the flags are read: one of them may be what is wrong.
func wantsConcise(args []string) bool {
	for i, arg := range args {
		if arg == "--format=concise" || arg == "--format" && i+1 < len(args) && args[i+1] == "concise" {
			return true
		}
	}
	return false
}

func (c command) prepare(a *app) (*pflag.FlagSet, action) {
	flags := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags, c.bind(a, flags)
}

// explain turns what pflag says about a wrong flag into our words.
func (c command) explain(flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		err = fmt.Errorf("unknown flag %s", units.Quote("-"+unknown.GetSpecifiedName()))
	case errors.As(err, &unknown):
		var names []string
		flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		err = fmt.Errorf("unknown flag %s%s", units.Quote(name), didYouMean(name, names))
	case errors.As(err, &empty):
		err = fmt.Errorf("flag `--%s` needs a value", empty.GetFlag().Name)
	case errors.As(err, &wrong):
		err = fmt.Errorf("flag `--%s`: %w", wrong.GetFlag().Name, wrong.Unwrap())
	}
	return userErrorf("%s\n  = see `herdsim help %s`", err, c.name)
}

func didYouMean(word string, known []string) string {
	if near, ok := diag.Nearest(word, known); ok {
		return fmt.Sprintf(": did you mean `%s`?", near)
	}
	return ""
}
