package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/preset"
	"herdsim/sim/units"
)

func presetsCommand() command {
	return command{
		name: "presets", args: "[NAME]", summary: "list the job queues that are known, or explain one",
		details: `Without a name the queues and their waits are listed; with one, everything that its preset says: where it
was read, its formula, budget and promotion, its options with units and defaults, and what the model
leaves out. In a formula d is a wait, n the number of the failure, from 1, and U a uniform random number.`,
		offers: preset.Names(),
		bind:   func(a *app, _ *pflag.FlagSet) action { return a.presets },
	}
}

func (a *app) presets(_ context.Context, args []string) int {
	switch len(args) {
	case 0:
		return a.tell(a.print(catalogue()))
	case 1:
		p, err := presetNamed(args[0])
		if err != nil {
			return a.tell(err)
		}
		return a.tell(a.print(describePreset(p)))
	}
	return a.tell(userErrorf("presets: one preset at a time, not %d", len(args)))
}

func presetNamed(name string) (*preset.Preset, error) {
	p, ok := preset.Lookup(name)
	if !ok {
		return nil, userErrorf("unknown preset %s%s\n  = there are: %s", units.Quote(name), didYouMean(name, preset.Names()), strings.Join(preset.Names(), ", "))
	}
	return p, nil
}

// catalogue lists all presets.
func catalogue() []byte {
	var b bytes.Buffer
	for _, name := range preset.Names() {
		p, _ := preset.Lookup(name)
		fmt.Fprintf(&b, "%s: %s\n", p.Name, p.Title)
		entryLine(&b, "wait", p.Formula)
		entryLine(&b, "source", p.Source)
		b.WriteByte('\n')
	}
	b.WriteString("Options, units and defaults of one: herdsim presets NAME\nA scenario with it: herdsim init --preset NAME\n")
	return b.Bytes()
}

// describePreset is all that a preset says of itself.
func describePreset(p *preset.Preset) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n", p.Name, p.Title)
	entryLine(&b, "wait", p.Formula)
	entryLine(&b, "budget", p.Budget)
	entryLine(&b, "promotion", p.Queue)
	entryLine(&b, "source", p.Source)
	b.WriteString("\noptions:\n")
	for _, o := range p.Options {
		head := strings.Join(append([]string{o.Name}, o.Aliases...), ", ") + ": " + o.Type
		if o.Unit != "" {
			head += " (" + o.Unit + ")"
		}
		meaning := o.Doc
		switch {
		case o.Later:
			meaning += "; not supported yet"
		case o.Default != "":
			meaning += " (default: " + o.Default + ")"
		}
		filledText(&b, "  ", "      ", head)
		filledText(&b, "      ", "      ", meaning)
	}
	b.WriteString("\nleft out or simplified:\n")
	for _, d := range p.Differs {
		filledText(&b, "  - ", "    ", d)
	}
	return b.Bytes()
}

// entryLine writes a named text.
func entryLine(b *bytes.Buffer, name, text string) {
	filledText(b, fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13), text)
}
