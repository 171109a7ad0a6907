package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"herdsim/sim/dependency"
	"herdsim/sim/policy"
)

// told runs a config and returns its events.
func told(t *testing.T, c Config) []Event {
	t.Helper()
	var got collector
	if _, err := Run(c, &got); err != nil {
		t.Fatal(err)
	}
	return got.events
}

// An outage or a phase of every cohort is one of all.
func TestAllCohortsAreEverybody(t *testing.T) {
	for seed := range uint64(300) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 21)))
		d := &c.Dependency
		every := make([]uint16, len(c.Cohorts))
		for i := range every {
			every[i] = uint16(i)
		}
		concern := func(cohorts []uint16) {
			d.Outages, d.Phases = slices.Clone(d.Outages), slices.Clone(d.Phases)
			for i := range d.Outages {
				d.Outages[i].Cohorts = cohorts
			}
			for i := range d.Phases {
				d.Phases[i].Cohorts = cohorts
			}
		}
		concern(nil)
		want := told(t, c)
		concern(every)
		compareEvents(t, seed, c, told(t, c), want)
	}
}

// Those whom an outage does not concern live on as if it were not, where they share nothing else.
func TestOutageOfSomeLeavesOthersAlone(t *testing.T) {
	for seed := range uint64(300) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 22)))
		lossless(&c)
		c.Queue, c.Workers.Count, c.DeadLetter = Queue{}, 0, DeadLetter{}
		c.Dependency = dependency.Config{Latency: c.Dependency.Latency, ErrorRate: c.Dependency.ErrorRate}
		c.Discipline.RetryBudget, c.Discipline.Breaker = nil, nil
		for i := range c.Cohorts {
			c.Cohorts[i].Rule = nil
		}
		others := func() []Event {
			return slices.DeleteFunc(told(t, c), func(e Event) bool { return e.Cohort == 0 })
		}
		want := others()
		c.Dependency.Outages = []dependency.Downtime{{To: c.Stop, Cohorts: []uint16{0}}}
		compareEvents(t, seed, c, others(), want)
	}
}

// What nobody heeds changes nothing, but that it is told.
func TestHintsThatNobodyHeeds(t *testing.T) {
	hints := 0
	for seed := range uint64(300) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 23)))
		silent := func(p *policy.Policy) {
			if policy.Heeds(*p) {
				*p = fixed(7 * c.Cohorts[0].Interval)
			}
		}
		silent(&c.Policy)
		for i := range c.Cohorts {
			if r := c.Cohorts[i].Rule; r != nil {
				silent(&r.Policy)
			}
		}
		d := &c.Dependency
		d.Phases = slices.Clone(d.Phases)
		for i := range d.Phases {
			d.Phases[i].Tells = nil
		}
		d.Tells = false
		want := told(t, c)
		d.Tells = true
		got := slices.DeleteFunc(told(t, c), func(e Event) bool {
			if e.Kind == Told {
				hints++
			}
			return e.Kind == Told
		})
		compareEvents(t, seed, c, got, want)
	}
	if hints < 500 {
		t.Errorf("only %d hints: the test shows little", hints)
	}
}
