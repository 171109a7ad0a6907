// Package advice says why a check failed, in the model's terms and from the run's own numbers, and looks for single changes of
// the scenario with which it would hold.
package advice

import (
	"context"
	"slices"

	"herdsim/sim/engine"
	"herdsim/sim/experiment"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// A Request is a finished run whose failed checks are to be explained.
type Request struct {
	File   *scenario.File
	Result *result.Result
	Parse  func(change scenario.Setting) *scenario.File // the same scenario with one thing more set; nil when that is an error
	Fixes  int                                          // most changes that are simulated for a failed check; 0 to look for none
	Run    experiment.Options
}

// Limits on what is explained: further failures have the same causes.
const (
	mostExplained = 12
	mostMended    = 4
	mostRepeated  = 10_000_000 // calls of a policy that is run once more to be looked at
	mostCalls     = 50_000_000 // that all simulated changes may make, about
)

// Explain adds to the checks that do not hold why that is and what would mend them. The error is that of an interrupted run.
func Explain(ctx context.Context, q Request) error {
	a := adviser{Request: q, ctx: ctx, seen: map[subject]*evidence{}}
	a.Run.NoSeries, a.Run.Progress = true, nil
	for i := range q.Result.Checks {
		c := &q.Result.Checks[i]
		if c.Status == result.Pass || len(a.seen) >= mostExplained {
			continue
		}
		e, err := a.evidence(c)
		if err != nil {
			return err
		}
		if e != nil {
			c.Why = append(c.Why, e.causes(a.check(c))...)
		}
	}
	if q.Fixes == 0 {
		return nil
	}
	return a.mend()
}

// An adviser explains one result.
type adviser struct {
	Request
	ctx   context.Context
	seen  map[subject]*evidence
	calls float64 // made by changes so far
}

// A subject is a policy of a case, both by index.
type subject struct{ scenario, policy int }

// subject returns what a check was judged for.
func (a *adviser) subject(c *result.Check) subject {
	k := slices.IndexFunc(a.Result.Cases, func(k result.Case) bool { return slices.Equal(k.Set, c.Set) })
	return subject{k, slices.IndexFunc(a.File.Cases[k].Policies, func(p scenario.Policy) bool { return p.Name == c.Policy })}
}

// check returns the check as the scenario has it.
func (a *adviser) check(c *result.Check) *scenario.Check {
	list := a.File.Cases[a.subject(c).scenario].Checks
	return &list[slices.IndexFunc(list, func(k scenario.Check) bool { return k.Name == c.Name })]
}

// evidence runs the policy of a check once more and measures what its causes show in; of a long run the result has to do. It is
// nil when a limit was hit.
func (a *adviser) evidence(c *result.Check) (*evidence, error) {
	s := a.subject(c)
	if e, known := a.seen[s]; known {
		return e, nil
	}
	k := a.File.Cases[s.scenario]
	e := &evidence{scenario: &k.Scenario, policy: &a.File.Cases[s.scenario].Policies[s.policy], result: &a.Result.Cases[s.scenario]}
	e.world, e.met = k.For(e.policy), e.result.For(&e.result.Policies[s.policy])
	if p := &e.result.Policies[s.policy]; p.Metrics["calls.total"].Mean.Float()*float64(k.Replications) > mostRepeated {
		e.found = p
		a.seen[s] = e
		return e, nil
	}
	k.Policies, k.Checks = k.Policies[s.policy:s.policy+1], nil
	for _, other := range a.File.Cases[s.scenario].Checks {
		for _, t := range other.Expr.Terms() {
			k.Metrics.Also = append(slices.Clip(k.Metrics.Also), t)
			if at, ok := peakAt(t); ok {
				k.Metrics.Also = append(k.Metrics.Also, at)
			}
		}
	}
	k.Metrics.Also = append(slices.Clip(k.Metrics.Also), e.terms()...)
	found, err := a.run(k)
	if err != nil || found == nil {
		return nil, err
	}
	e.found = found
	if e.world.Queue.Sweeps() {
		only, exact := k.Policies[0], *e.world
		exact.Queue = promptly(exact.Queue)
		only.World = &exact
		k.Policies = []scenario.Policy{only}
		if e.exact, err = a.run(k); err != nil {
			return nil, err
		}
	}
	a.seen[s] = e
	return e, nil
}

// promptly returns the queue with each job promoted at its due instant.
func promptly(q engine.Queue) engine.Queue {
	q.Every, q.EveryMost, q.IdleEvery, q.Phase, q.RandomPhase, q.After = 0, 0, 0, 0, false, false
	q.Pollers, q.Cost, q.Batch, q.Drain = 0, 0, 0, false
	return q
}

// run simulates one policy of one case; nil when a limit was hit.
func (a *adviser) run(k scenario.Case) (*result.Policy, error) {
	r, err := a.simulate(&scenario.File{Name: a.File.Name, Path: a.File.Path, Cases: []scenario.Case{k}})
	if err != nil || r == nil {
		return nil, err
	}
	return &r.Cases[0].Policies[0], nil
}

// simulate runs a file; nil when a limit was hit, and an error when the user interrupts.
func (a *adviser) simulate(f *scenario.File) (*result.Result, error) {
	r, err := experiment.Run(a.ctx, f, a.Run)
	if err != nil {
		return nil, a.ctx.Err()
	}
	return r, nil
}

// Evidence is what a policy did in a case, with more of it measured than the run had.
type evidence struct {
	scenario *scenario.Scenario
	policy   *scenario.Policy
	result   *result.Case
	world    *scenario.World // the policy's
	met      *result.World   // the same
	found    *result.Policy
	exact    *result.Policy // with every retry promoted at its due instant; nil when it is so anyway
}

// peakAt returns the term for the instant of a peak.
func peakAt(t metrics.Term) (metrics.Term, bool) {
	ok := t.ID == "retries.peak" || t.ID == "calls.peak"
	t.ID += "_at"
	return t, ok
}

// terms are what is measured beside the standard set: the dead of each poison cohort, how the retries of
// jobs that arrive together spread, and what happened once the dependency was up for good.
func (e *evidence) terms() []metrics.Term {
	var list []metrics.Term
	for _, c := range e.scenario.Base.Cohorts {
		if c.Poison {
			list = append(list, metrics.Term{ID: "jobs.dead", Cohort: c.Name})
		}
		if c.Pattern == engine.Together && c.Count > 1 {
			list = append(list, metrics.Term{ID: "calls.retries", Cohort: c.Name}, metrics.Term{ID: "retries.instants", Cohort: c.Name})
		}
	}
	if _, end, ok := e.outage(); ok {
		list = append(list, metrics.Term{ID: "calls.cause.overload", After: end})
	}
	return list
}
