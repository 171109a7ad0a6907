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
		got = append(got, s.Begin(t, coin(uint64(i))))
	}
	return got
}

func TestCauses(t *testing.T) {
	const a, o, v, e = NoCause, Outage, Overload, Errored
	perSecond := &clock.Rate{Count: 2, Per: time.Second}
	for _, c := range []struct {
		name   string
		config Config
		at     []clock.Time
		want   []Cause
	}{
		{"always there", Config{}, []clock.Time{0, 5}, []Cause{a, a}},
		{"half open", Config{Outages: []Window{{10, 20}}}, []clock.Time{9, 10, 19, 20}, []Cause{a, o, o, a}},
		{"from the start, for good", Config{Outages: []Window{{0, clock.End}}}, []clock.Time{0, clock.End - 1}, []Cause{o, o}},
		{
			"overlapping, unsorted, touching",
			Config{Outages: []Window{{30, 40}, {5, 10}, {7, 20}, {20, 22}, {25, 25}}},
			[]clock.Time{4, 5, 10, 21, 22, 25, 29, 30, 39, 40},
			[]Cause{a, o, o, o, a, a, a, o, o, a},
		},
		{"two outages between two calls", Config{Outages: []Window{{1, 2}, {3, 4}}}, []clock.Time{0, 4}, []Cause{a, a}},
		{
			"aligned windows",
			Config{Capacity: perSecond},
			[]clock.Time{second - 1, second - 1, second - 1, second, second, second, 5 * second},
			[]Cause{a, a, v, a, a, v, a},
		},
		{"an outage spends no capacity", Config{Capacity: perSecond, Outages: []Window{{0, 5}}}, []clock.Time{1, 2, 3, 5, 6, 7}, []Cause{o, o, o, a, a, v}},
		{"capacity 0", Config{Capacity: &clock.Rate{Per: time.Second}}, []clock.Time{0, second}, []Cause{v, v}},
		{"sure error, behind capacity", Config{Capacity: perSecond, ErrorRate: rng.Certain}, []clock.Time{0, 0, 0}, []Cause{e, e, v}},
	} {
		got := causes(New(c.config), c.at...)
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%s: call %d at %d: cause %d, want %d", c.name, i, c.at[i], got[i], c.want[i])
			}
		}
	}
}

func TestErrorRate(t *testing.T) {
	s, errored := New(Config{ErrorRate: rng.Certain / 50}), 0
	for i := range uint64(100_000) {
		if s.Begin(clock.Time(i), coin(i)) == Errored {
			errored++
		}
	}
	if errored < 2000-4*45 || errored > 2000+4*45 { // four standard deviations
		t.Errorf("%d of 100,000 calls failed at 2 %%, want 2000 ± 180", errored)
	}
}

func TestTimes(t *testing.T) {
	s := New(Config{Latency: 40 * time.Millisecond, FailAfter: time.Second})
	if got := s.Latency(); got != 40*time.Millisecond {
		t.Errorf("latency %v, want 40ms", got)
	}
	for cause, want := range map[Cause]time.Duration{Outage: time.Second, Errored: time.Second, Overload: 0} {
		if got := s.FailsAfter(cause); got != want {
			t.Errorf("cause %d fails after %v, want %v", cause, got, want)
		}
	}
}
