package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/diag"
	"herdsim/sim/report"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// usualFixes is how many changes check simulates for a failed check.
const usualFixes = 24

func checkCommand() command {
	return command{
		name: "check", args: "FILE|@NAME|DIR|-…", summary: "simulate scenarios and judge their checks, for CI",
		details: `FILE is a scenario, @NAME one that is shipped, such as @outage-herd, DIR stands for the *.yaml and
*.yml in it (not in folders below), - for standard input. A scenario whose checks hold takes one line;
of a check that fails, the place, what was observed and why are shown. A scenario without checks is an
error. Files of --report and --plots are named as run names them; --report junit=FILE, github=- and md=FILE
are what build servers read.

Exit codes: 0 all checks hold, 1 one failed, and otherwise as those of every command.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			s := &simulation{app: a}
			s.text = s.verdicts
			bindOverrides(flags, &s.over)
			s.effort.auto.bind(flags, &s.over)
			bindMetric(flags, &s.over)
			s.outputs.bind(flags)
			s.effort.bind(flags)
			s.bindFix(flags, usualFixes)
			s.voice.bind(flags, "the scenarios alone in which a check does not hold")
			s.voice.bindFormat(flags)
			return s.check
		},
	}
}

// check runs those scenarios that have checks, and refuses the others.
func (s *simulation) check(ctx context.Context, args []string) int {
	if err := s.outputs.check(&s.voice); err != nil {
		return s.tell(err)
	}
	if err := s.effort.auto.check(); err != nil {
		return s.tell(err)
	}
	tasks, faults, err := s.load(ctx, args, s.over, &s.voice)
	s.faults = faults
	code := s.tell(err)
	var checked []task
	for _, t := range tasks {
		if err := s.unchecked(t); err != nil {
			code = max(code, s.tell(err))
			s.faults = append(s.faults, faultOf(t.file.Path, complaints(err))...)
			continue
		}
		checked = append(checked, t)
	}
	return max(code, s.all(ctx, checked))
}

// unchecked is the error of a scenario without a check to judge.
func (s *simulation) unchecked(t task) error {
	if slices.ContainsFunc(t.file.Cases, func(c scenario.Case) bool { return len(c.Checks) > 0 }) {
		return nil
	}
	hint := "write what must hold under `checks:`, such as `checks: [jobs.dead <= 10]`"
	if s.over.Policies != "" {
		hint = "or none that concerns the policies of `--policy`"
	}
	return userErrorf("%s: no check%s%s", shown(t.file.Path), noteMark, hint)
}

// verdicts is what check prints of a result: what does not hold, explained, and one line for all.
func (s *simulation) verdicts(t task, r *result.Result) ([]byte, error) {
	if form := s.outputs.prints(); form != "" && form != "github" {
		return s.outputs.text(r, report.TextOptions{})
	}
	var b bytes.Buffer
	var list diag.List
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Status.Failed() || c.Status == result.Warn && !s.voice.quiet {
			list = append(list, explained(t.file, c, r.Replications))
		}
	}
	o := s.diagnostics(&s.voice, s.stdout)
	o.NoTotal = true
	if err := list.Render(&b, o); err != nil {
		return nil, err
	}
	word := "ok"
	if r.Failed() {
		word = "failed"
	}
	if s.voice.format != "concise" && (r.Failed() || !s.voice.quiet) {
		fmt.Fprintf(&b, "%-6s %s: %s\n", word, shown(t.file.Path), report.CheckCounts(r.Checks))
	}
	return b.Bytes(), nil
}

// explained is the diagnostic of a check that does not hold, at the place where it is written.
func explained(f *scenario.File, c *result.Check, replications int) diag.Diagnostic {
	e := report.Explain(c, replications)
	d := diag.Diagnostic{Message: e.Title, Label: e.Finding}
	if c.Status == result.Warn {
		d.Severity = diag.Warning
	}
	for i := range f.Cases {
		for _, k := range f.Cases[i].Checks {
			if k.Name == c.Name {
				d.Pos, d.Length = k.Pos, k.Length
			}
		}
	}
	for _, n := range e.Notes {
		d.Notes = append(d.Notes, strings.TrimRight(n, " "))
	}
	return d
}
