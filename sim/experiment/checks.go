package experiment

import (
	"slices"

	"herdsim/sim/check"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// checkResults judges the checks of a case by its runs, which are ordered by policy, then by replication.
func checkResults(c *scenario.Case, set result.Settings, runs []run) []result.Check {
	var out []result.Check
	for i := range c.Checks {
		k := &c.Checks[i]
		for _, policy := range k.Policies {
			out = append(out, checkResult(k, set, policy, judgeCheck(k, c, runs, policy)))
		}
	}
	return out
}

// judgeCheck judges one check for one policy.
func judgeCheck(k *scenario.Check, c *scenario.Case, runs []run, policy string) check.Verdict {
	readings := map[metrics.Term]func(*metrics.Summary) (metrics.Value, error){}
	expr := k.For(policy)
	for _, t := range expr.Terms() {
		readings[t] = metrics.Reading(t)
	}
	return expr.Judge(k.Over, c.Replications, func(named string, t metrics.Term, replication int) (metrics.Value, error) {
		if named == "" {
			named = policy
		}
		p := slices.IndexFunc(c.Policies, func(p scenario.Policy) bool { return p.Name == named })
		return readings[t](runs[p*c.Replications+replication].summary)
	})
}

func checkResult(k *scenario.Check, set result.Settings, policy string, v check.Verdict) result.Check {
	out := result.Check{
		Name: k.Name, Set: set, Policy: policy, Expect: k.Expect, Over: k.Over.String(), Status: v.Status,
		Observed: v.Observed, Sign: v.Sign, Limit: v.Limit, Unit: v.Unit, Mean: v.Mean, CI95: v.CI95, Held: v.Held,
		File: k.Pos.Source.Name(), Line: k.Pos.Line, Column: k.Pos.Col, Length: k.Length,
	}
	if v.Status == result.Pass {
		return out
	}
	out.Hint = k.Hint
	if v.Reason != "" {
		out.Why = []string{v.Reason}
	}
	if k.Warn {
		out.Status = result.Warn
	}
	return out
}
