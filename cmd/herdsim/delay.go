package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

func delayCommand() command {
	return command{
		name: "delay", args: "[FILE|@NAME|-]", summary: "show a policy's waits, attempt by attempt, without a simulation",
		details: `The policy is that of a scenario (choose it with --policy), a preset, or what --base, --jitter and their
like describe; values are written as in a scenario. Without --attempt, --outlast and --sample there is
a table with a line for each attempt that fails: what the wait after it is drawn from, its mean, whether
the cap cut it short, and the least, the mean and the most that a job has waited by then. With
max_elapsed the share of jobs that still come to another try stands beside it.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			d := &delaying{app: a, flags: flags, confidence: 0.95}
			bindSketch(flags, &d.sketch)
			flags.Var(whole(1, mostAttempts, func(n uint64) { d.attempts = int(n) }), "attempts",
				fmt.Sprintf("show the waits after the first `N` attempts, at most %d (default: those of the budget, at most %d)", mostAttempts, fewAttempts))
			flags.Var(whole(1, mostAttempts, func(n uint64) { d.attempt = int(n) }), "attempt",
				"show the wait after attempt `N` alone, and whether the cap was reached (default: none)")
			flags.Var(checked(d.setOutlast), "outlast",
				"find the smallest budgets that outlast the span `D`, e.g. 60s or 7h (default: none)")
			bindConfidence(flags, &d.confidence, "the chance `P` that --outlast asks for, e.g. 99% (default: 95%)")
			flags.Var(whole(1, mostSamples, func(n uint64) { d.samples = int(n) }), "sample",
				fmt.Sprintf("draw the waits of `N` jobs, at most %d, those of the first cohort in the first replication (default: none)", mostSamples))
			flags.BoolVar(&d.json, "json", false, "print everything that was asked for as JSON, herdsim-delay/1 (default: off)")
			bindSeed(flags, &d.over)
			d.voice.bind(flags, "no less")
			d.common = flagNames(flags)
			bindPolicyAndSet(flags, &d.over)
			bindChoice(flags, &d.which)
			return d.run
		},
	}
}

// Bounds on what is shown.
const (
	mostAttempts = 100_000
	mostSamples  = 10_000
	fewAttempts  = 30 // shown of a budget unless asked for
	anyAttempts  = 10 // shown without a budget
)

type delaying struct {
	*app
	flags      *pflag.FlagSet
	common     []string // the flags that mean something without a scenario
	sketch     sketch
	attempts   int
	attempt    int
	outlast    time.Duration
	confidence float64
	samples    int
	json       bool
	over       scenario.Overrides
	which      int
	voice      voice
}

func (d *delaying) setOutlast(text string) error {
	span, err := units.Duration(text)
	if err == nil && span <= 0 {
		err = fmt.Errorf("%s is no span that could be outlasted", units.Quote(text))
	}
	d.outlast = span
	return err
}

// bindConfidence adds the flag of a chance that is neither 0 nor 1.
func bindConfidence(flags *pflag.FlagSet, confidence *float64, usage string) {
	flags.Var(checked(func(text string) error {
		num, den, err := units.Fraction(text)
		if err == nil && (num == 0 || num >= den) {
			err = fmt.Errorf("%s is no chance between 0%% and 100%%", units.Quote(text))
		}
		*confidence = float64(num) / float64(max(den, 1))
		return err
	}), "confidence", usage)
}

func (d *delaying) run(ctx context.Context, args []string) int {
	subject, err := d.subject(ctx, args)
	if err != nil {
		return d.tell(err)
	}
	answer, err := d.answer(subject)
	if errors.Is(err, plan.ErrUnknown) {
		err = userErrorf("%s: --sample 5 draws them for five jobs", err)
	}
	if err != nil {
		return d.tell(err)
	}
	if d.json {
		return d.tell(d.print(answer.json()))
	}
	return d.tell(d.print(answer.text()))
}

// A subject is the policy in question.
type subject struct {
	policy  policy.Policy
	retries int           // of its budget; -1: no limit
	elapsed time.Duration // most of the time from arrival to a due retry; 0: no limit
	seed    uint64
}

// subject reads the policy from a scenario or from the flags.
func (d *delaying) subject(ctx context.Context, args []string) (*subject, error) {
	var file *scenario.File
	var err error
	if len(args) > 0 {
		if d.sketch.given() {
			return nil, userErrorf("flags that describe a policy have no meaning beside a scenario: --set changes that")
		}
		file, err = d.loadOne(ctx, "delay", args, d.over, &d.voice)
	} else {
		file, err = d.sketched()
	}
	if err != nil {
		return nil, err
	}
	c, p, err := chooseRun(file, d.which)
	if err != nil {
		return nil, err
	}
	s := &subject{policy: p.Policy, retries: p.Budget.Tries - 1, elapsed: p.Budget.Elapsed, seed: c.Seed}
	switch {
	case p.Policy == nil:
		return nil, userErrorf("policy `%s` has one try: it never waits", p.Name)
	case p.Budget.Tries == policy.Unlimited:
		s.retries = -1
	}
	return s, nil
}

// sketched makes a scenario of the flags, so that they mean what they mean there.
func (d *delaying) sketched() (*scenario.File, error) {
	if !d.sketch.given() {
		return nil, userErrorf("no policy: name a scenario, or describe one, e.g. --base 1s --cap 60s --jitter full, or --preset bullmq\n  = see `herdsim help delay`")
	}
	if name := setBeside(d.flags, d.common); name != "" {
		return nil, userErrorf("`--%s` has no meaning without a scenario", name)
	}
	text, err := d.sketch.yaml()
	if err != nil {
		return nil, err
	}
	file, list := scenario.Parse("the flags", text, d.over)
	return file, d.show(list, &d.voice)
}

// answer finds out all that was asked for.
func (d *delaying) answer(s *subject) (*delayAnswer, error) {
	a := &delayAnswer{subject: s, attempt: d.attempt, seed: s.seed}
	rows := d.rows(s)
	if rows > 0 || d.json {
		waits, err := plan.Waits(s.policy, max(rows, d.attempt), s.elapsed)
		switch {
		case err == nil && d.attempt > 0:
			a.waits = waits[d.attempt-1 : d.attempt]
		case err == nil:
			a.waits = waits
		case d.samples == 0 || !errors.Is(err, plan.ErrUnknown):
			return nil, err
		}
	}
	if len(a.waits) > 0 && s.elapsed > 0 {
		if err := a.findEnds(); err != nil {
			return nil, err
		}
	}
	if d.outlast > 0 {
		var err error
		q := plan.Question{Span: d.outlast, Confidence: d.confidence, Retries: s.retries, Elapsed: s.elapsed}
		if a.outlast, err = plan.Outlast(s.policy, q); err != nil {
			return nil, err
		}
	}
	n := max(d.attempts, d.attempt)
	if n == 0 {
		n = defaultRows(s)
	}
	for job := range d.samples {
		a.samples = append(a.samples, plan.Draw(s.policy, n, s.seed, uint64(job)))
	}
	return a, nil
}

// rows returns how many waits are shown.
func (d *delaying) rows(s *subject) int {
	switch {
	case d.attempt > 0:
		return d.attempt
	case d.attempts > 0:
		return d.attempts
	case !d.json && (d.outlast > 0 || d.samples > 0):
		return 0
	}
	return defaultRows(s)
}

func defaultRows(s *subject) int {
	if s.retries < 0 {
		return anyAttempts
	}
	return min(s.retries, fewAttempts)
}
