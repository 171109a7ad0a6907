package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"herdsim/sim/experiment"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// simulate runs all of a scenario, with progress and timing on standard error. opt says what is wanted of the result.
func (a *app) simulate(ctx context.Context, f *scenario.File, e *effort, v *voice, opt experiment.Options) (*result.Result, error) {
	runs := runsOf(f)
	m := a.newMeter(e, v, shown(f.Path), runs)
	start := a.now()
	opt.Cores, opt.MaxEvents, opt.Version, opt.Progress = e.cores, e.maxEvents, version(), m.update
	var r *result.Result
	var doubts []experiment.Doubt
	var err error
	if e.auto.on {
		r, doubts, err = experiment.RunUntil(ctx, f, opt, e.auto.Auto)
	} else {
		r, err = experiment.Run(ctx, f, opt)
	}
	m.stop()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(f.Path), err)
	}
	noteShortfalls(f, r)
	if v.quiet {
		return r, nil
	}
	if e.auto.on {
		runs = runs / f.Cases[0].Replications * r.Replications
		a.explainDoubts(f, r, doubts)
	}
	fmt.Fprintf(a.stderr, "%s: %s in %s\n", shown(f.Path), plural(runs, "run", "runs"), a.now().Sub(start).Round(time.Millisecond))
	return r, nil
}

func runsOf(f *scenario.File) int {
	runs := 0
	for _, c := range f.Cases {
		runs += len(c.Policies) * c.Replications
	}
	return runs
}

// explainDoubts says what is still open when no more replications may be added.
func (a *app) explainDoubts(f *scenario.File, r *result.Result, doubts []experiment.Doubt) {
	if len(doubts) == 0 {
		return
	}
	const most = 3
	var parts []string
	for _, d := range doubts[:min(len(doubts), most)] {
		parts = append(parts, d.String())
	}
	if more := len(doubts) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintf(a.stderr, "%s: still open after %d replications: %s%s`--max-replications` allows more\n",
		shown(f.Path), r.Replications, strings.Join(parts, ", "), noteMark)
}
