package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// At no point of the story are more admitted calls in flight than the limit says, and a call is refused only while so many
// are.
func TestConcurrencyIsNeverExceeded(t *testing.T) {
	refused := 0
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		c := randomConfig(rnd)
		most := 1 + rnd.IntN(4)
		lossless(&c)
		c.Dependency.Capacity, c.Dependency.Phases = dependency.Concurrency(most), nil
		c.DeadLetter.Replay = nil
		c.Workers.Count, c.Workers.Timeout, c.Stop = 0, 0, clock.End // late enough for every call to end
		for _, d := range c.disciplines() {
			d.Uncharged = 0
		}
		var got collector
		if _, err := Run(c, &got); err != nil {
			t.Fatal(err)
		}
		inFlight := 0
		for i, e := range got.events {
			switch cause := causeOf(got.events[i:]); {
			case beginsCall(e) && cause == Overload:
				refused++
				if inFlight < most {
					t.Fatalf("seed %d: event %d: refused while %d of %d calls were in flight", seed, i, inFlight, most)
				}
			case beginsCall(e) && cause != Outage:
				if inFlight++; inFlight > most {
					t.Fatalf("seed %d: event %d: %d calls in flight, the most are %d", seed, i, inFlight, most)
				}
			case endsCall(e) && e.Cause != Outage && e.Cause != Overload:
				inFlight--
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d calls refused: the test shows little", refused)
	}
}

// beginsCall reports whether an event tells that a call began.
func beginsCall(e Event) bool { return e.Kind == Began || e.Kind == Called }

// endsCall reports whether an event tells how a call ended.
func endsCall(e Event) bool {
	return e.Kind == Succeeded || e.Cause != NoCause && e.Cause != Breaker
}

// causeOf returns how the call ends that begins with the first event.
func causeOf(events []Event) Cause {
	for _, e := range events[1:] {
		if e.Job == events[0].Job && endsCall(e) {
			return e.Cause
		}
	}
	return NoCause // the first event is not the beginning of a call
}

// With certain errors a phase is an outage by another name: everything but the cause is the same.
func TestPhaseOfErrorsIsAnOutage(t *testing.T) {
	for seed := range uint64(300) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 6)))
		c.Dependency.ErrorRate, c.Dependency.Capacity, c.Dependency.Phases, c.Dependency.PerCall = 0, nil, nil, 0
		for _, d := range c.disciplines() {
			d.Uncharged, d.NotRetryable = blind(d.Uncharged), blind(d.NotRetryable)
		}
		for i := range c.Cohorts {
			c.Cohorts[i].Poison = false
		}
		var outage, phase collector
		if _, err := Run(c, &outage); err != nil {
			t.Fatal(err)
		}
		for _, w := range c.Dependency.Outages {
			c.Dependency.Phases = append(c.Dependency.Phases, dependency.Phase{Windows: []dependency.Window{{From: w.From, To: w.To}}, Cohorts: w.Cohorts, ErrorRate: new(rng.Certain)})
		}
		c.Dependency.Outages = nil
		if _, err := Run(c, &phase); err != nil {
			t.Fatal(err)
		}
		for i := range phase.events {
			if e := &phase.events[i]; e.Cause == Errored {
				e.Cause = Outage
			}
		}
		compareEvents(t, seed, c, phase.events, outage.events)
	}
}

// A phase that lasts from the start to the end says what the dependency itself could say.
func TestPhaseForGoodIsTheDependency(t *testing.T) {
	for seed := range uint64(300) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 7)))
		c.Dependency.Phases = nil
		var plain, phase collector
		if _, err := Run(c, &plain); err != nil {
			t.Fatal(err)
		}
		d := c.Dependency
		c.Dependency = dependency.Config{Outages: d.Outages, Phases: []dependency.Phase{{
			Windows: []dependency.Window{{From: 0, To: clock.End}}, Capacity: d.Capacity, ErrorRate: &d.ErrorRate, Latency: &d.Latency, PerCall: &d.PerCall, FailAfter: &d.FailAfter, Tells: &d.Tells,
		}}}
		if _, err := Run(c, &phase); err != nil {
			t.Fatal(err)
		}
		compareEvents(t, seed, c, phase.events, plain.events)
	}
}

// Calls without length are in flight together until their round of the instant ends.
func TestCallsOfNoLengthTakeASlot(t *testing.T) {
	c := Config{
		Stop: aDay, Cohorts: together(3), Dependency: dependency.Config{Capacity: dependency.Concurrency(2)},
		Policy: fixed(0), Budget: policy.Budget{Tries: 2},
	}
	const want = `0s job 0 arrives
0s job 1 arrives
0s job 2 arrives
0s job 0 begins attempt 1, pending since 0s
0s job 1 begins attempt 1, pending since 0s
0s job 2 begins attempt 1, pending since 0s
0s job 0 succeeds, 0s after it came
0s job 1 succeeds, 0s after it came
0s job 2 fails by overload, due 0s
0s job 2 is promoted for attempt 2, due 0s
0s job 2 begins attempt 2, pending since 0s
0s job 2 succeeds, 0s after it came
`
	var got collector
	if _, err := Run(c, &got); err != nil {
		t.Fatal(err)
	}
	if h := History(got.events); h != want {
		t.Errorf("got\n%swant\n%s", h, want)
	}
	// One worker makes one call at a time, and so never meets the limit.
	c.Workers.Count, c.Dependency.Capacity, c.Budget.Tries = 1, dependency.Concurrency(1), 1
	got = collector{}
	if _, err := Run(c, &got); err != nil {
		t.Fatal(err)
	}
	for _, e := range got.events {
		if e.Kind == Died {
			t.Errorf("job %d is refused although it is the only one to call", e.Job)
		}
	}
}

// A call that ends frees its place for one that begins in the same instant; so does a change of the dependency.
func TestChangesComeFirstInAnInstant(t *testing.T) {
	every := []Cohort{{Pattern: Every, Interval: time.Second, Count: 4}}
	begins := Config{
		Stop: aDay, Cohorts: every, Workers: Workers{Service: rng.Fixed(time.Second)}, Budget: policy.Budget{Tries: 1},
		Dependency: dependency.Config{Capacity: dependency.Concurrency(1), Phases: []dependency.Phase{{
			Windows: []dependency.Window{{From: clock.Time(2 * time.Second), To: clock.Time(3 * time.Second)}}, ErrorRate: new(rng.Certain),
		}}},
	}
	const want = `0s job 0 arrives
0s job 0 begins attempt 1, pending since 0s
1s job 0 succeeds, 1s after it came
1s job 1 arrives
1s job 1 begins attempt 1, pending since 1s
2s job 1 succeeds, 1s after it came
2s job 2 arrives
2s job 2 begins attempt 1, pending since 2s
2s job 2 fails by error and is dead (exhausted) after attempt 1
3s job 3 arrives
3s job 3 begins attempt 1, pending since 3s
4s job 3 succeeds, 1s after it came
`
	var got collector
	if _, err := Run(begins, &got); err != nil {
		t.Fatal(err)
	}
	if h := History(got.events); h != want {
		t.Errorf("got\n%swant\n%s", h, want)
	}
}

// Poison never succeeds, and without a limit that they share it leaves other cohorts alone.
func TestPoisonLeavesOthersAlone(t *testing.T) {
	for seed := range uint64(100) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 8)))
		lossless(&c)
		c.Dependency.Capacity, c.Dependency.Phases, c.Workers.Count, c.Queue.Batch, c.Queue.IdleEvery, c.Queue.Cost = nil, nil, 0, 0, 0, 0
		c.Queue.ByWorker = false
		c.Dependency.PerCall = 0    // who ends sooner is felt by all
		c.DeadLetter = DeadLetter{} // a replay takes the jobs of all
		for _, d := range c.disciplines() {
			d.RetryBudget, d.Breaker = nil, nil
		}
		c.Cohorts = append(c.Cohorts, Cohort{Name: "poison", Count: 5})
		last := len(c.Cohorts) - 1
		others := func(poison bool) []Event {
			c.Cohorts[last].Poison = poison
			var got collector
			if _, err := Run(c, &got); err != nil {
				t.Fatal(err)
			}
			var list []Event
			for _, e := range got.events {
				switch {
				case int(e.Cohort) != last:
					list = append(list, e)
				case poison && (e.Kind == Succeeded || e.Cause == Errored):
					t.Fatalf("seed %d: poison ends with kind %d, cause %d", seed, e.Kind, e.Cause)
				}
			}
			return list
		}
		compareEvents(t, seed, c, others(true), others(false))
	}
}
