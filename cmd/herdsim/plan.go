package main

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/scenario"
)

func planCommand() command {
	return command{
		name: "plan", args: "FILE|@NAME|-", summary: "show how long each policy's budget lasts and what it outlasts, without a simulation",
		details: `For each policy: how long the waits of its whole budget last, and for each outage the chance that a job
whose first try fails as the outage begins has a try at its end or later. Waits alone count: calls take
no time, and every call outside an outage succeeds. Where that cannot be foreseen, the reason is given.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			p := &planning{app: a}
			bindOverrides(flags, &p.over)
			p.voice.bind(flags, "no less")
			flags.Var(whole(1, 1<<31-1, func(n uint64) { p.which = int(n) }), "case",
				"the `K`-th case of the matrix, from 1 (default: the only one)")
			return p.run
		},
	}
}

type planning struct {
	*app
	over  scenario.Overrides
	which int
	voice voice
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
	var b bytes.Buffer
	for i := range c.Policies {
		if err := foresee(&b, &c.Scenario, &c.Policies[i]); err != nil {
			return p.tell(err)
		}
	}
	return p.tell(p.print(b.Bytes()))
}

// foresee writes what is known of one policy.
func foresee(b *bytes.Buffer, s *scenario.Scenario, p *scenario.Policy) error {
	fmt.Fprintf(b, "%s: ", p.Name)
	config := s.Config(p, 0)
	if why := unforeseeable(&config); why != "" {
		fmt.Fprintf(b, "not foreseen: %s\n", why)
		return nil
	}
	retries := config.Budget.Tries - 1
	total := plan.Total{Mean: new(big.Rat)}
	if retries > 0 {
		waits, err := plan.Waits(config.Policy, retries, 0)
		if err != nil {
			fmt.Fprintf(b, "not foreseen: %s\n", err)
			return nil
		}
		total = waits[retries-1].Total
	}
	fmt.Fprintf(b, "%s last %s\n", plural(retries, "retry", "retries"), totalText(total))
	for _, o := range s.For(p).Outages {
		if o.To == clock.End {
			fmt.Fprintf(b, "  outlasts %s%s: never, it has no end\n", o.Name, forWhom(o))
			continue
		}
		length := time.Duration(o.To - o.From)
		chance := 0.0
		if retries > 0 {
			lasting, err := plan.Outlast(config.Policy, plan.Question{Span: length, Confidence: 0.95, Retries: retries})
			if err != nil {
				return err
			}
			chance = lasting.Given.Chance
		}
		fmt.Fprintf(b, "  outlasts %s (%s%s): %s\n", o.Name, span(length), forWhom(o), percent(chance))
	}
	return nil
}

// forWhom names the cohorts that an outage is for, with a blank before; "" for everybody.
func forWhom(o scenario.Outage) string {
	if o.Cohorts == nil {
		return ""
	}
	return " for " + strings.Join(o.Cohorts, ", ")
}

// unforeseeable says why the waits alone do not tell how long a job lasts; "" when they do.
func unforeseeable(c *engine.Config) string {
	switch {
	case c.Budget.Tries == policy.Unlimited:
		return "its tries have no limit"
	case c.Budget.Tries-1 > plan.MostRetries:
		return fmt.Sprintf("more than %d retries", plan.MostRetries)
	case c.Budget.Elapsed > 0:
		return "max_elapsed ends jobs by their age"
	case !c.Discipline.Plain():
		return "causes, a shared budget, a breaker or layers decide besides the waits"
	case c.Queue.Sweeps():
		return "sweeps of the schedule lengthen the waits"
	}
	for i := range c.Cohorts {
		if c.Cohorts[i].Rule != nil {
			return "cohorts have rules of their own"
		}
	}
	return ""
}
