package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
)

// reached returns the share of the law's cases up to and including d, and whether d is one of its waits.
func (l Law) reached(d time.Duration) (share float64, possible bool) {
	var total, below float64
	for _, p := range l {
		total += float64(p.Count) * float64(p.Each)
		if d >= p.From {
			steps := min(uint64((d-p.From)/p.Step), p.Count-1)
			below += float64(steps+1) * float64(p.Each)
			possible = possible || p.From+time.Duration(steps)*p.Step == d
		}
	}
	return below / total, possible
}

// What a jitter says of its law is how its waits are spread: all of them are possible, and the shares below its quantiles
// are those of the draws, within four standard errors.
func TestLawsAreThoseOfTheDraws(t *testing.T) {
	const draws = 4000
	for _, j := range jitters {
		described, ok := j.Jitter.(Described)
		if !ok {
			if j.Jitter != (Memoryless{}) { // no law of equally likely waits
				t.Errorf("%s does not know its law", j.name)
			}
			continue
		}
		if j.name == "comb of all" { // more teeth than a double counts
			continue
		}
		for _, d := range []time.Duration{0, 1, 7, time.Millisecond, 2500 * time.Microsecond, time.Minute, clock.Longest} {
			law := described.Law(d, 1)
			if law == nil {
				continue
			}
			for i := 1; i < len(law); i++ {
				if law[i-1].To() >= law[i].From {
					t.Errorf("%s of %v: pieces overlap: %v", j.name, d, law)
				}
			}
			waits := make([]time.Duration, draws)
			for i := range waits {
				w := draw(uint64(i), 1)
				waits[i] = j.Spread(d, 1, &w)
				if _, possible := law.reached(waits[i]); !possible {
					t.Fatalf("%s of %v: the law %v has no wait of %d", j.name, d, law, waits[i])
				}
			}
			slices.Sort(waits)
			for _, at := range []int{draws / 20, draws / 2, draws * 19 / 20} {
				share, _ := law.reached(waits[at])
				same := draws - at // draws up to and including waits[at]
				for k := at; k < draws && waits[k] == waits[at]; k++ {
					same = k + 1
				}
				if off := float64(same)/draws - share; math.Abs(off) > 4*math.Sqrt(share*(1-share)/draws)+1e-9 {
					t.Errorf("%s of %v: %d of %d draws up to %v, the law says %.4f", j.name, d, same, draws, waits[at], share)
				}
			}
		}
	}
}

func TestLawsThatAreUnknown(t *testing.T) {
	for _, j := range jitters {
		described, ok := j.Jitter.(Described)
		if !ok {
			continue
		}
		unknown := j.name == "steps of 1ms, full twice" || j.name == "equal, then up 0.1" || j.name == "comb of all"
		if law := described.Law(time.Minute, 1); (law == nil) != unknown {
			t.Errorf("%s: law %v", j.name, law)
		}
	}
	if law := (Steps{time.Second, Up{Fraction{3, 1}}}).Law(clock.Longest, 1); law != nil {
		t.Errorf("a law of waits that saturate: %v", law)
	}
}

func TestUncapped(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		name string
		p    Policy
		n    int
		want time.Duration
	}{
		{"not yet", New(Exponential(second, Fraction{2, 1}, time.Minute), None{}), 6, 32 * second},
		{"cut", New(Exponential(second, Fraction{2, 1}, time.Minute), Full{}), 7, 64 * second},
		{"at the cap", New(Exponential(second, Fraction{2, 1}, 64*second), Full{}), 7, 64 * second},
		{"long past it", New(Exponential(second, Fraction{2, 1}, time.Minute), None{}), 1000, clock.Longest},
		{"no cap", New(Exponential(second, Fraction{2, 1}, 0), None{}), 7, 64 * second},
		{"slow", New(Exponential(second, Fraction{1_000_001, 1_000_000}, 2*second), None{}), 1_000_000, 2718277751},
		{"fixed", New(Fixed(second), None{}), 7, second},
		{"listed", Listed([]time.Duration{5, 6}, New(Exponential(second, Fraction{2, 1}, second), None{})), 2, 6},
		{"behind a list", Listed([]time.Duration{5, 6}, New(Exponential(second, Fraction{2, 1}, second), None{})), 3, 4 * second},
	} {
		f := Failure{Number: c.n, Charged: c.n - 1}
		wait, got := c.p.(Foreseeable).Price(f)
		if law := c.p.(Foreseeable).Law(f); wait != law[len(law)-1].To() {
			t.Errorf("%s: wait %d is priced %d, and lasts at most %d", c.name, c.n, wait, law[len(law)-1].To())
		}
		if got != c.want {
			t.Errorf("%s: wait %d would be %d, want %d", c.name, c.n, got, c.want)
		}
	}
}

func TestLawOfAList(t *testing.T) {
	p := Listed([]time.Duration{5}, New(Fixed(9), Full{})).(Foreseeable)
	if first, second := p.Law(Failure{Number: 1}), p.Law(Failure{Number: 2, Charged: 1}); first[0] != (Piece{5, 1, 1, 1}) || second[0] != (Piece{0, 1, 10, 1}) {
		t.Errorf("laws %v and %v", first, second)
	}
}

func TestFloor(t *testing.T) {
	for _, c := range []struct{ in, want Law }{
		{Law{{7, 1, 1, 3}}, Law{{5, 1, 1, 3}}},
		{Law{{6, 1, 3, 1}}, Law{{5, 5, 1, 3}}},
		{Law{{3, 1, 14, 1}}, Law{{0, 5, 1, 2}, {5, 5, 2, 5}, {15, 5, 1, 2}}},
		{Law{{5, 1, 10, 2}}, Law{{5, 5, 1, 10}, {10, 5, 1, 10}}},
		{Law{{12, 10, 3, 1}}, Law{{10, 10, 3, 1}}},
		{Law{{12, 3, 3, 1}}, nil},
	} {
		if got := c.in.Floor(5); !slices.Equal(got, c.want) {
			t.Errorf("%v floored is %v, want %v", c.in, got, c.want)
		}
	}
}
