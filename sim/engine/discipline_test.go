package engine

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
)

// disciplined draws a discipline for a policy. Where failures may spend nothing, no wait is so short that a job would fail in
// one instant for ever.
func disciplined(rnd *rand.Rand, p policy.Policy, tenth time.Duration) (policy.Policy, Discipline) {
	var d Discipline
	if rnd.IntN(4) == 0 {
		d.Uncharged = CauseSet(rnd.Uint32N(1 << Causes))
		waits := p.(coarse)
		waits.least = 5
		p = waits
	}
	if rnd.IntN(5) == 0 {
		d.NotRetryable = CauseSet(rnd.Uint32N(1<<Causes) & rnd.Uint32N(1<<Causes))
	}
	if rnd.IntN(4) == 0 {
		d.RetryBudget = randomBudget(rnd, tenth)
	}
	if rnd.IntN(4) == 0 {
		d.Breaker = &BreakerRule{
			Failures: 1 + rnd.IntN(4), Within: tenth * time.Duration(1+rnd.IntN(12)), Open: tenth * time.Duration(1+rnd.IntN(15)),
			Probes: 1 + rnd.IntN(3), AtSchedule: rnd.IntN(3) == 0, PerWorker: rnd.IntN(3) == 0,
		}
	}
	for range max(0, rnd.IntN(6)-3) {
		layer := Layer{Tries: 1 + rnd.IntN(3)}
		if rnd.IntN(3) > 0 {
			layer.Policy = coarse{rnd.IntN(4), tenth, false, 0}
		}
		d.Layers = append(d.Layers, layer)
	}
	if rnd.IntN(3) > 0 {
		p = policy.Heed(p, []time.Duration{0, 3 * tenth}[rnd.IntN(2)])
	}
	return p, d
}

func randomBudget(rnd *rand.Rand, tenth time.Duration) *RetryBudget {
	b := &RetryBudget{Bucket: 1 + uint64(rnd.IntN(5)), Wait: rnd.IntN(2) == 0, AtFire: rnd.IntN(2) == 0, PerWorker: rnd.IntN(3) == 0}
	rate := clock.Rate{Count: 1 + int64(rnd.IntN(4)), Per: tenth * time.Duration(1+rnd.IntN(9))}
	part := policy.Fraction{Num: 1 + uint64(rnd.IntN(3)), Den: 3 + uint64(rnd.IntN(5))}
	switch rnd.IntN(4) {
	case 0:
		b.Refill = rate
	case 1:
		b.PerSuccess = part
	case 2:
		b.PerSuccess, b.Threshold = part, policy.Fraction{Num: uint64(rnd.IntN(3)), Den: 3}
	default:
		b.PerFirst = part
		b.Bucket *= uint64(rnd.IntN(2))
		if rnd.IntN(2) == 0 {
			b.Reserve = rate
		}
	}
	return b
}

// blind returns the set that takes an error for an outage.
func blind(s CauseSet) CauseSet {
	if s &^= 1 << Errored; s.Has(Outage) {
		s = s.With(Errored)
	}
	return s
}

// A run that no budget ends stops at the stop, or at the limit of events, which then says why it was reached.
func TestUnchargedForEver(t *testing.T) {
	c := Config{
		Stop: aDay, Cohorts: together(2), PolicyName: "patient", Policy: fixed(time.Hour), Budget: policy.Budget{Tries: 1},
		Dependency: dependency.Config{Outages: []dependency.Downtime{{From: 0, To: clock.End}}},
		Discipline: Discipline{Uncharged: CauseSet(0).With(Outage).With(Overload)},
	}
	var told collector
	if end, err := Run(c, &told); err != nil || end != aDay {
		t.Errorf("ended at %v: %v", time.Duration(end), err)
	}
	if last := told.events[len(told.events)-1]; last.Kind != Failed || last.Attempt != 24 {
		t.Errorf("last: %+v", last)
	}
	c.MaxEvents = 1000
	c.Policy = fixed(time.Second)
	const why = "failures by outage, overload spend no budget"
	var limit *LimitError
	if _, err := Run(c, &collector{}); !errors.As(err, &limit) || !strings.Contains(err.Error(), why) {
		t.Errorf("with 1000 events: %v", err)
	}
	c.Cohorts[0].Rule = &Rule{Name: "own", Policy: c.Policy, Budget: c.Budget, Discipline: c.Discipline}
	c.Discipline = Discipline{}
	if _, err := Run(c, &collector{}); !errors.As(err, &limit) || !strings.Contains(err.Error(), why) {
		t.Errorf("with a cohort's own policy: %v", err)
	}
}
