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

// Config is everything that decides a run: one policy, one replication. Run with the same Config gives the same events.
type Config struct {
	Seed        uint64
	Replication uint64     // from 0
	Stop        clock.Time // everything before it happens
	RunOn       bool       // run to Stop even when every job is finished
	Cohorts     []Cohort
	Queue       Queue
	Workers     Workers
	Dependency  dependency.Config
	DeadLetter  DeadLetter
	PolicyName  string        // for messages
	Policy      policy.Policy // may be nil when Budget.Tries is 1 and no cause is uncharged
	Budget      policy.Budget
	Discipline  Discipline
	MaxEvents   uint64 // at most MaxEventsLimit; 0 for DefaultMaxEvents
}

// Limits on the events of one run. Job and attempt numbers fit 32 bits because no run has more events than MaxEventsLimit.
const (
	DefaultMaxEvents = 2_000_000_000
	MaxEventsLimit   = 1<<32 - 2
)

// Pattern says how the jobs of a cohort arrive.
type Pattern uint8

// Arrival patterns.
const (
	Together Pattern = iota // all at At
	Every                   // the k-th (from 0) at At + k·Interval
	Spread                  // uniformly at random over [At, At+Interval)
	Constant                // the k-th at At + ⌊k/Rate⌋
	Poisson                 // gaps exponentially distributed with mean 1/Rate
	Listed                  // at At plus each of Offsets
)

// A Cohort is a group of jobs that arrive by one pattern.
type Cohort struct {
	Name     string
	Pattern  Pattern
	At       clock.Time
	Interval time.Duration // Every, Spread
	Rate     clock.Rate    // Constant, Poisson
	Offsets  []Offset      // Listed: in the order that InOrder gives; runs share it
	Count    uint64        // 0 for no limit (For or Config.Stop ends it)
	For      time.Duration // arrivals before At+For; 0 for no limit
	Poison   bool          // its calls fail whenever the dependency would answer

	Delay    time.Duration // above 0: the first run is due so long after the arrival, and waits on the schedule till then
	Priority uint64        // lower runs first when the queue's order is Priority
	Key      string        // jobs of one key never run together, whatever their cohort; "" for none
	Payload  uint64        // bytes of a job's payload, for those who count what the dead hold; 0 when no one does
	Service  rng.Span      // instead of the workers'; nil for theirs
	Rule     *Rule         // decides instead of the config's policy and budget; nil for those
}

// A Rule is what decides about a job whose call failed. Rules of one name are one policy.
type Rule struct {
	Name       string        // for messages
	Policy     policy.Policy // may be nil when Budget.Tries is 1 and no cause is uncharged
	Budget     policy.Budget
	Discipline Discipline

	gate *gate // at work; nil for none
}

// An Offset is a job of a list: when it arrives, and which of its cohort it is.
type Offset struct {
	After time.Duration // after the cohort's At
	Index uint32
}

// InOrder returns the offsets of jobs 0, 1, … of a cohort in the order of arrival; jobs of one instant keep theirs.
func InOrder(after []time.Duration) []Offset {
	jobs := make([]Offset, len(after))
	for i, d := range after {
		jobs[i] = Offset{d, uint32(i)}
	}
	slices.SortFunc(jobs, func(a, b Offset) int {
		return cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(a.Index, b.Index))
	})
	return jobs
}

// Workers run the jobs. They have numbers from 0; a free one of the lowest number claims first.
type Workers struct {
	Count   int           // 0 for no limit, and then none crashes
	Service rng.Span      // nil for zero
	Timeout time.Duration // after which a call that has not ended fails; 0 for none
	Crashes []WorkerCrash
}

// Order is the order in which workers claim pending jobs.
type Order uint8

// Claim orders.
const (
	FIFO     Order = iota // as they became pending
	LIFO                  // the last that became pending first
	Priority              // by their cohort's priority; those of equal priority as they became pending
	Oldest                // by job number
)

// Joining says where a promoted retry joins the pending jobs.
type Joining uint8

// Where retries join. Head and AfterFresh concern retries alone: a delayed first run joins as any first attempt does.
const (
	Tail       Joining = iota // as first attempts do
	Head                      // ahead of all others, of its priority under Priority; without effect under LIFO and Oldest
	AfterFresh                // claimed, in the queue's order, when no first attempt of any priority is pending
)

// First says who is promoted first of the due jobs: classes, each by due instant and job number.
type First uint8

// Who is promoted first.
const (
	Due       First = iota // all are one class
	Retries                // retries before first runs
	FirstRuns              // first runs before retries
)

// A Queue promotes due jobs from the schedule to pending, whence workers claim them.
type Queue struct {
	Order       Order
	Retries     Joining
	Every       time.Duration // between sweeps; 0 promotes each job at its due instant, unless EveryMost is above 0
	EveryMost   time.Duration // when above 0: each interval is drawn from [Every, EveryMost], and at least 1 ns
	IdleEvery   time.Duration // when above Every: a sweep that finds nothing doubles the interval up to this, a find resets it
	Phase       time.Duration // first sweep; of drawn intervals, the instant from which they are under way
	RandomPhase bool          // the first sweep is drawn from [0, Every) instead
	After       bool          // an interval begins when the last sweep's work is done, not when that sweep began
	Pollers     int           // independent sweeps, at Every spread over it; 0 for one
	Cost        time.Duration // of one promotion: a sweep's follow one another, and the job is pending at the end of its own
	First       First         // who goes first of those that are due
	Batch       int           // most promotions of one sweep; 0 for no limit
	ByWorker    bool          // a worker sweeps between jobs: a tick at which there is work for every worker is missed; not without Workers.Count
	Drain       bool          // repeat the batch until nothing is due
	Resolution  time.Duration // due instants are floored to it; 0 means 1 ns

	Visibility   time.Duration // the lease of a claimed job: when it ends before the call does, the job is delivered once more; 0 for no end
	RenewLease   bool          // a worker that is up renews the leases of what it runs or holds: they end so long after a crash
	LeaseFails   bool          // the end of a lease is a failure, cause Timeout, instead of another delivery of the same attempt
	DeadlyStall  int           // the stall, an end of a lease, that is a job's death: the first, the second, … of its life; 0: none is
	HeldByWorker bool          // a worker holds what waits, from the wait's start to its due instant: no sweep, no slot, and Every says nothing
}

// Sweeps reports whether a time lies between sweeps. Otherwise each job is promoted at its due instant.
func (q *Queue) Sweeps() bool { return q.Every > 0 || q.EveryMost > 0 }

// exact reports whether each job is promoted at its due instant.
func (q *Queue) exact() bool { return q.HeldByWorker || !q.Sweeps() }
