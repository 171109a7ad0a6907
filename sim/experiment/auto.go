package experiment

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"herdsim/sim/check"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// firstLook is the number of replications after which Auto looks at the results for the first time. It doubles from there.
const firstLook = 20

// Auto says how many replications are enough.
type Auto struct {
	Most      int      // replications, whatever is still in doubt then
	Precision *big.Rat // half the width of an interval, relative to the mean
}

// A Doubt is what more replications might still decide.
type Doubt struct {
	Policy string
	What   string // a metric, as a key of result.Policy.Metrics, or a check, as `check NAME`
}

// RunUntil adds replications, 20, 40, 80 and so on, until nothing is in doubt or auto.Most is reached, and says what is in doubt
// then. With checks these are the checks, which must not be judged by Every; without, whether the metrics that the comparison shows and
// those asked for are known to the precision. The result is that of Run with as many replications from the start.
func RunUntil(ctx context.Context, f *scenario.File, opt Options, auto Auto) (*result.Result, []Doubt, error) {
	var blocks [][]run // for each case and policy
	for n := min(firstLook, auto.Most); ; n = min(2*n, auto.Most) {
		f = WithReplications(f, n)
		if err := checkMemory(f, opt.Letters != nil); err != nil {
			return nil, nil, err
		}
		var err error
		if blocks, err = extend(ctx, f, blocks, opt); err != nil {
			return nil, nil, err
		}
		doubts := auto.doubts(f, slices.Concat(blocks...))
		if len(doubts) == 0 || n == auto.Most {
			return gather(f, slices.Concat(blocks...), opt), doubts, nil
		}
	}
}

// WithReplications returns the file with so many replications in every case.
func WithReplications(f *scenario.File, n int) *scenario.File {
	changed := *f
	changed.Cases = slices.Clone(f.Cases)
	for i := range changed.Cases {
		changed.Cases[i].Replications = n
	}
	return &changed
}

// extend runs the replications that the blocks do not have yet.
func extend(ctx context.Context, f *scenario.File, blocks [][]run, opt Options) ([][]run, error) {
	all := unitsOf(f)
	n := f.Cases[0].Replications
	had := 0
	if blocks != nil {
		had = len(blocks[0])
	}
	var units []unit
	for block := range slices.Chunk(all, n) {
		units = append(units, block[had:]...)
	}
	if report := opt.Progress; report != nil {
		done := len(all) - len(units)
		opt.Progress = func(n, _ int) { report(done+n, len(all)) }
	}
	runs, err := spread(ctx, units, opt)
	if err != nil {
		return nil, err
	}
	var extended [][]run
	for more := range slices.Chunk(runs, n-had) {
		var block []run
		if had > 0 {
			block = blocks[len(extended)]
		}
		extended = append(extended, append(slices.Clip(block), more...))
	}
	return extended, nil
}

// doubts lists what the runs leave open, by case.
func (a Auto) doubts(f *scenario.File, runs []run) []Doubt {
	checked := slices.ContainsFunc(f.Cases, func(c scenario.Case) bool { return len(c.Checks) > 0 })
	var open []Doubt
	for i := range f.Cases {
		c := &f.Cases[i]
		n := len(c.Policies) * c.Replications
		if checked {
			open = append(open, undecided(c, runs[:n])...)
		} else {
			open = append(open, a.vague(c, runs[:n])...)
		}
		runs = runs[n:]
	}
	return open
}

// undecided lists the checks that further replications may judge otherwise.
func undecided(c *scenario.Case, runs []run) []Doubt {
	var open []Doubt
	for i := range c.Checks {
		k := &c.Checks[i]
		if k.Over == check.Every {
			panic("experiment: replications without end would be needed for check " + k.Name)
		}
		for _, policy := range k.Policies {
			if v := judgeCheck(k, c, runs, policy); !v.Settled {
				open = append(open, Doubt{policy, "check " + k.Name})
			}
		}
	}
	return open
}

// vague lists the metrics that are not known to the precision.
func (a Auto) vague(c *scenario.Case, runs []run) []Doubt {
	terms := []metrics.Term{herd(&c.Scenario), {ID: "jobs.dead"}, {ID: "retries.drained_at"}, {ID: "calls.total"}}
	var open []Doubt
	for i, p := range c.Policies {
		for _, t := range distinct(append(terms, c.Metrics.Also...)) {
			column := columnOf(t, runs[i*c.Replications:(i+1)*c.Replications])
			if known := present(column.values); len(known) > 0 && !a.knows(known, t.Grain(c.Metrics.Window)) {
				open = append(open, Doubt{p.Name, t.String()})
			}
		}
	}
	return open
}

func present(values []*big.Rat) []*big.Rat {
	return slices.DeleteFunc(slices.Clone(values), func(v *big.Rat) bool { return v == nil })
}

// knows reports whether half the interval of the mean is at most the precision times the mean, or half of one thing where
// things are counted: a mean of 0.3 jobs need not be known any better. Of values in two clumps it is the share of a
// clump that must be known, to the precision as such.
func (a Auto) knows(values []*big.Rat, grain *big.Rat) bool {
	if clumps := result.Clumps(values, grain); clumps != nil {
		width := new(big.Rat).Sub(clumps[0].CI95[1].Rat(), clumps[0].CI95[0].Rat())
		return width.Cmp(new(big.Rat).Add(a.Precision, a.Precision)) <= 0
	}
	low, high, several := result.Interval(values)
	if !several {
		return false
	}
	width := new(big.Rat).Sub(high, low)
	twiceMean := low.Add(low, high)
	allowed := twiceMean.Mul(twiceMean.Abs(twiceMean), a.Precision)
	return width.Cmp(allowed) <= 0 || width.Cmp(grain) <= 0
}

// String names the doubt for a message.
func (d Doubt) String() string { return fmt.Sprintf("%s of policy %s", d.What, d.Policy) }
