package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/plots"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

// formats of --report.
var formats = [...]string{"json", "csv", "junit", "github", "md"}

// later are the formats that have a name already.
var later = [...]string{"html"}

// A target is where one form of the result goes.
type target struct {
	format string // one of formats, letters or plots
	path   string // of a file (standard for standard output), or of a folder (csv, plots)
}

// gathers reports whether the target holds all scenarios of the command; others have a file or folder for each.
func (t target) gathers() bool {
	return t.format == "junit" || t.format == "github" || t.format == "md"
}

// isFolder reports whether the target is a folder.
func (t target) isFolder() bool { return t.format == "csv" || t.format == "plots" }

// parseTarget reads FORMAT=PATH.
func parseTarget(text string) (target, error) {
	format, path, found := strings.Cut(text, "=")
	switch {
	case slices.Contains(later[:], format):
		return target{}, fmt.Errorf("format %s is not supported yet; supported: %s", format, strings.Join(formats[:], ", "))
	case !slices.Contains(formats[:], format):
		return target{}, fmt.Errorf("unknown format %s%s; supported: %s", units.Quote(format), didYouMean(format, formats[:]), strings.Join(formats[:], ", "))
	case !found || path == "":
		return target{}, fmt.Errorf("%s has no path: write %s=PATH", units.Quote(text), format)
	case format != "csv" && strings.HasSuffix(path, "/"):
		return target{}, fmt.Errorf("%s is a folder: name a file", units.Quote(path))
	case format == "csv" && path == standard:
		return target{}, fmt.Errorf("csv is several files: name a folder instead of `-`")
	}
	return target{format, path}, nil
}

// outputs are the forms in which a run's result is wanted beside, or instead of, the text.
type outputs struct {
	targets    []target
	json       bool
	plots      string // folder; "" for no pictures
	letters    string // file of dead letters; "" for none
	plotFormat string // png, svg
	width      int    // of the text; 0: the terminal's
	ascii      bool
	verbose    bool
	noSeries   bool
}

func (o *outputs) bind(flags *pflag.FlagSet) {
	flags.Var(checked(func(text string) error {
		t, err := parseTarget(text)
		o.targets = append(o.targets, t)
		return err
	}), "report", "also write the result as `FORMAT=PATH`: json=FILE, csv=FOLDER, junit=FILE or md=FILE, or github=- for annotations in GitHub Actions; `-` as FILE prints it instead of the text; may be repeated (default: none)")
	flags.BoolVar(&o.json, "json", false, "the same as --report json=- (default: off)")
	flags.Var(filled(&o.plots), "plots", "draw pictures into `FOLDER` (default: none)")
	bindPlotFormat(flags, &o.plotFormat)
	flags.Var(filled(&o.letters), "dead-letters", "also write the letters of the jobs that are dead at the end of each run as CSV into `FILE` (default: none)")
	flags.BoolVar(&o.noSeries, "no-series", false, "leave the counts per bin, and with them the chart, out of the result (default: off)")
}

// bindText adds the flags that say how the text of a result looks.
func (o *outputs) bindText(flags *pflag.FlagSet) {
	flags.BoolVar(&o.ascii, "ascii", false, "write the text in ASCII characters alone (default: off)")
	flags.Var(whole(40, 400, func(n uint64) { o.width = int(n) }), "width", "write the text `N` columns wide, 40 to 400 (default: as the terminal, else 80)")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "add every metric of every policy to the text (default: off)")
}

func bindPlotFormat(flags *pflag.FlagSet, at *string) {
	bindWord(flags, at, "plot-format", []string{"png", "svg"}, "`FORMAT` of the pictures: png or svg (default: png)")
}

// check refuses what cannot work before anything is simulated.
func (o *outputs) check(v *voice) error {
	if v.quiet && o.verbose {
		return userErrorf("`--quiet` and `--verbose` contradict each other")
	}
	if o.json {
		o.targets = append(o.targets, target{"json", standard})
	}
	if o.plots != "" && o.noSeries {
		return userErrorf("`--plots` draws the counts per bin that `--no-series` leaves out")
	}
	var printed []string
	for _, t := range o.targets {
		if t.path == standard {
			printed = append(printed, t.format)
		}
	}
	switch {
	case len(printed) < 2:
		return nil
	case !slices.ContainsFunc(printed, func(f string) bool { return f != "json" }):
		return userErrorf("json is to be printed %d times: `--json` is the same as `--report json=-`", len(printed))
	}
	return userErrorf("standard output takes one report, not %s: name files for the others", strings.Join(printed, " and "))
}

// prints says which form of the result standard output carries; "" for the text alone, which GitHub's annotations follow and
// others replace.
func (o *outputs) prints() string {
	for _, t := range o.targets {
		if t.path == standard {
			return t.format
		}
	}
	return ""
}

// place returns the folder of a target and what comes before the names of its files: with several scenarios each has a
// subfolder for csv and pictures, and its name before the ending of a file of json or letters; other files hold all of them.
func (t target) place(subdir string) (folder, name string) {
	if t.isFolder() {
		return t.path, subdir
	}
	folder, name = filepath.Split(t.path)
	if subdir != "" && !t.gathers() {
		ext := filepath.Ext(name)
		name = strings.TrimSuffix(name, ext) + "-" + subdir + ext
	}
	return filepath.Clean(folder), name
}

// files lists the targets that are files, the pictures among them.
func (o *outputs) files() []target {
	var files []target
	for _, t := range o.targets {
		if t.path != standard {
			files = append(files, t)
		}
	}
	if o.letters != "" {
		files = append(files, target{"letters", o.letters})
	}
	if o.plots != "" {
		files = append(files, target{"plots", o.plots})
	}
	return files
}

// preflight finds out what can be known of the targets of a task before it is run.
func (o *outputs) preflight(t task) error {
	if o.plots != "" {
		if err := mayDraw(t.file); err != nil {
			return err
		}
	}
	for _, f := range o.files() {
		folder, name := f.place(t.subdir)
		if err := mayWrite(folder); err != nil {
			return err
		}
		if f.isFolder() {
			continue
		}
		path := filepath.Join(folder, name)
		if err := mayReplace(path, "the scenario itself", t.file.Path); err != nil {
			return err
		}
	}
	return nil
}

// mayReplace refuses to write over what is no regular file, and over one of the inputs, which are called what they are.
func mayReplace(path, what string, inputs ...string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // nothing there to be replaced
	}
	if err := mustBeRegular(info, nil); err != nil {
		return fmt.Errorf("cannot write %s: %s", shown(path), err)
	}
	for _, in := range inputs {
		if input, err := os.Stat(in); err == nil && os.SameFile(info, input) {
			return userErrorf("%s is %s: name another file for the result", shown(path), what)
		}
	}
	return nil
}

// mayDraw finds out before a run whether its result can be drawn.
func mayDraw(f *scenario.File) error {
	policies := 0
	for i := range f.Cases {
		policies = max(policies, len(f.Cases[i].Policies))
	}
	if err := plots.Drawable(len(f.Cases), policies); err != nil {
		return userErrorf("%s: %s", shown(f.Path), err)
	}
	return nil
}
