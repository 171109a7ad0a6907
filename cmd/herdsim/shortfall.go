package main

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// noteShortfalls notes beside each policy that lost jobs how often its budget is spent before the longest outage ends, where the waits tell that
// alone. With a matrix nothing is noted: a note for each case would say little.
func noteShortfalls(f *scenario.File, r *result.Result) {
	if len(f.Cases) > 1 {
		return
	}
	s := &f.Cases[0].Scenario
	for i := range s.Policies {
		p := &r.Cases[0].Policies[i]
		if p.Metrics["dead.total"].Mean.Float() == 0 {
			continue
		}
		length := longestOutage(s.For(&s.Policies[i]).Outages)
		if length == 0 {
			continue
		}
		if note := shortfall(s, &s.Policies[i], length); note != "" {
			p.Notes = append(slices.Clip(p.Notes), note)
		}
	}
}

// longestOutage returns the length of the longest outage for everybody that ends; 0 when there is none.
func longestOutage(outages []scenario.Outage) (longest time.Duration) {
	for _, o := range outages {
		if o.Cohorts == nil && o.To < clock.End {
			longest = max(longest, o.To.Sub(o.From))
		}
	}
	return longest
}

// shortfall says how long the waits of a policy last, and for how many jobs that is less than an outage; "" when it is for hardly any, or
// not known.
func shortfall(s *scenario.Scenario, p *scenario.Policy, outage time.Duration) string {
	config := s.Config(p, 0)
	b := config.Budget
	quick := 200 // tries: to foresee more would take longer than many a run
	if policy.Dependent(config.Policy) {
		quick = 40
	}
	if b.Tries > quick || b.Tries == 1 || b.Elapsed > 0 || plan.Unforeseen(&config) != "" { // no limit is beyond that too
		return ""
	}
	o, err := plan.Outlast(config.Policy, plan.Question{Span: outage, Retries: b.Tries - 1, Only: true})
	const few = 0.0005 // of which one would look for the dead elsewhere
	if err != nil || o.Given.Chance > 1-few {
		return ""
	}
	total := o.Given.Total
	lasts := "lasts " + span(total.Max)
	if total.Min < total.Max {
		lasts = "lasts " + wholeSpan(total.Mean) + " on average"
	}
	budget := fmt.Sprintf("with %s the %d-attempt budget %s", p.Label, b.Tries, lasts)
	if o.Given.Chance == 0 {
		return fmt.Sprintf("%s and never %s, so whoever fails as a %s outage begins gives up before it ends (see herdsim plan)", budget, span(outage), span(outage))
	}
	return fmt.Sprintf("%s but under %s for %s of jobs, so some give up before a %s outage ends (see herdsim plan)",
		budget, span(outage), percent(1-o.Given.Chance), span(outage))
}

// wholeSpan writes a mean to three digits.
func wholeSpan(ns *big.Rat) string {
	mean, _ := ns.Float64()
	unit := 1.0
	for mean/unit >= 1000 {
		unit *= 10
	}
	rounded := new(big.Rat).SetFloat64(unit)
	n := new(big.Rat).Quo(ns, rounded)
	whole, _ := new(big.Rat).SetString(n.FloatString(0))
	return meanSpan(rounded.Mul(rounded, whole))
}
