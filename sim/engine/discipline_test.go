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
func disciplined(rnd *rand.Rand, p policy.Policy) (policy.Policy, Discipline) {
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
	return p, d
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
		Dependency: dependency.Config{Outages: []dependency.Window{{From: 0, To: clock.End}}},
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
