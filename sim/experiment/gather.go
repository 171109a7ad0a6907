package experiment

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"time"

	"herdsim/sim/check"
	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// caseResult gathers the runs of one case, which are ordered by policy, then by replication.
func caseResult(c *scenario.Case, runs []run, opt Options) result.Case {
	out := result.Case{Set: settings(c.Set), Workload: c.Workload, Herd: herd(&c.Scenario).String(), Window: seconds(c.Metrics.Window)}
	for _, k := range c.Base.Cohorts {
		out.Cohorts = append(out.Cohorts, k.Name)
	}
	out.World = world(&c.World, c.Base.Stop)
	for _, t := range c.Metrics.Also {
		out.Asked = append(out.Asked, t.String())
	}
	bin := widest(runs)
	spec := specOf(&c.Scenario, &c.World)
	terms := append(metrics.Standard(), spec.Terms...)
	for i := range c.Policies {
		n := c.Replications
		out.Policies = append(out.Policies, policyResult(c, i, runs[i*n:(i+1)*n], terms))
		if !opt.NoSeries {
			out.Policies[i].Series = series(runs[i*n:(i+1)*n], bin)
		}
	}
	out.Comparisons = comparisons(&c.Scenario, runs, terms)
	return out
}

func settings(list []scenario.Setting) result.Settings {
	out := result.Settings{}
	for _, s := range list {
		out = append(out, result.Setting(s))
	}
	return out
}

// bounds returns a window's, the end nil when it has none.
func bounds(from, to clock.Time) (start result.Number, end *result.Number) {
	if to < clock.End {
		end = new(seconds(to.Sub(0)))
	}
	return seconds(from.Sub(0)), end
}

// world returns what jobs meet in a run up to the stop.
func world(w *scenario.World, stop clock.Time) result.World {
	out := result.World{Limit: w.Capacity, Capacity: perSecond(w.Dependency.Capacity), Replay: replay(w, stop), Steps: steps(&w.Dependency)}
	for _, o := range w.Outages {
		start, end := bounds(o.From, o.To)
		out.Outages = append(out.Outages, result.Outage{Name: o.Name, Start: start, End: end, Cohorts: o.Cohorts})
	}
	for _, p := range w.Phases {
		out.Phases = append(out.Phases, phase(p))
	}
	return out
}

func phase(p scenario.Phase) result.Phase {
	out := result.Phase{Name: p.Name, Changes: p.Changes}
	for _, w := range p.Windows {
		start, end := bounds(w.From, w.To)
		out.Spans = append(out.Spans, result.Span{Start: start, End: end})
	}
	return out
}

// replay returns when dead letters are replayed; nil when none can be before the run ends.
func replay(w *scenario.World, stop clock.Time) *result.Replay {
	r := w.DeadLetter.Replay
	if r == nil || r.At >= stop {
		return nil
	}
	out := &result.Replay{At: seconds(r.At.Sub(0)), Words: w.Replay}
	if r.Every > 0 {
		out.Every = new(seconds(r.Every))
	}
	return out
}

// steps returns the rate of the capacity over time; nothing when it is always the same.
func steps(c *dependency.Config) []result.Step {
	all := c.Capacities()
	if len(all) < 2 {
		return nil
	}
	out := make([]result.Step, len(all))
	for i, s := range all {
		out[i] = result.Step{From: seconds(s.From.Sub(0)), Capacity: perSecond(s.Capacity)}
	}
	return out
}

// policyResult gathers the runs of the i-th policy.
func policyResult(c *scenario.Case, i int, runs []run, terms []metrics.Term) result.Policy {
	p := &c.Policies[i]
	out := result.Policy{
		Name: p.Name, Label: p.Label, Notes: p.Notes,
		Metrics:  map[string]result.Metric{},
		Attempts: attempts(runs), Retries: rounds(runs), Layers: layers(p, runs),
		Recovery: recovery(runs),
	}
	for _, o := range p.Overrides {
		out.Notes = append(slices.Clip(out.Notes), fmt.Sprintf("policy %s overrides %s: %s", p.Name, o.Path, o.Value))
	}
	if p.World != nil {
		own := world(p.World, c.Base.Stop)
		if !reflect.DeepEqual(own, world(&c.World, c.Base.Stop)) {
			out.World = &own
		}
	}
	for _, t := range terms {
		if m, ok := metric(t, runs, &c.Scenario); ok {
			out.Metrics[t.String()] = m
		}
	}
	if p.Discipline.Uncharged != 0 && out.Metrics["jobs.unfinished"].Max.Float() > 0 {
		out.Notes = append(slices.Clip(out.Notes), fmt.Sprintf("jobs of policy %s were unfinished at the end: failures by %v spend no budget and can go on for ever", p.Name, p.Discipline.Uncharged))
	}
	return out
}

func recovery(runs []run) *result.Recovery {
	var verdicts []string
	for i := range runs {
		verdicts = append(verdicts, runs[i].summary.Verdict.String())
	}
	return result.NewRecovery(verdicts)
}

// attempts returns the means of the rows that any run has; a run without a row counts as 0.
func attempts(runs []run) []result.AttemptRow {
	type tally struct{ jobs, dead int64 }
	sums := map[uint32]tally{}
	for i := range runs {
		for _, row := range runs[i].summary.Attempts() {
			s := sums[row.Attempt]
			sums[row.Attempt] = tally{s.jobs + int64(row.Jobs), s.dead + int64(row.Dead)}
		}
	}
	rows := []result.AttemptRow{}
	n := int64(len(runs))
	for _, attempt := range slices.Sorted(maps.Keys(sums)) {
		s := sums[attempt]
		rows = append(rows, result.AttemptRow{
			Attempt: int(attempt),
			Jobs:    result.MeanOf([]*big.Rat{big.NewRat(s.jobs, n)}),
			Dead:    result.MeanOf([]*big.Rat{big.NewRat(s.dead, n)}),
		})
	}
	return rows
}

// layers returns the means of the calls that each layer added.
func layers(p *scenario.Policy, runs []run) []result.LayerRow {
	var rows []result.LayerRow
	for i, layer := range p.Discipline.Layers {
		sum := int64(0)
		for j := range runs {
			if calls := runs[j].summary.Layers(); i < len(calls) {
				sum += calls[i]
			}
		}
		rows = append(rows, result.LayerRow{
			Tries: layer.Tries, Calls: result.MeanOf([]*big.Rat{big.NewRat(sum, int64(len(runs)))}),
		})
	}
	return rows
}

// rounds returns the means of each round over the runs that have it.
func rounds(runs []run) []result.RoundRow {
	rows := []result.RoundRow{}
	byRetry := map[int][]metrics.Round{}
	for i := range runs {
		for _, r := range runs[i].summary.Rounds {
			byRetry[r.Retry] = append(byRetry[r.Retry], r)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byRetry)) {
		having := byRetry[k]
		mean := func(read func(metrics.Round) *big.Rat) result.Number {
			values := make([]*big.Rat, len(having))
			for i, r := range having {
				values[i] = read(r)
			}
			return result.MeanOf(values)
		}
		at := func(read func(metrics.Round) clock.Time) result.Number {
			return mean(func(r metrics.Round) *big.Rat { return ratSeconds(read(r).Sub(0)) })
		}
		rows = append(rows, result.RoundRow{
			Retry: k,
			Count: mean(func(r metrics.Round) *big.Rat { return new(big.Rat).SetUint64(r.Count()) }),
			First: at(metrics.Round.First), Last: at(metrics.Round.Last),
			Mean: mean(metrics.Round.Mean), SD: mean(metrics.Round.SD),
			P5: at(metrics.Round.P5), P95: at(metrics.Round.P95),
			Peak: mean(metrics.Round.Peak),
		})
	}
	return rows
}

// widest returns the widest bin of the runs: the one that all of them can be brought to.
func widest(runs []run) time.Duration {
	var bin time.Duration
	for i := range runs {
		bin = max(bin, runs[i].summary.Series.Bin)
	}
	return bin
}

// series gathers the runs' series in bins of one width.
func series(runs []run, bin time.Duration) *result.Series {
	all := make([]metrics.Series, len(runs))
	for i := range runs {
		all[i] = runs[i].summary.Series.Coarsen(bin)
	}
	track := func(of func(metrics.Series) []int64) result.Track {
		rows := make([][]int64, len(all))
		for i, s := range all {
			rows[i] = of(s)
		}
		return result.NewTrack(rows)
	}
	return &result.Series{
		Bin:       seconds(bin),
		Retries:   track(func(s metrics.Series) []int64 { return s.Retries }),
		Calls:     track(func(s metrics.Series) []int64 { return s.Calls }),
		Succeeded: track(func(s metrics.Series) []int64 { return s.Succeeded }),
		Failed:    track(func(s metrics.Series) []int64 { return s.Failed }),
		Dead:      track(func(s metrics.Series) []int64 { return s.Dead }),
		Backlog:   track(func(s metrics.Series) []int64 { return s.Backlog }),
	}
}

func ratSeconds(d time.Duration) *big.Rat { return big.NewRat(int64(d), int64(time.Second)) }

// perSecond returns the rate of a capacity; nil when none limits the calls by a rate.
func perSecond(c dependency.Capacity) *result.Number {
	if c == nil {
		return nil
	}
	rate, ok := c.Sustained()
	if !ok {
		return nil
	}
	return new(result.MeanOf([]*big.Rat{check.PerSecond(rate)}))
}
