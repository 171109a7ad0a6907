package policy

import (
	"testing"
	"time"

	"herdsim/sim/clock"
)

// TestDecorrelatedRemembers compares each wait with that of a chain drawn from the first one on.
func TestDecorrelatedRemembers(t *testing.T) {
	for _, c := range []struct {
		base, cap time.Duration
		attempts  int
	}{
		{time.Second, time.Minute, 400},
		{time.Second, time.Second + 1, 100},
		{time.Second, time.Hour, 400},
		{1, 1_000_000, 400},
		{1, 0, 1500},
		{time.Second, 0, 1000},
	} {
		p := Decorrelated(c.base, c.cap)
		for index := range uint64(10) {
			last := c.base
			for n := 1; n <= c.attempts; n++ {
				d := draw(index, uint64(n))
				last = p.(decorrelated).next(last, &d)
				if got := wait(p, n, index); got != last {
					t.Fatalf("base %v, cap %v, job %d: wait %d is %v, want %v", c.base, c.cap, index, n, got, last)
				}
			}
		}
	}
}

// TestDecorrelatedCountsAttempts: an attempt that was not charged has had its wait, and the next one is drawn from it.
func TestDecorrelatedCountsAttempts(t *testing.T) {
	p := Decorrelated(time.Second, time.Minute)
	d := draw(5, 4)
	if got, want := p.Wait(Failure{Number: 4, Charged: 1}, &d), wait(p, 4, 5); got != want {
		t.Errorf("wait is %v, want %v", got, want)
	}
}

func TestDecorrelatedReachesBothEnds(t *testing.T) {
	seen := map[time.Duration]bool{}
	for index := range uint64(200) {
		seen[wait(Decorrelated(2, 5), 1, index)] = true
	}
	for d := time.Duration(2); d <= 5; d++ { // of [2, 6], 6 becomes 5
		if !seen[d] || len(seen) != 4 {
			t.Errorf("%v drawn", seen)
		}
	}
}

func TestFromArrival(t *testing.T) {
	p := FromArrival(Offsets([]time.Duration{time.Second, time.Minute}, time.Hour), None{})
	for _, c := range []struct {
		charged   int
		age, want time.Duration
	}{
		{0, 0, time.Second},
		{0, 400 * time.Millisecond, 600 * time.Millisecond},
		{0, time.Second, 0},
		{0, time.Hour, 0},
		{1, time.Second, 59 * time.Second},
		{2, time.Minute, time.Hour},
		{3, clock.Longest, 0},
	} {
		if got := p.Wait(Failure{Number: 9, Charged: c.charged, Age: c.age}, nil); got != c.want {
			t.Errorf("after %d charged failures at age %v: %v, want %v", c.charged, c.age, got, c.want)
		}
	}
}

// TestLimit holds the order: least, most, step.
func TestLimit(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		wait   time.Duration
		limits Limits
		want   time.Duration
	}{
		{5 * second, Limits{}, 5 * second},
		{5 * second, Limits{Least: 7 * second}, 7 * second},
		{5 * second, Limits{Most: 3 * second}, 3 * second},
		{5 * second, Limits{Step: 2 * second}, 4 * second},
		{5 * second, Limits{Least: 7 * second, Step: 4 * second}, 4 * second},
		{5 * second, Limits{Most: 3 * second, Step: 2 * second}, 2 * second},
		{second, Limits{Least: 2 * second, Most: 2 * second, Step: 3 * second}, 0},
		{clock.Longest, Limits{Step: 1}, clock.Longest},
		{clock.Longest, Limits{Step: clock.Longest}, clock.Longest},
	} {
		if got := wait(Limit(New(Fixed(c.wait), None{}), c.limits), 1, 0); got != c.want {
			t.Errorf("%v within %+v: %v, want %v", c.wait, c.limits, got, c.want)
		}
	}
}

func TestRespread(t *testing.T) {
	second := time.Second
	add := Add{second, second}
	for name, c := range map[string]struct {
		policy Policy
		want   []time.Duration // without an age; nil where there is nothing to spread
	}{
		"composed":     {New(Linear{second, second}, Full{}), []time.Duration{2 * second, 3 * second}},
		"listed":       {Listed([]time.Duration{5 * second}, New(Fixed(second), Full{})), []time.Duration{6 * second, 2 * second}},
		"from arrival": {FromArrival(Fixed(9*second), Full{}), []time.Duration{10 * second, 10 * second}},
		"limited":      {Limit(New(Fixed(9*second), Full{}), Limits{Most: 3 * second}), []time.Duration{3 * second, 3 * second}},
		"decorrelated": {Decorrelated(second, 0), nil},
		"listed, then": {Listed([]time.Duration{5 * second}, Decorrelated(second, 0)), nil},
	} {
		p, ok := Respread(c.policy, add)
		if ok != (c.want != nil) {
			t.Errorf("%s: %v", name, ok)
			continue
		}
		for i, want := range c.want {
			d := draw(1, uint64(i+1))
			if got := p.Wait(Failure{Number: i + 1, Charged: i}, &d); got != want {
				t.Errorf("%s: wait %d is %v, want %v", name, i+1, got, want)
			}
		}
	}
}
