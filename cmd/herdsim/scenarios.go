package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"herdsim/sim/diag"
	"herdsim/sim/report"
	"herdsim/sim/scenario"
)

// A task is one scenario that was read and found well.
type task struct {
	file   *scenario.File
	subdir string // its part of the paths of output files; "" when it is the only scenario

	// parse reads the scenario with one thing more set; nil when that is an error.
	parse func(scenario.Setting) *scenario.File
}

// load reads every scenario that the arguments name and shows everything that is wrong with any of them. The tasks are
// those without an error, the faults those with one; the error is nil when there is none.
func (a *app) load(ctx context.Context, args []string, over scenario.Overrides, v *voice) ([]task, []report.Fault, error) {
	if len(args) == 0 {
		return nil, nil, userErrorf("no scenario: name a file, a folder, or `-` for standard input")
	}
	paths, err := scenarioPaths(args)
	found := complaints(err)
	names := outputNames(paths, args)
	var tasks []task
	var faults []report.Fault
	for i, path := range paths {
		data, err := a.read(ctx, path, maxScenario)
		if errors.Is(err, context.Canceled) {
			return nil, nil, err
		}
		if err != nil {
			found = append(found, complaints(err)...)
			faults = append(faults, faultOf(path, complaints(err))...)
			continue
		}
		file, list := parseData(path, data, over)
		found = append(found, list...)
		faults = append(faults, faultOf(path, list)...)
		if file != nil {
			tasks = append(tasks, task{file, names[i], func(change scenario.Setting) *scenario.File {
				more := over
				more.Sets = append(slices.Clip(over.Sets), change)
				changed, _ := parseData(path, data, more)
				return changed
			}})
		}
	}
	return tasks, faults, a.show(found, v)
}

// faultOf is what a report says of a scenario with these diagnostics: nothing when none is an error.
func faultOf(path string, list diag.List) []report.Fault {
	list = errorsOf(list)
	if len(list) == 0 {
		return nil
	}
	var text strings.Builder
	_ = list.Render(&text, diag.Options{}) // a builder takes everything
	return []report.Fault{{Name: nameOf(path), File: shown(path), Title: list[0].Message, Text: text.String()}}
}

// loadOne reads the one scenario that a command takes, and shows what is to be said about it.
func (a *app) loadOne(ctx context.Context, command string, args []string, over scenario.Overrides, v *voice) (*scenario.File, error) {
	if len(args) != 1 {
		return nil, userErrorf("%s takes one scenario, not %d", command, len(args))
	}
	file, list, err := a.parse(ctx, args[0], over)
	if err != nil {
		return nil, err
	}
	return file, a.show(list, v)
}

func (a *app) parse(ctx context.Context, path string, over scenario.Overrides) (*scenario.File, diag.List, error) {
	data, err := a.read(ctx, path, maxScenario)
	if err != nil {
		return nil, nil, err
	}
	file, list := parseData(path, data, over)
	return file, list, nil
}

// parseData reads a scenario whose text is there, with the files that lie beside it.
func parseData(path string, data []byte, over scenario.Overrides) (*scenario.File, diag.List) {
	over.Beside = beside(path)
	return scenario.Parse(path, data, over)
}

// complaints turns an error, which may be several joined, into diagnostics without a place.
func complaints(err error) diag.List {
	if err == nil {
		return nil
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var list diag.List
		for _, e := range several.Unwrap() {
			list = append(list, complaints(e)...)
		}
		return list
	}
	message, notes, _ := strings.Cut(err.Error(), noteMark)
	d := diag.Diagnostic{Message: message}
	if notes != "" {
		d.Notes = strings.Split(notes, noteMark)
	}
	return diag.List{d}
}

// show prints diagnostics; the error it returns says whether any of them was one.
func (a *app) show(list diag.List, v *voice) error {
	if v.quiet {
		list = errorsOf(list)
	}
	_ = list.Render(a.stderr, a.diagnostics(v, a.stderr)) // nowhere else to say it
	if list.HasErrors() {
		return errTold
	}
	return nil
}

// diagnostics says how diagnostics are printed to a stream.
func (a *app) diagnostics(v *voice, s stream) diag.Options {
	return diag.Options{Color: a.colored(v, s), Width: s.width, Concise: v.format == "concise"}
}

func errorsOf(list diag.List) diag.List {
	var kept diag.List
	for _, d := range list {
		if d.Severity == diag.Error {
			kept = append(kept, d)
		}
	}
	return kept
}

// outputNames gives every scenario a name for its output files, after its own file's name; none when there is a single
// file. Equal names are numbered.
func outputNames(paths, args []string) []string {
	names := make([]string, len(paths))
	if len(args) == 1 && !isFolder(args[0]) {
		return names
	}
	taken := map[string]bool{}
	for i, path := range paths {
		name := nameOf(path)
		names[i] = name
		for n := 2; taken[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s-%d", name, n)
		}
		taken[names[i]] = true
	}
	return names
}

// nameOf returns the name of a scenario's file, fit to be part of a path.
func nameOf(path string) string {
	if path == standard {
		return "stdin"
	}
	base := filepath.Base(path)
	return slug(strings.TrimSuffix(base, filepath.Ext(base)))
}

func isFolder(path string) bool {
	if path == standard || isShipped(path) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
