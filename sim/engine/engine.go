// Package engine is the simulation itself: a pure function from a Config to the events of one replication. It reads no
// clock, starts no goroutine and keeps no variable of its own.
package engine

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
	"herdsim/sim/schedule"
)

// batchLen is how many events an observer is shown at once: few enough to stay in the nearest cache.
const batchLen = 512

// An Engine runs one Config, instant by instant.
type Engine struct {
	config   Config
	observer Observer
	batch    [batchLen]Event
	n        int    // events in batch
	prompt   uint64 // of them those that are prompt
	observed uint64 // events so far, each of those that Unfold shows
	err      error  // the first; nothing happens after it

	now       clock.Time
	pool      schedule.Pool
	arrived   uint32 // jobs so far
	live      int    // of them neither succeeded nor dead
	arrivals  arrivals
	waiting   *schedule.Set   // the schedule
	sweeps    *sweeps         // nil when each job has its own exact timer
	promoting int             // jobs in the hands of sweeps
	pending   pending         // an entry's instant is when it became pending
	calls     *schedule.Set   // in flight; an entry's instant is the call's end
	ended     *schedule.Queue // calls of zero length that claims of this instant began, in that order
	running   int             // calls that began and are not settled
	slots     int             // most calls that workers make at a time

	service *dependency.Service
	bounded bool  // how long a call lasts, or what it holds, is not told by its cause and its job alone: see bound
	tells   bool  // the dependency may tell when there is capacity again; not without records
	common  *Rule // the config's policy and budget
	cohorts cohorts
	records *records // nil when no job needs one
	crew    *crew    // nil when nothing depends on who runs what
	copies  *copies  // nil when every claim ends by its call; not without records
	gates   []*gate  // of the policies that have one; not without records
	held    int      // retries that wait for a token of a gate
	morgue  *morgue  // nil when no one looks after the dead
	draws   draws
	zero    zeroDelays
}

// draws are the addresses of a call's draws; only who and which try change between calls.
type draws struct{ service, err, jitter, layer rng.Draw }

// New returns an engine at the start of the run that c describes. c must be valid: the scenario's border has checked it.
func New(c Config, o Observer) *Engine {
	if c.MaxEvents == 0 {
		c.MaxEvents = DefaultMaxEvents
	}
	stream := rng.NewStream(c.Seed, c.Replication)
	e := &Engine{
		config:   c,
		observer: o,
		arrivals: newArrivals(c, stream),
		sweeps:   newSweeps(&c, stream),
		cohorts:  newCohorts(c),
		draws: draws{
			stream.Draw(rng.Service, 0, 0, 0), stream.Draw(rng.Error, 0, 0, 0), stream.Draw(rng.Jitter, 0, 0, 0), stream.Draw(rng.Layer, 0, 0, 0),
		},
	}
	e.ended = schedule.NewQueue(&e.pool)
	e.waiting = schedule.New(&e.pool, true)
	e.calls = schedule.New(&e.pool, false)
	e.common = (&Rule{Name: c.PolicyName, Policy: c.Policy, Budget: c.Budget, Discipline: c.Discipline}).bounded()
	e.morgue = newMorgue(&c, &e.pool)
	e.copies, e.slots = newCopies(&c), c.Workers.slots()
	e.tells = c.Dependency.TellsAny()
	e.records = newRecords(&c, e.morgue != nil || e.copies != nil || e.tells)
	e.pending = newPending(c, &e.pool, e.copies != nil)
	if len(c.Workers.Crashes) > 0 {
		e.crew = newCrew(&c.Workers)
	}
	e.buildGates()
	e.service = dependency.New(c.Dependency, dependency.Callers{
		Poison: e.cohorts.poison, Timeout: c.Workers.Timeout, Server: stream.Draw(rng.Server, 0, 0, 0),
	})
	e.bounded = c.Workers.Timeout > 0 || e.service.Counts(NoCause)
	return e
}

// cohorts hold what is decided cohort by cohort; a list is nil when no cohort has the like.
type cohorts struct {
	rules    []*Rule // nil where the config's decides
	services []rng.Span
	delays   []time.Duration
	poison   []bool
}

func newCohorts(c Config) cohorts {
	var all cohorts
	n := len(c.Cohorts)
	rules, services, delays, poison := make([]*Rule, n), make([]rng.Span, n), make([]time.Duration, n), make([]bool, n)
	for i := range c.Cohorts {
		cohort := &c.Cohorts[i]
		if cohort.Rule != nil {
			rules[i], all.rules = cohort.Rule.bounded(), rules
		}
		if services[i] = cohort.Service; services[i] == nil {
			services[i] = c.Workers.Service
		}
		if services[i] != nil {
			all.services = services
		}
		if delays[i] = cohort.Delay; delays[i] > 0 {
			all.delays = delays
		}
		if poison[i] = cohort.Poison; poison[i] {
			all.poison = poison
		}
	}
	return all
}

// bounded returns r with the longest life there is for one without limit.
func (r *Rule) bounded() *Rule {
	b := *r
	b.Budget.Elapsed = cmp.Or(b.Budget.Elapsed, math.MaxInt64)
	return &b
}

// rule returns what decides about job j.
func (e *Engine) rule(j schedule.Job) *Rule {
	if e.cohorts.rules != nil {
		if own := e.cohorts.rules[j.Cohort()]; own != nil {
			return own
		}
	}
	return e.common
}

// Run simulates c to its end, shows every event to o, and returns the instant at which the run ended: c.Stop, or that of
// the last event when the run drained earlier. The error is o's, a *LimitError or a *ZeroDelayError.
func Run(c Config, o Observer) (clock.Time, error) {
	e := New(c, o)
	for e.step() {
		e.hurry()
	}
	e.flush()
	return e.now, e.err
}

// Step runs the next instant at which something happens and shows its events. It reports false, and stands at the end of
// the run, when nothing is left to happen before the stop.
func (e *Engine) Step() (bool, error) {
	more := e.step()
	e.flush()
	return more && e.err == nil, e.err
}

// Now returns the instant at which the engine stands.
func (e *Engine) Now() clock.Time { return e.now }

// step runs one instant in the order that is law: calls that end, arrivals, sweeps, claims; a call of zero length ends at
// once and begins the next round of the same instant. The dependency's own changes need no turn: its state is a function of
// the instant.
func (e *Engine) step() bool {
	at := e.nextInstant()
	if at >= e.config.Stop || e.err != nil {
		e.finish()
		return false
	}
	e.now = at
	e.zero.reset()
	if e.calls.Head <= at {
		e.endCalls()
	}
	if e.arrivals.next == at {
		e.arrive()
	}
	if e.records != nil {
		e.tendRare()
	}
	e.rounds()
	e.conserve()
	return true
}

// rounds promotes and claims until the instant has nothing more to do.
func (e *Engine) rounds() {
	for again := true; again && e.err == nil; again = e.goesOn() {
		switch {
		case e.sweeps != nil:
			e.poll()
		case !e.due():
		case e.copies != nil && e.copies.hold:
			e.letGo()
		default:
			e.promoteDue(e.waiting.Pop())
		}
		e.serve()
	}
}

// serve lets free workers claim what is pending.
func (e *Engine) serve() {
	if e.pending.count > 0 {
		e.claim()
		e.settleEnded()
	}
	if e.gates != nil {
		e.release()
	}
}

// goesOn reports whether the instant has another round: a worker is free for a pending job, or a retry is due at once.
func (e *Engine) goesOn() bool {
	return e.pending.count > 0 && e.idle() || e.sweeps == nil && e.due()
}

// hurry runs the instants to come that have nothing but a waiting job that is due, as step would, and spares asking at each of
// them what else there could be. In a storm of retries nearly all instants are like that.
func (e *Engine) hurry() {
	if e.sweeps != nil || e.records != nil || e.pending.count > 0 {
		return
	}
	limit, calls := min(e.arrivals.next, e.config.Stop, e.calls.Bound()), e.calls.Len()
	for e.err == nil && e.calls.Len() == calls {
		if e.waiting.Head == clock.End {
			e.waiting.Find(limit)
		}
		if e.waiting.Head >= limit {
			return
		}
		e.now = e.waiting.Head
		e.zero.reset()
		if due := e.waiting.Pop(); e.waiting.Head > e.now && e.idle() {
			e.begin(due)
		} else {
			e.promoteDue(due)
		}
		if e.pending.count > 0 || e.waiting.Head <= e.now {
			e.serve()
			e.rounds()
		}
		e.conserve()
	}
}

// nextInstant returns the next instant at which anything happens, or one at or beyond the stop.
func (e *Engine) nextInstant() clock.Time {
	next := e.arrivals.next
	if e.records != nil {
		next = min(next, e.nextRare())
	}
	if e.hidden() {
		e.look(min(next, e.config.Stop))
	}
	at := min(next, e.calls.Head)
	if e.sweeps == nil {
		return min(at, e.waiting.Head)
	}
	return min(at, e.nextSweep(e.waiting.Head))
}

// hidden reports whether the schedule or the calls have entries but have not found the first of them.
func (e *Engine) hidden() bool {
	return e.waiting.Head == clock.End && e.waiting.Len() > 0 || e.calls.Head == clock.End && e.calls.Len() > 0
}

// look finds the first waiting job and the first call to end, as far as they lie at limit or before and could be next.
// Neither is asked beyond what the other could still put in its way (see schedule.Set.Find); so they take turns until
// whichever comes first has been found.
func (e *Engine) look(limit clock.Time) {
	for e.hidden() {
		end, due := e.calls.Bound(), e.waiting.Bound()
		tick := due
		if e.sweeps != nil {
			tick = e.nextSweep(due)
		}
		switch {
		case e.waiting.Head == clock.End && due <= min(limit, end):
			e.waiting.Find(min(limit, end))
		case e.calls.Head == clock.End && end <= min(limit, tick):
			e.calls.Find(min(limit, tick))
		default:
			return
		}
	}
}

// finish moves to the end of the run: the stop, unless everything was over before.
func (e *Engine) finish() {
	if e.err == nil && e.sweeps != nil && e.sweeps.drawn > e.sweeps.limit {
		e.err = e.tooMany()
	}
	if e.err == nil && (e.config.RunOn || e.live > 0) {
		e.now = e.config.Stop
	}
}

// conserve checks that every job is in exactly one place. It costs a few additions and is always on.
func (e *Engine) conserve() {
	if e.live != e.waiting.Len()+e.pending.count+e.running || e.copies != nil {
		e.account()
	}
}

// account looks for the jobs that are in none of the places where most runs have all of theirs. Where there are copies, a job
// has one entry somewhere, or copies of which one will settle its attempt, or crashes have left nothing of it.
func (e *Engine) account() {
	places := e.waiting.Len() + e.promoting + e.pending.count + e.pending.parked + e.running + e.held
	if e.copies != nil {
		places += e.copies.claimed + e.copies.gone + e.copies.lost - e.copies.all.len()
	}
	if e.err != nil || e.live == places {
		return
	}
	text := fmt.Sprintf("engine: at %d ns %d jobs live, but %d wait, %d are being promoted, %d are held, %d are pending and %d run",
		e.now, e.live, e.waiting.Len(), e.promoting, e.held, e.pending.count+e.pending.parked, e.running)
	if c := e.copies; c != nil {
		text += fmt.Sprintf("; of those %d are copies, of %d jobs; %d copies are lost, %d jobs altogether", c.all.len()-c.lost, c.claimed, c.lost, c.gone)
	}
	panic(text)
}

// emit adds an event of job j at this instant, and returns it for what else there is to say. The batch must have room. It
// writes field by field: an Event built aside and copied would wait for its own stores. What only jobs with a record may set
// is blank already: see flush.
func (e *Engine) emit(kind Kind, ref clock.Time, j schedule.Job) *Event {
	ev := &e.batch[e.n]
	e.n++
	ev.At = e.now
	ev.Ref = ref
	ev.Job = j.Number()
	ev.Attempt = j.Attempt()
	ev.Cohort = j.Cohort()
	ev.Kind = kind
	ev.Cause = NoCause
	ev.Reason = NoReason
	ev.Prompt = false
	return ev
}

// room makes room for one event.
func (e *Engine) room() {
	if e.n == batchLen {
		e.flush()
	}
}

// flush shows the batch to the observer.
func (e *Engine) flush() {
	if e.err == nil && e.n > 0 {
		e.observed += uint64(e.n) + 2*e.prompt
		e.err = e.observer.Observe(e.batch[:e.n])
		if e.err == nil && e.observed > e.config.MaxEvents {
			e.err = e.tooMany()
		}
	}
	if e.records != nil {
		for i := range e.batch[:e.n] {
			e.batch[i].Again, e.batch[i].Layer = false, 0
		}
	}
	e.n, e.prompt = 0, 0
}

func (e *Engine) tooMany() error {
	return &LimitError{Policy: e.config.PolicyName, MaxEvents: e.config.MaxEvents, At: e.now, Uncharged: e.config.uncharged()}
}
