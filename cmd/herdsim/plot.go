package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/plots"
	"herdsim/sim/experiment"
	"herdsim/sim/report"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

func plotCommand() command {
	return command{
		name: "plot", args: "RESULT|FILE|@NAME|-", summary: "draw the pictures of a saved result, or of a scenario that is run first",
		details: `RESULT is what run --report json=RESULT wrote: its pictures are the bytes that run --plots draws.
FILE is a scenario, @NAME one that is shipped, such as @outage-herd; the flags that change or run it
have no meaning for a saved result. Standard input (-) may be either.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			d := &drawing{app: a, flags: flags}
			d.out = "."
			flags.Var(filled(&d.out), "out", "draw into `FOLDER`, which is made when it is missing (default: the working folder)")
			bindPlotFormat(flags, &d.format)
			flags.StringArrayVar(&d.ids, "picture", nil,
				"draw the picture `ID` alone: "+strings.Join(plots.Names(), ", ")+"; may be repeated (default: all)")
			offer(flags, "picture", plots.Names())
			d.voice.bind(flags, "nothing, as ever")
			d.common = flagNames(flags)
			bindOverrides(flags, &d.over)
			d.effort.bind(flags)
			return d.run
		},
	}
}

type drawing struct {
	*app
	flags  *pflag.FlagSet
	common []string // the flags that mean something for a saved result
	out    string
	format string
	ids    []string
	over   scenario.Overrides
	effort effort
	voice  voice
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// setBeside returns a flag that was set and is not among those known; "" when there is none.
func setBeside(flags *pflag.FlagSet, known []string) string {
	var name string
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(known, f.Name) {
			name = f.Name
		}
	})
	return name
}

func (d *drawing) run(ctx context.Context, args []string) int {
	if err := d.check(args); err != nil {
		return d.tell(err)
	}
	r, err := d.result(ctx, args[0])
	if err != nil {
		return d.tell(err)
	}
	docs, err := pictures(r, plots.Options{Format: d.format, Pictures: d.ids}, d.out, "")
	if err != nil {
		return d.tell(userErrorf("%s: %s", shown(args[0]), err))
	}
	return d.tell(d.write(ctx, docs, &d.voice))
}

func (d *drawing) check(args []string) error {
	if len(args) != 1 {
		return userErrorf("plot takes one saved result or scenario, not %d", len(args))
	}
	for _, id := range d.ids {
		if !slices.Contains(plots.Names(), id) {
			return userErrorf("unknown picture %s%s\n  = the pictures are: %s", units.Quote(id), didYouMean(id, plots.Names()), strings.Join(plots.Names(), ", "))
		}
	}
	d.out = filepath.Clean(d.out)
	return mayWrite(d.out)
}

// result reads a saved result, or runs a scenario.
func (d *drawing) result(ctx context.Context, path string) (*result.Result, error) {
	data, err := d.read(ctx, path, maxResult)
	if err != nil {
		return nil, err
	}
	if isResult(path, data) {
		return d.saved(path, data)
	}
	if len(data) > maxScenario {
		return nil, tooLarge(path, maxScenario)
	}
	file, list := parseData(path, data, d.over)
	if err := d.show(list, &d.voice); err != nil {
		return nil, err
	}
	if err := mayDraw(file); err != nil {
		return nil, err
	}
	return d.simulate(ctx, file, &d.effort, &d.voice, experiment.Options{})
}

func (d *drawing) saved(path string, data []byte) (*result.Result, error) {
	if name := setBeside(d.flags, d.common); name != "" {
		return nil, userErrorf("`--%s` has no meaning for a saved result", name)
	}
	r, err := report.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return nil, userErrorf("%s: %s", shown(path), err)
	}
	return r, nil
}

// isResult tells a saved result, whole or damaged, from a scenario.
func isResult(path string, data []byte) bool {
	if filepath.Ext(path) == ".json" {
		return true
	}
	var head struct {
		Format *string `json:"format"`
	}
	return json.Unmarshal(data, &head) == nil && head.Format != nil
}
