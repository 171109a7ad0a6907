package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"herdsim/sim/clock"
	"herdsim/sim/experiment"
	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/scenario"
)

func planCommand() command {
	return command{
		name: "plan", args: "FILE|@NAME|-", summary: "show what a run costs, and how long each policy's budget lasts and what it outlasts, without a simulation",
		details: `First what a run takes. Then for each policy its waits, attempt by attempt, how long those of its whole budget
last, and for each outage the chance that a job whose first try fails as the outage begins has a try at
its end or later, with the smallest budget that gives so many jobs one as --confidence says. Waits alone
count: calls take no time, and every call outside an outage succeeds. Where that cannot be foreseen, the
reason is given.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			p := &planning{app: a, confidence: 0.95}
			bindOverrides(flags, &p.over)
			p.voice.bind(flags, "no less")
			flags.Var(whole(1, 1<<31-1, func(n uint64) { p.which = int(n) }), "case",
				"the `K`-th case of the matrix, from 1 (default: the only one)")
			bindConfidence(flags, &p.confidence, "the chance `P` with which a budget must last, e.g. 99% (default: 95%)")
			flags.BoolVar(&p.json, "json", false, "print all of it as JSON, herdsim-plan/1 (default: off)")
			return p.run
		},
	}
}

type planning struct {
	*app
	over       scenario.Overrides
	which      int
	confidence float64
	json       bool
	voice      voice
}

func (p *planning) run(ctx context.Context, args []string) int {
	file, err := p.loadOne(ctx, "plan", args, p.over, &p.voice)
	if err != nil {
		return p.tell(err)
	}
	c, err := chooseCase(file, p.which)
	if err != nil {
		return p.tell(err)
	}
	answer := &planAnswer{file: file, chosen: c, confidence: p.confidence, cost: experiment.CostOf(file)}
	answer.load = answer.cost.Loads[max(p.which, 1)-1]
	for i := range c.Policies {
		f, err := foresee(&c.Scenario, &c.Policies[i], p.confidence)
		if err != nil {
			return p.tell(err)
		}
		answer.policies = append(answer.policies, f)
	}
	if p.json {
		return p.tell(p.print(answer.json()))
	}
	return p.tell(p.print(answer.text()))
}

// A planAnswer is what is known of a case without simulating it.
type planAnswer struct {
	file       *scenario.File
	chosen     *scenario.Case
	confidence float64
	cost       experiment.Cost
	load       experiment.Load // of the case
	policies   []*forecast
}

// A forecast is what is known of one policy.
type forecast struct {
	delayAnswer
	name, label string
	unforeseen  string        // why nothing beyond the waits is known; "" when it is
	unknown     string        // why not even the waits are
	total       *plan.Total   // of the whole budget; nil when it has no end, or is not known
	likely      time.Duration // how long the budget lasts with the confidence asked for; negative when that is not computed
	outages     []outlook
}

// An outlook is what a policy makes of an outage.
type outlook struct {
	scenario.Outage
	*plan.Outlasting // nil when it is not known, or the outage has no end
}

// mostForLikely is of how many retries the distribution of their sum is computed.
const mostForLikely = 1000

// foresee finds out what is known of one policy.
func foresee(s *scenario.Scenario, p *scenario.Policy, confidence float64) (*forecast, error) {
	config := s.Config(p, 0)
	f := &forecast{name: p.Name, label: p.Label, likely: -1, unforeseen: plan.Unforeseen(&config)}
	f.subject = &subject{policy: config.Policy, retries: config.Budget.Tries - 1, elapsed: config.Budget.Elapsed, seed: s.Seed}
	if config.Budget.Tries == policy.Unlimited {
		f.retries = -1
	}
	if f.retries == 0 {
		f.policy = policy.New(policy.Fixed(0), policy.None{}) // never asked, but for the chance of no retries
	}
	if err := f.findWaits(confidence); err != nil {
		f.unknown = err.Error()
	}
	for _, o := range s.For(p).Outages {
		look := outlook{Outage: o}
		if f.known() && o.To < clock.End {
			q := plan.Question{Span: o.To.Sub(o.From), Confidence: confidence, Retries: f.retries, Elapsed: f.elapsed}
			if f.retries < 0 {
				q.Retries = plan.Most(f.policy)
			}
			var err error
			if look.Outlasting, err = plan.Outlast(f.policy, q); err != nil {
				return nil, err
			}
		}
		f.outages = append(f.outages, look)
	}
	return f, nil
}

// known reports whether chances are.
func (f *forecast) known() bool { return f.unforeseen == "" && f.unknown == "" }

// findWaits finds the waits that are shown, and how long the whole budget lasts.
func (f *forecast) findWaits(confidence float64) (err error) {
	if f.waits, err = plan.Waits(f.policy, defaultRows(f.subject), f.elapsed); err != nil {
		return err
	}
	if f.elapsed > 0 {
		if err := f.findEnds(); err != nil {
			return err
		}
	}
	if f.retries < 0 || f.retries > plan.MostRetries {
		return nil
	}
	total, err := plan.TotalOf(f.policy, f.retries)
	if err != nil {
		return err
	}
	f.total = &total
	if f.elapsed == 0 && f.retries > 0 && f.retries <= min(mostForLikely, plan.Most(f.policy)) {
		f.likely, err = plan.Lasts(f.policy, f.retries, confidence)
	}
	return err
}

// forWhom names the cohorts that an outage is for, with a blank before; "" for everybody.
func forWhom(o scenario.Outage) string {
	if o.Cohorts == nil {
		return ""
	}
	return " for " + strings.Join(o.Cohorts, ", ")
}
