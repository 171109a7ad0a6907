package dependency

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// admitted returns the instants of those calls that the capacity admits.
func admitted(c Capacity, calls []clock.Time) []clock.Time {
	s := New(Config{Capacity: c}, Callers{})
	var in []clock.Time
	for _, at := range calls {
		if s.Begin(at, 0, coin(0)) == NoCause {
			in = append(in, at)
		}
	}
	return in
}

// A caller that tries at every nanosecond finds each token in the instant that completes it.
func TestBucketIsExact(t *testing.T) {
	calls := make([]clock.Time, 100)
	for i := range calls {
		calls[i] = clock.Time(i)
	}
	for _, c := range []struct {
		bucket TokenBucket
		want   []clock.Time
	}{
		{TokenBucket{clock.Rate{Count: 3, Per: 100}, 2}, []clock.Time{0, 1, 34, 67}}, // thirds are kept
		{TokenBucket{clock.Rate{Count: 3, Per: 100}, 1}, []clock.Time{0, 34, 68}},    // a full bucket has no room for them
		{TokenBucket{clock.Rate{Count: 1, Per: 30}, 2}, []clock.Time{0, 1, 30, 60, 90}},
		{TokenBucket{clock.Rate{Per: 30}, 2}, []clock.Time{0, 1}}, // 0/s: what is in it and no more
	} {
		if got := admitted(c.bucket, calls); !slices.Equal(got, c.want) {
			t.Errorf("%+v admits at %v, want %v", c.bucket, got, c.want)
		}
	}
}

// What is left over of a token is not lost over any time.
func TestBucketDoesNotDrift(t *testing.T) {
	const calls = 1_000_000
	s := New(Config{Capacity: TokenBucket{clock.Rate{Count: 7, Per: time.Second}, 2}}, Callers{})
	in := 0
	for i := range clock.Time(calls) {
		if s.Begin(i*1_000_003, 0, coin(0)) == NoCause {
			in++
		}
	}
	last := clock.Time(calls-1) * 1_000_003
	if want := 2 + int(last*7/second); in != want { // it is never full after the second call
		t.Errorf("%d calls admitted by %v, want %d", in, time.Duration(last), want)
	}
}

func TestBucketOfExtremes(t *testing.T) {
	century := clock.Time(100 * 365 * 24 * time.Hour)
	for _, c := range []struct {
		bucket TokenBucket
		calls  []clock.Time
		want   int
	}{
		{TokenBucket{clock.Rate{Count: 1<<63 - 1, Per: 1}, 1}, []clock.Time{0, 0, 1, 1, century, century}, 3},
		{TokenBucket{clock.Rate{Count: 1, Per: 1<<63 - 1}, 1}, []clock.Time{0, century, clock.End - 1}, 1},
		{TokenBucket{clock.Rate{Count: 1<<63 - 1, Per: 1<<63 - 1}, 1<<64 - 1}, []clock.Time{0, 0, century}, 3},
	} {
		if got := len(admitted(c.bucket, c.calls)); got != c.want {
			t.Errorf("%+v admits %d calls, want %d", c.bucket, got, c.want)
		}
	}
}

// In any span [t, u] a bucket admits at most burst + rate·(u−t) calls, and it refuses a call only when it could not admit
// one more without breaking that.
func TestBucketLaw(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c := TokenBucket{clock.Rate{Count: int64(rnd.IntN(20)), Per: time.Duration(1 + rnd.IntN(50))}, uint64(1 + rnd.IntN(5))}
		calls := make([]clock.Time, 80)
		for i := range calls {
			calls[i] = clock.Time(rnd.IntN(60))
		}
		slices.Sort(calls)
		in := admitted(c, calls)
		// tooMany tells whether one of the spans that end with the last of the calls holds more than it may.
		tooMany := func(in []clock.Time) bool {
			last := in[len(in)-1]
			return slices.ContainsFunc(in, func(from clock.Time) bool {
				i, _ := slices.BinarySearch(in, from)
				over := int64(len(in)-i) - int64(c.Burst)
				return over*int64(c.Rate.Per) > int64(last-from)*c.Rate.Count
			})
		}
		for i := range in {
			if tooMany(in[:i+1]) {
				t.Fatalf("seed %d: %+v admits too much by %d: %v", seed, c, in[i], in)
			}
		}
		left := slices.Clone(in)
		for i, at := range calls {
			if len(left) > 0 && left[0] == at {
				left = left[1:]
				continue
			}
			before := in[:len(in)-len(left)]
			if !tooMany(append(slices.Clone(before), at)) {
				t.Fatalf("seed %d: %+v refuses call %d at %d after %v", seed, c, i, at, before)
			}
		}
	}
}

func TestConcurrency(t *testing.T) {
	s := New(Config{
		Outages: []Downtime{{From: 100, To: 200}}, Capacity: Concurrency(2),
		Phases: []Phase{{Windows: []Window{{20, 30}}, Capacity: PerWindow{Count: 2, Per: time.Second}, ErrorRate: new(rng.Certain)}},
	}, Callers{})
	at := func(now clock.Time, want Cause) {
		t.Helper()
		if got := s.Begin(now, 0, coin(0)); got != want {
			t.Fatalf("at %d: cause %d, want %d", now, got, want)
		}
	}
	at(0, NoCause)
	at(0, NoCause)
	at(0, Overload)
	at(1, Overload) // a refused call was never in flight
	s.End()
	at(1, NoCause)
	at(20, Errored) // calls that another capacity admits are in flight too
	at(20, Errored)
	at(20, Overload)
	at(30, Overload)
	for range 3 {
		s.End()
	}
	at(31, NoCause)
	at(31, Overload)
	at(100, Outage)
	at(200, Overload)
	for cause, want := range map[Cause]bool{NoCause: true, Poison: true, Errored: true, Overload: false, Outage: false} {
		if got := s.Counts(cause); got != want {
			t.Errorf("a call with cause %v is in flight: %t", cause, got)
		}
	}
}

func TestCapacities(t *testing.T) {
	base, low := PerWindow{Count: 50, Per: time.Second}, TokenBucket{clock.Rate{Count: 5, Per: time.Second}, 9}
	c := Config{
		Capacity: base, Outages: []Downtime{{From: 1, To: 2}},
		Phases: []Phase{
			{Windows: []Window{{10, 20}, {20, 30}}, Capacity: low},
			{Windows: []Window{{12, 40}}, ErrorRate: new(rng.Certain)},
			{Windows: []Window{{25, 35}}, Capacity: Concurrency(3)},
		},
	}
	want := []Step{{0, base}, {10, low}, {25, Concurrency(3)}, {35, base}}
	if got := c.Capacities(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := (&Config{}).Capacities(); !slices.Equal(got, []Step{{0, nil}}) {
		t.Errorf("without any: %v", got)
	}
}
