package advice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// mostCauses is how many sentences a failure gets.
const mostCauses = 4

// causes says what the evidence shows of why a check does not hold.
func (e *evidence) causes(k *scenario.Check) []string {
	var said []string
	for _, t := range k.Expr.Terms() {
		for _, sentence := range e.about(t) {
			if sentence != "" && !slices.Contains(said, sentence) {
				said = append(said, sentence)
			}
		}
	}
	said = said[:min(len(said), mostCauses)]
	if len(said) > 0 && e.scenario.Replications > 1 {
		said = append(said, fmt.Sprintf("(counts and rates are means over %d replications)", e.scenario.Replications))
	}
	return said
}

// about lists what matters to a metric, "" for what does not apply.
func (e *evidence) about(t metrics.Term) []string {
	family, _, _ := strings.Cut(t.ID, ".")
	switch {
	case t.ID == "jobs.total":
		return nil
	case family == "dead", t.ID == "jobs.dead", t.ID == "jobs.succeeded", strings.HasPrefix(t.ID, "success."):
		return []string{e.poisoned(), e.spent(), e.short(), e.overCapacity(), e.stopped(), e.random(), e.unfinished()}
	case t.ID == "retries.peak", t.ID == "calls.peak", t.ID == "retries.instants", t.ID == "retries.spread":
		return []string{e.swept(t), e.lockstep(), e.told(), e.when(t), e.againstCapacity(t)}
	case family == "calls", family == "attempts":
		return []string{e.failures(), e.overCapacity(), e.short()}
	}
	return []string{e.unfinished(), e.batched(), e.busy(), e.overCapacity(), e.lastWait(t)}
}

// mean returns the mean of a metric, and false when it has none or is 0.
func (e *evidence) mean(key string) (result.Number, bool) {
	m, ok := e.found.Metrics[key]
	return m.Mean, ok && m.Mean.Float() != 0
}

// counted says how many there were of something, as the mean over replications. A mean below 1 would be the number of no
// replication: then it says in how many there were some.
func (e *evidence) counted(key, things string) (words string, ok bool) {
	n, ok := e.mean(key)
	if n.Float() >= 1 {
		return amount(n) + " " + things, ok
	}
	some, values := 0, e.found.Metrics[key].Values
	for _, v := range values {
		if v != nil && v.Float() > 0 {
			some++
		}
	}
	return fmt.Sprintf("in %d of %s some %s", some, plural(len(values), "replication"), things), ok
}

// outage returns the longest outage, or the last of the longest, and when the dependency is up for good; false without an
// outage or with one that does not end.
func (e *evidence) outage() (longest time.Duration, end clock.Time, ok bool) {
	for _, o := range e.world.Outages {
		longest, end = max(longest, o.To.Sub(o.From)), max(end, o.To)
	}
	return longest, end, end > 0 && end < clock.End
}

// theOutage names the only outage, or one of several.
func (e *evidence) theOutage(which string) string {
	if len(e.world.Outages) > 1 {
		return "the " + which + " outage"
	}
	if only := e.world.Outages[0].Cohorts; only != nil {
		return "the outage for `" + strings.Join(only, "`, `") + "`"
	}
	return "the outage"
}

// poisoned counts the dead that no retry saves.
func (e *evidence) poisoned() string {
	for _, c := range e.scenario.Base.Cohorts {
		if n, ok := e.counted(metrics.Term{ID: "jobs.dead", Cohort: c.Name}.String(), "of the dead"); ok && c.Poison {
			return fmt.Sprintf("poison: %s are of cohort `%s`, whose calls always fail; no budget saves them", n, c.Name)
		}
	}
	return ""
}

// spent says which budget the dead had spent.
func (e *evidence) spent() string {
	dead, ok := e.mean("dead.total")
	if !ok {
		return ""
	}
	for _, other := range [][3]string{
		{"expired", "budget exhausted", "because `max_elapsed` left no time for another retry"},
		{"not_retryable", "not retryable", "by a cause that the policy does not retry"},
		{"budget_empty", "retry budget empty", "because there was no token for a retry"},
		{"stalled", "stalled", "because their leases had ended too often"},
	} {
		n, ok := e.counted("dead.reason."+other[0], "jobs died")
		switch {
		case ok && dead.Float() < 1:
			return fmt.Sprintf("%s: %s %s", other[1], n, other[2])
		case ok:
			return fmt.Sprintf("%s: of %s deaths %s %s", other[1], amount(dead), strings.TrimSuffix(n, " jobs died"), other[2])
		}
	}
	var tries []int
	for _, row := range e.found.Attempts {
		if row.Dead.Float() > 0 {
			tries = append(tries, row.Attempt)
		}
	}
	if len(tries) != 1 {
		return ""
	}
	sentence := fmt.Sprintf("budget exhausted: every dead job used %s", plural(tries[0], "attempt"))
	if _, end, ok := e.outage(); ok {
		last := e.found.Metrics["dead.last_at"]
		first := e.found.Metrics["dead.first_at"]
		switch at := float64(end) / float64(time.Second); {
		case last.Max.Float() < at:
			sentence += fmt.Sprintf(", the last died at %s, and the dependency was up for good only at %s", exactly(last.Max), seconds(at))
		case first.Min.Float() >= at:
			sentence += fmt.Sprintf(", the first died at %s, when the dependency was already up for good, since %s", exactly(first.Min), seconds(at))
		}
	}
	return sentence
}

// short compares how long the waits of the budget last with the longest outage.
func (e *evidence) short() string {
	span, _, ok := e.outage()
	p := e.policy
	if !ok || e.peculiar() || p.Budget.Tries == policy.Unlimited || p.Budget.Tries-1 > plan.Most(p.Policy) {
		return ""
	}
	o, err := plan.Outlast(p.Policy, plan.Question{Span: span, Retries: p.Budget.Tries - 1, Only: true})
	if err != nil || o.Given == nil {
		return ""
	}
	mean, _ := new(big.Rat).Quo(o.Given.Total.Mean, big.NewRat(int64(time.Second), 1)).Float64()
	sentence := fmt.Sprintf("the waits of its %s last %s on average, %s %s", plural(o.Given.Retries, "retry"), seconds(mean), e.theOutage("longest"), seconds(span.Seconds()))
	switch chance := o.Given.Chance; {
	case o.Given.Total.Max < span:
		return sentence + ": they never last so long"
	case o.Given.Total.Min >= span, chance > 0.9995:
		return sentence
	default:
		return sentence + fmt.Sprintf("; for %s %% of jobs they last less", three(100*(1-chance)))
	}
}

// peculiar reports whether the policy's waits are not those of every job by its attempts alone.
func (e *evidence) peculiar() bool {
	return e.policy.Policy == nil || !e.policy.Discipline.Plain() || e.policy.Budget.Elapsed > 0 ||
		slices.ContainsFunc(e.scenario.Base.Cohorts, func(c engine.Cohort) bool { return c.Rule != nil })
}

// overCapacity counts the calls that were refused, once the dependency is up for good where it was down.
func (e *evidence) overCapacity() string {
	if _, end, ok := e.outage(); ok {
		n, some := e.counted(metrics.Term{ID: "calls.cause.overload", After: end}.String(), "calls")
		if !some {
			return ""
		}
		return fmt.Sprintf("over capacity: %s were refused after %s%s", n, e.theOutage("last"), e.capacity())
	}
	if n, ok := e.counted("calls.cause.overload", "calls"); ok {
		return fmt.Sprintf("over capacity: %s were refused%s", n, e.capacity())
	}
	return ""
}

// capacity names the limit where it is always the same.
func (e *evidence) capacity() string {
	if e.met.Limit == "" || len(e.met.Phases) > 0 {
		return ""
	}
	return ", the capacity being " + e.met.Limit
}

func (e *evidence) random() string {
	if n, ok := e.counted("calls.cause.error", "calls"); ok {
		return fmt.Sprintf("errors: %s failed by the error rate", n)
	}
	return ""
}

// stopped counts the attempts that made no call.
func (e *evidence) stopped() string {
	if n, ok := e.counted("refused.breaker", "attempts"); ok {
		return fmt.Sprintf("open breaker: %s were stopped and failed without a call", n)
	}
	return ""
}

func (e *evidence) unfinished() string {
	n, ok := e.counted("jobs.unfinished", "jobs")
	if !ok {
		return ""
	}
	return n + " were unfinished when the run ended"
}

// swept says what the peak would be without sweeps.
func (e *evidence) swept(t metrics.Term) string {
	if e.exact == nil {
		return ""
	}
	with, ok := e.found.Metrics[t.String()]
	without, also := e.exact.Metrics[t.String()]
	if !ok || !also || t.Dimension() != metrics.Rate || without.Mean.Float() >= 0.9*with.Mean.Float() {
		return ""
	}
	return fmt.Sprintf("re-formed herd: the sweep%s releases together what is due at different instants; with each retry promoted when it is due, `%s` is %s/s instead of %s/s",
		e.interval(), t, amount(without.Mean), amount(with.Mean))
}

// interval names the interval of the sweeps where it is fixed.
func (e *evidence) interval() string {
	if e.world.Queue.EveryMost > 0 || e.world.Queue.IdleEvery > e.world.Queue.Every {
		return ""
	}
	return " every " + e.world.Queue.Every.String()
}

// lockstep says that the retries of jobs that arrive together come at few instants although no sweep gathers them.
func (e *evidence) lockstep() string {
	if e.world.Queue.Sweeps() {
		return ""
	}
	for _, c := range e.scenario.Base.Cohorts {
		retries, ok := e.mean(metrics.Term{ID: "calls.retries", Cohort: c.Name}.String())
		instants, also := e.mean(metrics.Term{ID: "retries.instants", Cohort: c.Name}.String())
		if !ok || !also || instants.Float() > retries.Float()/10 {
			continue
		}
		sentence := fmt.Sprintf("lockstep: the %s retries of cohort `%s` begin at %s instants", amount(retries), c.Name, amount(instants))
		if slices.Contains(e.scenario.Knobs, scenario.Knob{Path: "policies." + e.policy.Name + ".jitter", Value: "none", Policy: e.policy.Name}) {
			sentence += ": the policy has no jitter"
		}
		return sentence
	}
	return ""
}

// told says that hints gather those who heed them.
func (e *evidence) told() string {
	n, ok := e.counted("calls.cause.overload", "calls")
	if !ok || !policy.Heeds(e.policy.Policy) || !e.world.Dependency.TellsAny() {
		return ""
	}
	return fmt.Sprintf("hints: %s were refused, those of one instant are told the same instant to come back at, and the policy waits for it", n)
}

// when says at which instant a peak comes.
func (e *evidence) when(t metrics.Term) string {
	at, _ := peakAt(t)
	m, ok := e.found.Metrics[at.String()]
	switch {
	case !ok:
		return ""
	case m.Max.Float()-m.Min.Float() < 1:
		return "the peak comes at " + seconds(m.Mean.Float())
	}
	return fmt.Sprintf("the peak comes between %s and %s", seconds(m.Min.Float()), seconds(m.Max.Float()))
}

// againstCapacity says how far a peak is above what the dependency takes.
func (e *evidence) againstCapacity(t metrics.Term) string {
	m, ok := e.found.Metrics[t.String()]
	if !ok || t.Dimension() != metrics.Rate || e.met.Capacity == nil || len(e.met.Phases) > 0 {
		return ""
	}
	if limit := e.met.Capacity.Float(); limit > 0 && m.Mean.Float() > limit {
		return fmt.Sprintf("over capacity: the peak is %s times the capacity of %s/s", three(m.Mean.Float()/limit), amount(*e.met.Capacity))
	}
	return ""
}

// batched says that the batches of the sweep, or the time that promotions take, hold jobs up.
func (e *evidence) batched() string {
	q := e.world.Queue
	lag, ok := e.found.Metrics["promotion.lag.max"]
	late := seconds(lag.Max.Float())
	switch {
	case !q.Sweeps() || !ok || lag.Max.Float() <= max(q.Every, q.EveryMost, q.IdleEvery).Seconds():
		return ""
	case q.Batch > 0 && !q.Drain && e.interval() != "":
		return fmt.Sprintf("batch limit: a sweep promotes at most %s%s, and jobs were up to %s overdue", plural(q.Batch, "job"), e.interval(), late)
	case q.Batch > 0 && !q.Drain:
		return fmt.Sprintf("batch limit: a sweep promotes at most %s, and jobs were up to %s overdue", plural(q.Batch, "job"), late)
	case q.Cost > 0:
		return fmt.Sprintf("slow sweep: a promotion takes %s, and jobs were up to %s overdue", q.Cost, late)
	}
	return ""
}

// busy says that there were more jobs than workers.
func (e *evidence) busy() string {
	n, ok := e.mean("pending.peak")
	if !ok || n.Float() < 1 || e.world.Workers.Count == 0 {
		return ""
	}
	return fmt.Sprintf("workers saturated: with %s, up to %s jobs were pending", plural(e.world.Workers.Count, "worker"), amount(n))
}

// lastWait says how long the wait before the last attempt may be, where it makes up a good part of a span.
func (e *evidence) lastWait(t metrics.Term) string {
	tries := int(e.found.Metrics["attempts.max"].Max.Float())
	if tries < 2 || e.peculiar() || tries-1 > plan.MostRetries {
		return ""
	}
	waits, err := plan.Waits(e.policy.Policy, tries-1, 0)
	if err != nil {
		return ""
	}
	last := waits[len(waits)-1].Max.Seconds()
	if m, ok := e.found.Metrics[t.String()]; !ok || last < m.Mean.Float()/4 {
		return ""
	}
	return fmt.Sprintf("long waits: some jobs needed %d attempts, and the wait before the last is up to %s", tries, seconds(last))
}

// failures says why calls failed.
func (e *evidence) failures() string {
	all, ok := e.mean("calls.total")
	if !ok {
		return ""
	}
	var parts []string
	for _, t := range metrics.Standard() {
		cause, caused := strings.CutPrefix(t.ID, "calls.cause.")
		if n, ok := e.counted(t.ID, "by "+cause); ok && caused {
			parts = append(parts, n)
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("of %s calls, these failed: %s", amount(all), strings.Join(parts, ", "))
}
