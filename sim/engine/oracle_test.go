package engine

import (
	"cmp"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// oracle is the same model written for the eye: every job in one slice, every question answered by looking at all of
// them, every sweep an event of its own. It is what Run must agree with, event for event.
type oracle struct {
	c        Config
	stream   rng.Stream
	jobs     []*oracleJob
	arrivals []arrival
	now      clock.Time
	seq      int // of pushes to pending and of begun calls
	pollers  []*oraclePoller
	servings map[*dependency.Servers][]oracleServing
	letters  []*oracleJob         // in the morgue, the oldest death first
	line     []*oracleJob         // taken by a replay
	admitted map[int][]clock.Time // when calls were admitted by the capacity of a phase, or by that outside phases (noPhase)
	purses   map[oracleGate]*oraclePurse
	breakers map[oracleGate]*oracleBreaker
	arrived  int
	away     map[int]clock.Time // workers that have crashed, and when they return
	events   []Event
}

type arrival struct {
	at     clock.Time
	cohort int
	index  int
}

type place int

const (
	scheduled place = iota
	pendingPlace
	inCall
	held     // waits for a token
	lost     // with its worker, but for its lease
	vanished // with its worker, for good
	inPromotion
	lingering // held by a worker between two calls of one attempt
	gone
)

func runOracle(c Config) []Event {
	o := &oracle{c: c, stream: rng.NewStream(c.Seed, c.Replication), now: -1, admitted: map[int][]clock.Time{}}
	o.servings = map[*dependency.Servers][]oracleServing{}
	o.purses, o.breakers = map[oracleGate]*oraclePurse{}, map[oracleGate]*oracleBreaker{}
	o.hirePollers()
	for i, cohort := range c.Cohorts {
		o.arrivals = append(o.arrivals, o.arrivalsOf(i, cohort)...)
	}
	slices.SortFunc(o.arrivals, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.cohort, b.cohort), cmp.Compare(a.index, b.index))
	})
	for o.step() {
	}
	return o.events
}

// step runs the next instant.
func (o *oracle) step() bool {
	next, work := clock.End, false
	if len(o.arrivals) > 0 {
		next = o.arrivals[0].at
	}
	for _, j := range o.jobs {
		switch j.place {
		case scheduled:
			work = true
			if len(o.pollers) == 0 {
				next = min(next, max(j.since, o.now))
			}
		case inCall, lingering:
			next = min(next, j.since)
		}
	}
	next = min(next, o.nextToken(), o.nextReplay())
	next = o.nextDrop(min(next, o.nextLoss(next)))
	next = min(next, o.nextTurn(work || next < o.c.Stop))
	if next >= o.c.Stop {
		return false
	}
	o.now = next
	o.endCalls()
	for len(o.arrivals) > 0 && o.arrivals[0].at == o.now {
		j := &oracleJob{oracleRecord: &oracleRecord{arrival: o.arrivals[0], number: o.arrived, born: o.now}, attempt: 1, oracleCopy: newCopyOf(nil)}
		o.arrived++
		o.arrivals = o.arrivals[1:]
		o.jobs = append(o.jobs, j)
		if delay := o.c.Cohorts[j.cohort].Delay; delay > 0 {
			due := o.due(delay)
			o.note(Scheduled, j, due, 0)
			o.waits(j, due, nobody)
			continue
		}
		o.note(Arrived, j, 0, 0)
		o.queue(j)
	}
	o.tend()
	o.crash()
	o.expire()
	o.release()
	swept := false
	for {
		if len(o.pollers) == 0 {
			for o.promote(nil, o.now) {
			}
		} else if !swept {
			o.poll()
			swept = true
		}
		o.claim()
		ended := o.endCalls()
		before := len(o.events)
		if o.release(); !ended && len(o.events) == before {
			return true
		}
	}
}

func (o *oracle) note(k Kind, j *oracleJob, ref clock.Time, attempt int) *Event {
	o.events = append(o.events, Event{At: o.now, Ref: ref, Job: uint32(j.number), Attempt: uint32(attempt), Cohort: uint16(j.cohort), Kind: k, Again: j.again && (k == Began || k == Succeeded || k == Died)})
	return &o.events[len(o.events)-1]
}

// due is the instant at which a wait that begins now is over.
func (o *oracle) due(wait time.Duration) clock.Time {
	due := o.now + clock.Time(wait)
	return due - due%clock.Time(max(o.c.Queue.Resolution, 1))
}

// queue puts a job behind all that are pending, or ahead of them.
func (o *oracle) queue(j *oracleJob) {
	o.seq++
	j.place, j.since, j.seq = pendingPlace, o.now, o.seq
	if q := o.c.Queue; q.Order == LIFO || q.Order != Oldest && q.Retries == Head && j.attempt > 1 {
		j.seq = -o.seq
	}
}

// byClaim orders pending jobs as workers claim them.
func (o *oracle) byClaim(a, b *oracleJob) int {
	q, result := o.c.Queue, 0
	if q.Retries == AfterFresh {
		result = cmp.Compare(min(a.attempt, 2), min(b.attempt, 2))
	}
	switch {
	case result != 0:
		return result
	case q.Order == Oldest:
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.seq, b.seq))
	case q.Order == Priority:
		result = cmp.Compare(o.c.Cohorts[a.cohort].Priority, o.c.Cohorts[b.cohort].Priority)
	}
	return cmp.Or(result, cmp.Compare(a.seq, b.seq))
}

// first returns the job that less puts before all others of those that are in p and accepted.
func (o *oracle) first(p place, accept func(*oracleJob) bool, less func(a, b *oracleJob) int) *oracleJob {
	var best *oracleJob
	for _, j := range o.jobs {
		if j.place == p && accept(j) && (best == nil || less(j, best) < 0) {
			best = j
		}
	}
	return best
}

func (o *oracle) claim() {
	for {
		running := 0
		for _, j := range o.jobs {
			if j.place == inCall || j.place == lingering {
				running++
			}
		}
		if o.c.Workers.Count > 0 && running >= o.c.Workers.Count-len(o.away) {
			return
		}
		j := o.first(pendingPlace, func(j *oracleJob) bool { return !o.busy(j) }, o.byClaim)
		if j == nil {
			return
		}
		worker := o.freeWorker()
		if j.try.called || j.try.settled || !o.stops(j) {
			if ev := o.note(o.claimed(j, worker), j, j.since, j.attempt); ev.Kind == Began && j.try.settled {
				ev.Again = j.try.again
			}
			j.calls = 0
			o.begin(j)
		}
	}
}

// endCalls settles the calls that end now, and those that they lead to within their attempts; it reports whether there were any.
func (o *oracle) endCalls() bool {
	any := false
	for o.endRound() {
		any = true
	}
	return any
}

// endRound settles the calls and the waits inside attempts that end now and began before.
func (o *oracle) endRound() bool {
	var ending []*oracleJob
	for _, j := range o.jobs {
		if (j.place == inCall || j.place == lingering) && j.since == o.now {
			ending = append(ending, j)
		}
	}
	slices.SortFunc(ending, func(a, b *oracleJob) int { return cmp.Compare(a.seq, b.seq) })
	for _, j := range ending {
		if j.place == lingering {
			o.note(Called, j, o.now, j.attempt).Layer = uint8(j.layer)
			o.begin(j)
			continue
		}
		if o.lingers(j) {
			continue
		}
		worker := j.hands
		if o.ignores(j) {
			continue
		}
		o.ended(j)
		if j.cause == NoCause {
			o.note(Succeeded, j, j.at, j.attempts)
			j.place = gone
			continue
		}
		o.fail(j, worker, nil)
	}
	return len(ending) > 0
}

// fail decides about a job whose call failed, in the hands of a worker, or whose attempt is forfeit and is to be due at once.
func (o *oracle) fail(j *oracleJob, worker int, atOnce *clock.Time) {
	rule := o.rule(j)
	failure := policy.Failure{Number: j.attempt, Charged: j.charged, Age: time.Duration(o.now - j.born)}
	charged := !slices.Contains(causesIn(rule.Discipline.Uncharged), j.cause)
	if charged {
		j.charged++
	}
	switch {
	case slices.Contains(causesIn(rule.Discipline.NotRetryable), j.cause):
		o.die(j, NotRetryable)
		return
	case charged && j.charged >= rule.Budget.Tries:
		o.die(j, Exhausted)
		return
	case atOnce != nil && o.deadly(j):
		o.die(j, Stalled)
		return
	}
	if j.cause == Overload {
		failure.Hint = o.hint(j)
	}
	var due clock.Time
	if atOnce != nil {
		due = *atOnce
	} else {
		draw := o.stream.Draw(rng.Jitter, uint32(j.cohort), uint64(j.index), uint64(j.attempts))
		due = o.due(rule.Policy.Wait(failure, &draw))
	}
	late := func() bool { return rule.Budget.Elapsed > 0 && due > j.born+clock.Time(rule.Budget.Elapsed) }
	if late() {
		o.die(j, Expired)
		return
	}
	var goes bool
	if due, goes = o.asks(j, due); !goes {
		return
	}
	if late() {
		o.die(j, Expired)
		return
	}
	o.note(Failed, j, due, j.attempt).Cause = j.cause
	j.attempt++
	if atOnce != nil && due <= o.now {
		o.note(Promoted, j, due, j.attempt)
		o.queue(j)
		return
	}
	o.waits(j, due, worker)
}

func (o *oracle) die(j *oracleJob, why Reason) {
	o.bury(j)
	ev := o.note(Died, j, j.at, j.attempts)
	ev.Cause, ev.Reason = j.cause, why
}

// rule returns what decides about a job.
func (o *oracle) rule(j *oracleJob) Rule {
	if own := o.c.Cohorts[j.cohort].Rule; own != nil {
		return *own
	}
	return Rule{Name: o.c.PolicyName, Policy: o.c.Policy, Budget: o.c.Budget, Discipline: o.c.Discipline}
}

// causesIn lists a set of causes.
func causesIn(s CauseSet) []Cause {
	var all []Cause
	for c := range Causes {
		if s>>c&1 == 1 {
			all = append(all, c)
		}
	}
	return all
}
