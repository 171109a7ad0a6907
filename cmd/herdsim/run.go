package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"herdsim/plots"
	"herdsim/sim/advice"
	"herdsim/sim/experiment"
	"herdsim/sim/report"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

func runCommand() command {
	return command{
		name: "run", args: "FILE|@NAME|DIR|-…", summary: "simulate scenarios and compare their policies",
		details: `FILE is a scenario, @NAME one that is shipped, such as @outage-herd, DIR stands for the *.yaml and
*.yml in it (not in folders below), - for standard input. Standard output carries the result alone:
the same bytes for the same scenario, seed and version.

With a folder or several files every scenario has its own output: a subfolder of --plots and of
--report csv named after its file, and that name before the ending of --report json and of
--dead-letters (out.json becomes out-NAME.json). JSON on standard output is then one document after
the other. The files of --report junit, github and md hold all scenarios that were run, and are
written last.

The checks of a scenario are judged, and a failed one makes the exit code 1.

Files appear whole or not at all; a failed or interrupted run leaves those of an earlier run. The
reports of a run are written all or none, then its pictures all or none: a picture that fails takes
no report with it.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			s := &simulation{app: a}
			s.text = func(_ task, r *result.Result) ([]byte, error) {
				return s.outputs.text(r, s.textOptions(&s.outputs, &s.voice))
			}
			bindOverrides(flags, &s.over)
			s.effort.auto.bind(flags, &s.over)
			bindMetric(flags, &s.over)
			s.outputs.bind(flags)
			s.outputs.bindText(flags)
			s.effort.bind(flags)
			s.bindFix(flags, 0)
			s.voice.bind(flags, "the table alone")
			s.voice.bindFormat(flags)
			return s.run
		},
	}
}

// A simulation is a command that runs scenarios; run and check differ in what they print.
type simulation struct {
	*app
	over    scenario.Overrides
	outputs outputs
	effort  effort
	voice   voice
	fixes   int // changes that are simulated for a failed check
	text    func(t task, r *result.Result) ([]byte, error)
	results []*result.Result // of the scenarios that were run, for reports that gather them
	faults  []report.Fault   // of those that could not be
}

// bindFix adds the flag that bounds the search for fixes; most is the default.
func (s *simulation) bindFix(flags *pflag.FlagSet, most int) {
	s.fixes = most
	def := "off"
	if most > 0 {
		def = strconv.Itoa(most)
	}
	flags.Var(checked(func(text string) error {
		if text == "off" {
			s.fixes = 0
			return nil
		}
		return whole(1, 1000, func(n uint64) { s.fixes = int(n) })(text)
	}), "fix", "simulate at most `N` changes of the scenario, one at a time, in search of what would mend a failed check, or off (default: "+def+")")
}

func (s *simulation) run(ctx context.Context, args []string) int {
	if err := s.outputs.check(&s.voice); err != nil {
		return s.tell(err)
	}
	if err := s.effort.auto.check(); err != nil {
		return s.tell(err)
	}
	tasks, faults, err := s.load(ctx, args, s.over, &s.voice)
	s.faults = faults
	return max(s.tell(err), s.all(ctx, tasks))
}

// all runs the tasks and returns the worst exit code.
func (s *simulation) all(ctx context.Context, tasks []task) int {
	code := exitDone
	for _, t := range tasks {
		err := s.one(ctx, t)
		code = max(code, s.tell(err))
		if code == exitInterrupted || errors.As(err, new(stdoutError)) {
			return code
		}
	}
	return max(code, s.tell(s.gather(ctx)))
}

// gather delivers the reports that hold all results; when there is nothing for one to hold, an earlier report stays.
func (s *simulation) gather(ctx context.Context) error {
	if len(s.results) == 0 && len(s.faults) == 0 {
		return nil
	}
	text, docs, err := s.outputs.gathered(s.results, s.faults)
	if err != nil {
		return err
	}
	return errors.Join(s.print(text), s.write(ctx, docs, &s.voice))
}

// one runs a scenario and delivers its result. Printing and writing files do not wait for each other's success.
func (s *simulation) one(ctx context.Context, t task) error {
	if err := s.outputs.preflight(t); err != nil {
		return err
	}
	if err := s.settleable(t); err != nil {
		return err
	}
	opt := experiment.Options{NoSeries: s.outputs.noSeries}
	var letters []result.Letters
	if s.outputs.letters != "" {
		opt.Letters = func(l result.Letters) { letters = append(letters, l) }
	}
	r, err := s.simulate(ctx, t.file, &s.effort, &s.voice, opt)
	if err != nil {
		return err
	}
	r.Scenario.Args = repetition(s.over)
	if s.effort.auto.on {
		t = t.repeated(r.Replications)
	}
	if err := s.explain(ctx, t, r); err != nil {
		return err
	}
	s.keep(r)
	text, err := s.text(t, r)
	if err != nil {
		return err
	}
	docs, err := s.outputs.reports(r, letters, t)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	printed := s.print(text)
	if err = s.write(ctx, docs, &s.voice); errors.Is(err, context.Canceled) {
		return errors.Join(printed, err)
	}
	return errors.Join(printed, err, s.draw(ctx, r, t, docs), verdict(r))
}

// keep holds a result for the reports that gather them. They do without series, which are most of it.
func (s *simulation) keep(r *result.Result) {
	if !slices.ContainsFunc(s.outputs.targets, target.gathers) {
		return
	}
	kept := *r
	kept.Cases = slices.Clone(r.Cases)
	for i := range kept.Cases {
		kept.Cases[i].Policies = slices.Clone(kept.Cases[i].Policies)
		for j := range kept.Cases[i].Policies {
			kept.Cases[i].Policies[j].Series = nil
		}
	}
	s.results = append(s.results, &kept)
}

// verdict is the error of a result with a failed check.
func verdict(r *result.Result) error {
	if r.Failed() {
		return errCheck
	}
	return nil
}

// explain says why checks failed, and what would mend them.
func (s *simulation) explain(ctx context.Context, t task, r *result.Result) error {
	return advice.Explain(ctx, advice.Request{
		File: t.file, Result: r, Parse: t.parse, Fixes: s.fixes,
		Run: experiment.Options{Cores: s.effort.cores, MaxEvents: s.effort.maxEvents},
	})
}

// draw delivers the pictures. They come last: a result is not lost with a picture of it.
func (s *simulation) draw(ctx context.Context, r *result.Result, t task, reports []document) error {
	if s.outputs.plots == "" {
		return nil
	}
	docs, err := pictures(r, plots.Options{Format: s.outputs.plotFormat}, s.outputs.plots, t.subdir)
	if err != nil {
		return fmt.Errorf("%s: no pictures: %w", shown(t.file.Path), err)
	}
	for _, d := range docs {
		if slices.ContainsFunc(reports, func(r document) bool { return r.String() == d.String() }) {
			return fmt.Errorf("cannot write %s: it would be written twice", shown(d.String()))
		}
	}
	return s.write(ctx, docs, &s.voice)
}

// textOptions says how the text of a result looks on standard output.
func (a *app) textOptions(o *outputs, v *voice) report.TextOptions {
	t := report.TextOptions{Width: o.width, Color: a.colored(v, a.stdout), ASCII: o.ascii, Quiet: v.quiet, Verbose: o.verbose}
	if t.Width == 0 {
		t.Width = a.stdout.width
	}
	return t
}

// write delivers documents and names them on standard error.
func (a *app) write(ctx context.Context, docs []document, v *voice) error {
	if err := deliver(ctx, docs); err != nil {
		return err
	}
	if !v.quiet {
		for _, d := range docs {
			fmt.Fprintf(a.stderr, "wrote %s\n", shown(d.String()))
		}
	}
	return nil
}
