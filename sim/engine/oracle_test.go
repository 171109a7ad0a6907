package engine

import (
	"cmp"
	"math/big"
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
	tick     clock.Time
	interval time.Duration
	window   clock.Time // start of the capacity window that admitted belongs to
	admitted int64
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
	gone
)

type oracleJob struct {
	arrival
	number  int
	place   place
	since   clock.Time // due, pending since, or end of the call
	seq     int
	attempt int
	cause   Cause
}

func runOracle(c Config) []Event {
	o := &oracle{c: c, stream: rng.NewStream(c.Seed, c.Replication), tick: clock.Time(c.Queue.Phase), interval: c.Queue.Every, window: -1}
	if c.Queue.RandomPhase {
		d := o.stream.Draw(rng.Sweep, 0, 0, 0)
		o.tick = clock.Time(d.Below(uint64(c.Queue.Every)))
	}
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

func (o *oracle) arrivalsOf(id int, c Cohort) []arrival {
	var all []arrival
	sum := new(big.Int)
	for k := 0; k < int(c.Count) || c.Count == 0; k++ {
		d := o.stream.Draw(rng.Arrival, uint32(id), uint64(k), 0)
		at := c.At
		switch c.Pattern {
		case Every:
			at += clock.Time(k) * clock.Time(c.Interval)
		case Constant:
			at += clock.Time(int64(k) * int64(c.Rate.Per) / c.Rate.Count)
		case Spread:
			at += clock.Time(d.Below(uint64(c.Interval)))
		case Poisson: // ⌊Σ gaps · per / count⌋, gaps in units of 1/rng.ExponentialOne
			sum.Add(sum, new(big.Int).SetUint64(d.Exponential()))
			ns := new(big.Int).Mul(sum, big.NewInt(int64(c.Rate.Per)))
			ns.Quo(ns, new(big.Int).Mul(big.NewInt(c.Rate.Count), big.NewInt(rng.ExponentialOne)))
			at += clock.Time(ns.Int64())
		}
		if late := at >= o.c.Stop || c.For > 0 && at >= c.At.Add(c.For); late && c.Pattern != Spread {
			break
		} else if !late {
			all = append(all, arrival{at, id, k})
		}
	}
	return all
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
			if o.c.Queue.Every == 0 {
				next = min(next, max(j.since, o.now))
			}
		case inCall:
			next = min(next, j.since)
		}
	}
	if o.c.Queue.Every > 0 && (work || next < clock.End) {
		next = min(next, o.tick)
	}
	if next >= o.c.Stop {
		return false
	}
	o.now = next
	o.endCalls()
	for len(o.arrivals) > 0 && o.arrivals[0].at == o.now {
		j := &oracleJob{arrival: o.arrivals[0], number: len(o.jobs), attempt: 1}
		o.arrivals = o.arrivals[1:]
		o.jobs = append(o.jobs, j)
		o.note(Arrived, j, 0, 0)
		o.queue(j)
	}
	swept := false
	for {
		if o.c.Queue.Every == 0 || o.tick == o.now && !swept {
			o.sweep()
			swept = true
		}
		o.claim()
		if !o.endCalls() {
			return true
		}
	}
}

func (o *oracle) note(k Kind, j *oracleJob, ref clock.Time, attempt int) *Event {
	o.events = append(o.events, Event{At: o.now, Ref: ref, Job: uint32(j.number), Attempt: uint32(attempt), Cohort: uint16(j.cohort), Kind: k})
	return &o.events[len(o.events)-1]
}

func (o *oracle) queue(j *oracleJob) {
	o.seq++
	j.place, j.since, j.seq = pendingPlace, o.now, o.seq
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

func (o *oracle) sweep() {
	q := o.c.Queue
	byDue := func(a, b *oracleJob) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.number, b.number))
	}
	moved := 0
	for q.Every == 0 || q.Drain || q.Batch == 0 || moved < q.Batch {
		j := o.first(scheduled, func(j *oracleJob) bool { return j.since <= o.now }, byDue)
		if j == nil {
			break
		}
		o.note(Promoted, j, j.since, j.attempt)
		o.queue(j)
		moved++
	}
	if q.Every > 0 {
		if moved > 0 || q.IdleEvery <= q.Every {
			o.interval = q.Every
		} else {
			o.interval = min(2*o.interval, q.IdleEvery)
		}
		o.tick += clock.Time(o.interval)
	}
}

func (o *oracle) claim() {
	for {
		running := 0
		for _, j := range o.jobs {
			if j.place == inCall {
				running++
			}
		}
		if o.c.Workers.Count > 0 && running >= o.c.Workers.Count {
			return
		}
		j := o.first(pendingPlace, func(*oracleJob) bool { return true }, func(a, b *oracleJob) int {
			if o.c.Queue.Order == Oldest {
				return cmp.Compare(a.number, b.number)
			}
			return cmp.Compare(a.seq, b.seq)
		})
		if j == nil {
			return
		}
		o.begin(j)
	}
}

func (o *oracle) begin(j *oracleJob) {
	o.note(Began, j, j.since, j.attempt)
	o.seq++
	d := o.c.Dependency
	took := d.FailAfter
	switch j.cause = o.fate(j); j.cause {
	case NoCause:
		took = d.Latency
		if o.c.Workers.Service != nil {
			draw := o.stream.Draw(rng.Service, uint32(j.cohort), uint64(j.index), uint64(j.attempt))
			took += o.c.Workers.Service.Span(&draw)
		}
	case Overload:
		took = 0
	}
	j.place, j.since, j.seq = inCall, o.now+clock.Time(took), o.seq
}

func (o *oracle) fate(j *oracleJob) Cause {
	d := o.c.Dependency
	for _, w := range d.Outages {
		if o.now >= w.From && o.now < w.To {
			return dependency.Outage
		}
	}
	if d.Capacity != nil {
		if start := o.now - o.now%clock.Time(d.Capacity.Per); start != o.window {
			o.window, o.admitted = start, 0
		}
		if o.admitted == d.Capacity.Count {
			return dependency.Overload
		}
		o.admitted++
	}
	if coin := o.stream.Draw(rng.Error, uint32(j.cohort), uint64(j.index), uint64(j.attempt)); coin.Chance(d.ErrorRate) {
		return dependency.Errored
	}
	return NoCause
}

// endCalls settles the calls that end now and began before this round; it reports whether there were any.
func (o *oracle) endCalls() bool {
	var ending []*oracleJob
	for _, j := range o.jobs {
		if j.place == inCall && j.since == o.now {
			ending = append(ending, j)
		}
	}
	slices.SortFunc(ending, func(a, b *oracleJob) int { return cmp.Compare(a.seq, b.seq) })
	for _, j := range ending {
		switch {
		case j.cause == NoCause:
			o.note(Succeeded, j, j.at, j.attempt)
			j.place = gone
		case j.attempt >= o.c.Budget.Tries:
			ev := o.note(Died, j, j.at, j.attempt)
			ev.Cause, ev.Reason = j.cause, Exhausted
			j.place = gone
		default:
			draw := o.stream.Draw(rng.Jitter, uint32(j.cohort), uint64(j.index), uint64(j.attempt))
			failure := policy.Failure{Number: j.attempt, Charged: j.attempt - 1, Age: time.Duration(o.now - j.at)}
			due := o.now + clock.Time(o.c.Policy.Wait(failure, &draw))
			due -= due % clock.Time(max(o.c.Queue.Resolution, 1))
			if o.c.Budget.Elapsed > 0 && due > j.at+clock.Time(o.c.Budget.Elapsed) {
				ev := o.note(Died, j, j.at, j.attempt)
				ev.Cause, ev.Reason = j.cause, Expired
				j.place = gone
				continue
			}
			o.note(Failed, j, due, j.attempt).Cause = j.cause
			j.attempt++
			j.place, j.since = scheduled, due
		}
	}
	return len(ending) > 0
}
