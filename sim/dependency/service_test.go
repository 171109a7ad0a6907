package dependency

import (
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

const second = clock.Time(time.Second)

func coin(i uint64) *rng.Draw {
	d := rng.NewStream(1, 0).Draw(rng.Error, 0, i, 1)
	return &d
}

func causes(s *Service, at ...clock.Time) []Cause {
	var got []Cause
	for i, t := range at {
		got = append(got, s.Begin(t, 0, coin(uint64(i))))
	}
	return got
}

func TestCauses(t *testing.T) {
	const a, o, v, e = NoCause, Outage, Overload, Errored
	perSecond := PerWindow{Count: 2, Per: time.Second}
	for _, c := range []struct {
		name   string
		config Config
		at     []clock.Time
		want   []Cause
	}{
		{"always there", Config{}, []clock.Time{0, 5}, []Cause{a, a}},
		{"half open", Config{Outages: []Downtime{{From: 10, To: 20}}}, []clock.Time{9, 10, 19, 20}, []Cause{a, o, o, a}},
		{"from the start, for good", Config{Outages: []Downtime{{From: 0, To: clock.End}}}, []clock.Time{0, clock.End - 1}, []Cause{o, o}},
		{
			"overlapping, unsorted, touching",
			Config{Outages: []Downtime{{From: 30, To: 40}, {From: 5, To: 10}, {From: 7, To: 20}, {From: 20, To: 22}, {From: 25, To: 25}}},
			[]clock.Time{4, 5, 10, 21, 22, 25, 29, 30, 39, 40},
			[]Cause{a, o, o, o, a, a, a, o, o, a},
		},
		{"two outages between two calls", Config{Outages: []Downtime{{From: 1, To: 2}, {From: 3, To: 4}}}, []clock.Time{0, 4}, []Cause{a, a}},
		{
			"aligned windows",
			Config{Capacity: perSecond},
			[]clock.Time{second - 1, second - 1, second - 1, second, second, second, 5 * second},
			[]Cause{a, a, v, a, a, v, a},
		},
		{"an outage spends no capacity", Config{Capacity: perSecond, Outages: []Downtime{{From: 0, To: 5}}}, []clock.Time{1, 2, 3, 5, 6, 7}, []Cause{o, o, o, a, a, v}},
		{"capacity 0", Config{Capacity: PerWindow{Per: time.Second}}, []clock.Time{0, second}, []Cause{v, v}},
		{"sure error, behind capacity", Config{Capacity: perSecond, ErrorRate: rng.Certain}, []clock.Time{0, 0, 0}, []Cause{e, e, v}},
		{
			"phases are half open, and the last one in force wins field by field",
			Config{Phases: []Phase{
				{Windows: []Window{{10, 20}, {20, 30}}, ErrorRate: new(rng.Certain)},
				{Windows: []Window{{15, 25}}, Capacity: PerWindow{Per: 1}},
				{Windows: []Window{{18, 22}}, ErrorRate: new(rng.Probability)},
			}},
			[]clock.Time{9, 10, 14, 15, 20, 25, 29, 30},
			[]Cause{a, e, e, v, v, e, e, a},
		},
		{
			"a phase lifts an error rate",
			Config{ErrorRate: rng.Certain, Phases: []Phase{{Windows: []Window{{10, clock.End}}, ErrorRate: new(rng.Probability)}}},
			[]clock.Time{9, 10, clock.End - 1},
			[]Cause{e, a, a},
		},
		{
			"an outage goes before a phase, and both may change together",
			Config{Outages: []Downtime{{From: 10, To: 20}}, Phases: []Phase{{Windows: []Window{{5, 20}}, ErrorRate: new(rng.Certain)}}},
			[]clock.Time{5, 10, 19, 20},
			[]Cause{e, o, o, a},
		},
		{
			"each phase counts its own window, also from one of its windows to the next",
			Config{Capacity: perSecond, Phases: []Phase{{Windows: []Window{{10, 20}, {30, 40}}, Capacity: PerWindow{Count: 1, Per: time.Second}}}},
			[]clock.Time{0, 0, 0, 10, 11, 20, 30, second, second},
			[]Cause{a, a, v, a, v, v, v, a, a},
		},
		{
			"a bucket fills while another capacity is in force",
			Config{
				Capacity: TokenBucket{clock.Rate{Count: 1, Per: 10}, 2},
				Phases:   []Phase{{Windows: []Window{{1, 20}}, Capacity: PerWindow{Per: 1}}},
			},
			[]clock.Time{0, 0, 0, 5, 20, 20, 20},
			[]Cause{a, a, v, v, a, a, v},
		},
	} {
		got := causes(New(c.config, Callers{}), c.at...)
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%s: call %d at %d: cause %d, want %d", c.name, i, c.at[i], got[i], c.want[i])
			}
		}
	}
}

func TestErrorRate(t *testing.T) {
	s, errored := New(Config{ErrorRate: rng.Certain / 50}, Callers{}), 0
	for i := range uint64(100_000) {
		if s.Begin(clock.Time(i), 0, coin(i)) == Errored {
			errored++
		}
	}
	if errored < 2000-4*45 || errored > 2000+4*45 { // four standard deviations
		t.Errorf("%d of 100,000 calls failed at 2 %%, want 2000 ± 180", errored)
	}
}

func TestTook(t *testing.T) {
	s := New(Config{
		Latency: 40 * time.Millisecond, FailAfter: time.Second,
		Phases: []Phase{{Windows: []Window{{10, 20}}, Latency: new(2 * time.Second)}, {Windows: []Window{{15, 20}}, FailAfter: new(time.Minute)}},
	}, Callers{})
	for _, c := range []struct {
		at                 clock.Time
		succeeds, failures time.Duration
	}{
		{0, 40 * time.Millisecond, time.Second}, {10, 2 * time.Second, time.Second}, {15, 2 * time.Second, time.Minute}, {20, 40 * time.Millisecond, time.Second},
	} {
		s.Begin(c.at, 0, coin(0))
		for cause, want := range map[Cause]time.Duration{NoCause: c.succeeds, Outage: c.failures, Poison: c.failures, Errored: c.failures, Overload: 0} {
			if got := s.Took(cause); got != want {
				t.Errorf("at %d: cause %d takes %v, want %v", c.at, cause, got, want)
			}
		}
	}
}

// Poison is found by a service that would answer: not by one that is down or refuses. It wants no coin.
func TestPoison(t *testing.T) {
	s := New(Config{Outages: []Downtime{{From: 0, To: 10}}, Capacity: PerWindow{Count: 3, Per: time.Second}, ErrorRate: rng.Certain}, Callers{Poison: []bool{false, true}})
	for _, c := range []struct {
		at     clock.Time
		cohort uint16
		want   Cause
	}{{5, 1, Outage}, {10, 1, Poison}, {11, 0, Errored}, {12, 1, Poison}, {13, 1, Overload}} {
		if got := s.Begin(c.at, c.cohort, coin(0)); got != c.want {
			t.Errorf("at %d, cohort %d: cause %d, want %d", c.at, c.cohort, got, c.want)
		}
	}
}
