package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
	"herdsim/sim/schedule"
)

// collector keeps every event.
type collector struct{ events []Event }

func (c *collector) Observe(batch []Event) error {
	for ev := range Unfold(batch) {
		c.events = append(c.events, *ev)
	}
	return nil
}

// coarse waits a multiple of its unit that hangs on the draw, so that instants coincide often; none is a common one. When
// aged, that is counted from the job's arrival. No wait is below the least.
type coarse struct {
	most  int
	unit  time.Duration
	aged  bool
	least int // units
}

func (c coarse) Wait(f policy.Failure, draw *rng.Draw) time.Duration {
	d := time.Duration(draw.Below(uint64(c.most)+1)) * c.unit
	if c.aged {
		d -= f.Age
	}
	return max(d, time.Duration(c.least)*c.unit)
}

type coarseSpan struct {
	most uint64
	unit time.Duration
}

func (c coarseSpan) Span(d *rng.Draw) time.Duration {
	return time.Duration(d.Below(c.most+1)) * c.unit
}

// randomConfig draws a small scenario in which everything happens at once. Its tenth of a second is now and then one of a
// minute, an hour, a month or a year, as the schedule files far instants otherwise than near ones.
func randomConfig(rnd *rand.Rand) Config {
	scale := time.Duration([]int64{1, 1, 60, 3600, 2_592_000, 31_536_000}[rnd.IntN(6)])
	tenth := 100 * time.Millisecond * scale
	pick := func(of ...time.Duration) time.Duration { return of[rnd.IntN(len(of))] }
	c := Config{
		Seed: rnd.Uint64(), Replication: uint64(rnd.IntN(3)), Stop: clock.Time(pick(3, 20, 100)*10*tenth) - clock.Time(rnd.Int64N(int64(20*tenth))),
		PolicyName: "coarse", Policy: coarse{rnd.IntN(30), tenth, rnd.IntN(4) == 0, 0},
		Budget: policy.Budget{Tries: 1 + rnd.IntN(7), Elapsed: pick(0, 0, 10*tenth, 35*tenth)},
		Queue: Queue{
			Order: Order(rnd.IntN(4)), Retries: Joining(rnd.IntN(3)), Every: pick(0, 0, 3*tenth, 10*tenth), Phase: pick(0, tenth, 25*tenth),
			Batch: rnd.IntN(4), Drain: rnd.IntN(3) == 0, Resolution: pick(0, 1, tenth*5/2),
		},
		Workers: Workers{Count: rnd.IntN(4)},
	}
	if c.Queue.Every > 0 && rnd.IntN(2) == 0 {
		c.Queue.IdleEvery = pick(c.Queue.Every+tenth, 4*c.Queue.Every)
		c.Queue.RandomPhase = rnd.IntN(4) == 0
	}
	if rnd.IntN(2) == 0 {
		randomSweeps(rnd, &c.Queue, tenth)
	}
	c.Queue.ByWorker = !c.Queue.exact() && c.Workers.Count > 0 && rnd.IntN(3) == 0
	c.DeadLetter = randomDeadLetter(rnd, tenth)
	if rnd.IntN(2) == 0 {
		c.Workers.Service = coarseSpan{uint64(rnd.IntN(8)), tenth}
	}
	if rnd.IntN(3) == 0 {
		c.Workers.Timeout = time.Duration(1+rnd.IntN(8)) * tenth
	}
	c.Dependency = randomDependency(rnd, tenth)
	c.Policy, c.Discipline = disciplined(rnd, c.Policy, tenth)
	for i := range 1 + rnd.IntN(3) {
		c.Cohorts = append(c.Cohorts, Cohort{
			Name: fmt.Sprint("c", i), Pattern: Pattern(rnd.IntN(6)), At: clock.Time(rnd.IntN(12)) * clock.Time(tenth),
			Interval: pick(tenth, 7*tenth), Rate: clock.Rate{Count: 1 + int64(rnd.IntN(9)), Per: 10 * tenth},
			Count: 1 + uint64(rnd.IntN(25)), For: pick(0, 0, 15*tenth), Poison: rnd.IntN(8) == 0,
			Delay: pick(0, 0, 5*tenth, tenth-1), Priority: uint64(rnd.IntN(3)),
		})
		addTraits(rnd, &c.Cohorts[i], tenth)
		if rnd.IntN(8) == 0 {
			c.Cohorts[i].Rule = &Rule{Name: c.PolicyName, Policy: c.Policy, Budget: c.Budget, Discipline: c.Discipline}
		}
	}
	addLosses(rnd, &c, tenth)
	return c
}

func randomDeadLetter(rnd *rand.Rand, tenth time.Duration) DeadLetter {
	var d DeadLetter
	if rnd.IntN(2) == 0 {
		return d
	}
	if rnd.IntN(3) == 0 {
		d.Max = 1 + rnd.IntN(6)
	}
	if rnd.IntN(3) == 0 {
		d.TTL = time.Duration(1+rnd.IntN(40)) * tenth / 2
	}
	if rnd.IntN(4) > 0 {
		d.Replay = &Replay{At: clock.Time(rnd.IntN(40)) * clock.Time(tenth), Batch: max(0, rnd.IntN(9)-4), Reset: rnd.IntN(2) == 0}
		if rnd.IntN(2) == 0 {
			d.Replay.Every = time.Duration(5+rnd.IntN(30)) * tenth
		}
		if rnd.IntN(2) == 0 {
			d.Replay.Rate = clock.Rate{Count: 1 + int64(rnd.IntN(5)), Per: 7 * tenth}
		}
	}
	return d
}

// randomSweeps makes more of a queue's sweeps.
func randomSweeps(rnd *rand.Rand, q *Queue, tenth time.Duration) {
	if q.Every == 0 && rnd.IntN(2) == 0 {
		return
	}
	if q.Every == 0 || rnd.IntN(3) == 0 {
		q.Every, q.EveryMost = time.Duration(rnd.IntN(2))*tenth, time.Duration(1+rnd.IntN(9))*tenth
		if rnd.IntN(2) == 0 {
			q.EveryMost += 7
		}
	}
	q.First = First(rnd.IntN(3))
	q.Pollers = rnd.IntN(4)
	q.After = rnd.IntN(2) == 0
	q.Cost = []time.Duration{0, tenth / 10, tenth, 2*tenth + 1}[rnd.IntN(4)]
}

// addTraits may give a cohort what sets it apart from the others.
func addTraits(rnd *rand.Rand, c *Cohort, tenth time.Duration) {
	if c.Pattern == Listed {
		after := make([]time.Duration, 1+rnd.IntN(20))
		for i := range after {
			after[i] = time.Duration(rnd.IntN(20)) * tenth
		}
		c.Offsets = InOrder(after)
		c.Count *= uint64(rnd.IntN(2))
	}
	services := []rng.Span{
		nil, nil,
		coarseSpan{3, tenth},
		rng.Fixed(0),
		rng.Uniform{Lo: tenth, Hi: 3 * tenth},
		rng.Cycle{0, tenth, 5 * tenth},
		rng.NewLognormal(tenth, 9*tenth),
		rng.Exponential{Mean: tenth},
	}
	c.Service = services[rnd.IntN(len(services))]
	if rnd.IntN(3) == 0 {
		budget := policy.Budget{Tries: 1 + rnd.IntN(3), Elapsed: time.Duration(rnd.IntN(2)) * 12 * tenth}
		c.Rule = &Rule{Name: "own " + c.Name, Budget: budget}
		c.Rule.Policy, c.Rule.Discipline = disciplined(rnd, coarse{rnd.IntN(9), tenth, rnd.IntN(4) == 0, 0}, tenth)
	}
}

func TestRunAgainstOracle(t *testing.T) {
	kinds, reasons, causes := map[Kind]int{}, map[Reason]int{}, map[Cause]int{}
	for seed := range uint64(4000) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 3)))
		var got collector
		if _, err := Run(c, &got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		compareEvents(t, seed, c, got.events, runOracle(c))
		for _, e := range got.events {
			kinds[e.Kind]++
			reasons[e.Reason]++
			causes[e.Cause]++
		}
	}
	for k := range Kinds {
		if kinds[k] < 500 {
			t.Errorf("only %d events of kind %v: the comparison shows little", kinds[k], k)
		}
	}
	for c := range Causes {
		if causes[c] < 500 && c != Crash || causes[Crash] < 100 {
			t.Errorf("only %d failures by %v: the comparison shows little", causes[c], c)
		}
	}
	for r := range Reasons {
		if reasons[r] < 500 {
			t.Errorf("only %d deaths of reason %v: the comparison shows little", reasons[r], r)
		}
	}
}

func compareEvents(t *testing.T, seed uint64, c Config, got, want []Event) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i < len(got) && i < len(want) && got[i] == want[i] {
			continue
		}
		from := max(0, i-5)
		t.Fatalf("seed %d: %+v\nevent %d differs\ngot:\n%swant:\n%s", seed, c, i,
			History(got[from:min(i+3, len(got))]), History(want[from:min(i+3, len(want))]))
	}
}

func fixed(d time.Duration) policy.Policy { return policy.New(policy.Fixed(d), policy.None{}) }

func together(n uint64) []Cohort { return []Cohort{{Name: "jobs", Count: n}} }

const aDay = clock.Time(24 * time.Hour)

func TestEndOfRun(t *testing.T) {
	forever := dependency.Config{Outages: []dependency.Downtime{{From: 0, To: clock.End}}}
	for _, c := range []struct {
		name   string
		config Config
		want   time.Duration
	}{
		{"drained", Config{Cohorts: together(3), Workers: Workers{Service: rng.Fixed(time.Second)}, Budget: policy.Budget{Tries: 1}}, time.Second},
		{"run on", Config{Cohorts: together(3), Budget: policy.Budget{Tries: 1}, RunOn: true}, 24 * time.Hour},
		{"unfinished", Config{Cohorts: together(3), Dependency: forever, Policy: fixed(20 * time.Hour), Budget: policy.Budget{Tries: policy.Unlimited}}, 24 * time.Hour},
		{"saturated waits", Config{Cohorts: together(3), Dependency: forever, Policy: fixed(clock.Longest), Budget: policy.Budget{Tries: 3}}, 24 * time.Hour},
		{"nothing at all", Config{Budget: policy.Budget{Tries: 1}}, 0},
	} {
		c.config.Stop = aDay
		end, err := Run(c.config, &collector{})
		if err != nil || end != clock.Time(c.want) {
			t.Errorf("%s: ended at %v (%v), want %v", c.name, time.Duration(end), err, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	c := Config{
		Stop: aDay, Cohorts: together(5), Dependency: dependency.Config{Outages: []dependency.Downtime{{From: 0, To: clock.End}}},
		PolicyName: "eager", Policy: fixed(0), Budget: policy.Budget{Tries: policy.Unlimited},
	}
	var zero *ZeroDelayError
	if _, err := Run(c, &collector{}); !errors.As(err, &zero) || zero.Policy != "eager" || zero.Job != 0 || zero.At != 0 {
		t.Errorf("unlimited retries without delay: %v", err)
	}
	c.Policy = fixed(time.Millisecond)
	c.MaxEvents = 10_000
	var limit *LimitError
	if _, err := Run(c, &collector{}); !errors.As(err, &limit) || limit.MaxEvents != 10_000 {
		t.Errorf("with 10,000 events: %v", err)
	}
	c.Policy, c.MaxEvents = fixed(0), 0
	c.Budget.Tries = maxZeroDelays + 1 // after 10,000 failures that are due at once, the last one kills
	if _, err := Run(c, &collector{}); err != nil {
		t.Errorf("as many failures in an instant as may be: %v", err)
	}
	c.Policy, c.Queue.Resolution = fixed(time.Millisecond), time.Second
	c.Budget.Tries = policy.Unlimited
	if _, err := Run(c, &collector{}); !errors.As(err, &zero) || !strings.Contains(err.Error(), "queue.resolution (1s)") {
		t.Errorf("waits that the resolution cuts to nothing: %v", err)
	}
}

// stopper refuses the batch after the first.
type stopper struct{ batches int }

var errStopped = errors.New("stopped")

func (s *stopper) Observe([]Event) error {
	if s.batches++; s.batches > 1 {
		return errStopped
	}
	return nil
}

func TestObserverStopsTheRun(t *testing.T) {
	var s stopper
	if _, err := Run(reference(10_000), &s); !errors.Is(err, errStopped) || s.batches != 2 {
		t.Errorf("error %v after %d batches, want the observer's own after 2", err, s.batches)
	}
}

func TestStepTellsTheSameStory(t *testing.T) {
	c := reference(50)
	var whole, steps collector
	if _, err := Run(c, &whole); err != nil {
		t.Fatal(err)
	}
	e := New(c, &steps)
	last := clock.Time(-1)
	for {
		more, err := e.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		if e.Now() <= last {
			t.Fatalf("step at %d after one at %d", e.Now(), last)
		}
		last = e.Now()
	}
	compareEvents(t, 0, c, steps.events, whole.events)
}

// Adding a cohort, or jobs to one, leaves every other job's luck alone.
func TestOthersLeaveLuckAlone(t *testing.T) {
	c := reference(40)
	c.Dependency.Outages[0].To = clock.Time(20 * time.Second)
	lives := func(c Config) map[uint32][]clock.Time {
		var got collector
		if _, err := Run(c, &got); err != nil {
			t.Fatal(err)
		}
		begun := map[uint32][]clock.Time{}
		for _, e := range got.events {
			if e.Kind == Began && e.Cohort == 0 {
				begun[e.Job] = append(begun[e.Job], e.At)
			}
		}
		return begun
	}
	alone := lives(c)
	c.Cohorts[0].Count = 60
	c.Cohorts = append(c.Cohorts, Cohort{Name: "more", Pattern: Poisson, Rate: clock.Rate{Count: 5, Per: time.Second}, Count: 100})
	crowded := lives(c)
	for job, want := range alone {
		if fmt.Sprint(crowded[job]) != fmt.Sprint(want) {
			t.Errorf("job %d: begins at %v beside others, at %v alone", job, crowded[job], want)
		}
	}
}

// Every order and place to join gives jobs out as a sort of all that are pending would, with hundreds of priorities too.
func TestPendingAgainstSorting(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 9))
	for trial := range 24 {
		c := Config{Queue: Queue{Order: Order(trial % 4), Retries: Joining(trial / 4 % 3)}}
		for range []int{1, 200}[trial/12] {
			c.Cohorts = append(c.Cohorts, Cohort{Priority: rnd.Uint64N(400)})
		}
		var pool schedule.Pool
		p := newPending(c, &pool, false)
		o := &oracle{c: c}
		for n := range uint32(4000) {
			if n%1000 < 500 || rnd.IntN(2) == 0 {
				cohort := rnd.IntN(len(c.Cohorts))
				j := &oracleJob{oracleRecord: &oracleRecord{arrival: arrival{cohort: cohort}, number: int(n ^ 0x55)}, attempt: 1 + rnd.IntN(3)}
				o.jobs = append(o.jobs, j)
				o.queue(j)
				job := schedule.NewJob(0, uint32(j.number), 0, uint16(cohort))
				for range j.attempt {
					job = job.Next()
				}
				p.push(schedule.Entry{Job: job})
			}
			for range min(rnd.IntN(3), p.count) {
				want := o.first(pendingPlace, func(*oracleJob) bool { return true }, o.byClaim)
				want.place = gone
				o.jobs = slices.DeleteFunc(o.jobs, func(j *oracleJob) bool { return j == want })
				if got := p.pop(); int(got.Number()) != want.number || p.count != len(o.jobs) {
					t.Fatalf("%+v: job %d of %d is given out, want %d of %d", c.Queue, got.Number(), p.count, want.number, len(o.jobs))
				}
			}
		}
	}
}
