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

// What is said of a law is how waits are spread: all of them are possible, and the shares below its quantiles are those of
// the draws, within four standard errors.
func holds(t *testing.T, name string, law Law, wait func(index uint64) time.Duration) {
	t.Helper()
	const draws = 4000
	for i := 1; i < len(law); i++ {
		if law[i-1].To() >= law[i].From {
			t.Errorf("%s: pieces overlap: %v", name, law)
		}
	}
	waits := make([]time.Duration, draws)
	for i := range waits {
		waits[i] = wait(uint64(i))
		if _, possible := law.reached(waits[i]); !possible {
			t.Fatalf("%s: the law %v has no wait of %d", name, law, waits[i])
		}
	}
	slices.Sort(waits)
	for _, at := range []int{draws / 20, draws / 2, draws * 19 / 20} {
		share, _ := law.reached(waits[at])
		same := at // draws up to and including waits[at]
		for same < draws && waits[same] == waits[at] {
			same++
		}
		if off := float64(same)/draws - share; math.Abs(off) > 4*math.Sqrt(share*(1-share)/draws)+1.0/draws {
			t.Errorf("%s: %d of %d draws up to %v, the law says %.4f", name, same, draws, waits[at], share)
		}
	}
}

// unknown are the jitters and policies whose law is not known.
var unknown = []string{"equal, then up 0.1", "decorrelated 1ns"}

func TestLawsOfJitters(t *testing.T) {
	for _, j := range jitters {
		for _, d := range []time.Duration{0, 1, 7, time.Millisecond, 2500 * time.Microsecond, time.Minute, clock.Longest} {
			law := lawOf(j.Jitter, d, 3)
			if law == nil {
				if d == time.Minute && !slices.Contains(unknown, j.name) && j.name != "comb of all" {
					t.Errorf("the law of %s is unknown", j.name)
				}
				continue
			}
			holds(t, j.name+" of "+d.String(), law, func(i uint64) time.Duration {
				w := draw(i, 1)
				return j.Spread(d, 3, &w)
			})
		}
	}
}

func TestLawsOfPolicies(t *testing.T) {
	for _, p := range policies {
		known, ok := Foresee(p.Policy).(Foreseeable)
		if ok == slices.Contains(unknown, p.name) {
			t.Errorf("%s: a law is known: %v", p.name, ok)
		}
		if !ok {
			continue
		}
		for _, n := range []int{1, 2, 3, 20} {
			holds(t, p.name, known.Law(Failure{Number: n, Charged: n - 1, Age: age(n)}), func(i uint64) time.Duration { return wait(p.Policy, n, i) })
		}
		if law := known.Law(Failure{Number: 3, Charged: 2, Age: UnknownAge}); (law == nil) != (p.name == "from arrival, full") {
			t.Errorf("%s of a job whose age is not known: %v", p.name, law)
		}
	}
	blind := Limit(New(Fixed(time.Second), Chain{Equal{}, Equal{}}), Limits{Least: time.Second}).(Foreseeable)
	if law := blind.Law(Failure{Number: 1}); law != nil {
		t.Errorf("a limit of the unknown is known: %v", law)
	}
}

// The moments of laws that stand for smooth ones are those that are known in closed form.
func TestMomentsOfLawsOfCells(t *testing.T) {
	const d = 60e9
	decorrelated := Foresee(Decorrelated(time.Second, 0)).(Foreseeable)
	for _, c := range []struct {
		name           string
		law            Law
		mean, variance float64
	}{
		{"memoryless", Memoryless{}.Law(d, 1), d, d * d},
		{"full twice", Chain{Full{}, Full{}}.Law(d, 1), d / 4, d * d * 7 / 144},
		{"full thrice", Chain{Full{}, None{}, Full{}, Full{}}.Law(d, 1), d / 8, d * d * (1.0/27 - 1.0/64)},
		{"decorrelated, first", decorrelated.Law(Failure{Number: 1}), 2e9, 1e18 / 3},
		{"decorrelated, third", decorrelated.Law(Failure{Number: 3}), tripled(1e9, 3).mean, tripled(1e9, 3).variance},
		{"decorrelated, second again", decorrelated.Law(Failure{Number: 2}), tripled(1e9, 2).mean, tripled(1e9, 2).variance},
	} {
		mean, variance := c.law.moments()
		if math.Abs(mean/c.mean-1) > LawError || math.Abs(variance/c.variance-1) > 3*LawError {
			t.Errorf("%s: mean %g, variance %g, want %g, %g", c.name, mean, variance, c.mean, c.variance)
		}
		if len(c.law) <= FewPieces {
			t.Errorf("%s: only %d pieces", c.name, len(c.law))
		}
	}
}

// moments returns the mean and the variance of waits, those of a piece taken to be without steps.
func (l Law) moments() (mean, variance float64) {
	total, square := 0.0, 0.0
	for _, p := range l {
		cases, a, b := float64(p.Count)*p.Each, float64(p.From), float64(p.To())
		total += cases
		mean += cases * (a + b) / 2
		square += cases * (a*a + a*b + b*b) / 3
	}
	mean /= total
	return mean, square/total - mean*mean
}

// Where there are few waits, each is counted: those of a jitter around two others, and of a memoryless one.
func TestLawsOfFewWaits(t *testing.T) {
	const d = 6
	chances := make([]float64, d+1)
	for k := range chances {
		chances[k] = 1.0 / (d + 1)
	}
	for range 2 {
		next := make([]float64, d+1)
		for k, chance := range chances {
			for w := range k + 1 {
				next[w] += chance / float64(k+1)
			}
		}
		chances = next
	}
	law := Chain{Full{}, Full{}, Full{}}.Law(d, 1)
	below := 0.0
	for w, chance := range chances {
		below += chance
		if share, possible := law.reached(time.Duration(w)); !possible || math.Abs(share-below) > 1e-12 {
			t.Errorf("three jitters: %g of the waits up to %d, want %g", share, w, below)
		}
	}
	memoryless := Memoryless{}.Law(3, 1)
	for w := range 20 {
		want := -math.Expm1(-float64(w+1) / 3)
		if share, possible := memoryless.reached(time.Duration(w)); !possible || math.Abs(share-want) > 1e-3 {
			t.Errorf("memoryless: %g of the waits up to %d, want %g", share, w, want)
		}
	}
}

// A capped decorrelated policy comes to rest, and its law is then that of its draws.
func TestDecorrelatedComesToRest(t *testing.T) {
	p := Decorrelated(time.Second, 3*time.Second)
	known := Foresee(p).(*foreseen)
	at := func(n int) Law { return known.Law(Failure{Number: n}) }
	late, later := at(500), at(501)
	if !known.still || !slices.Equal(late, later) {
		t.Error("the law still changes after 500 attempts")
	}
	holds(t, "late", late, func(i uint64) time.Duration { return wait(p, 500, i) })
	if price, uncapped := known.Price(Failure{Number: 1}); price != 3*time.Second || uncapped != 3*time.Second {
		t.Errorf("first wait up to %v of %v", price, uncapped)
	}
	if price, uncapped := known.Price(Failure{Number: 2}); price != 3*time.Second || uncapped != 9*time.Second {
		t.Errorf("second wait up to %v of %v", price, uncapped)
	}
}

func TestLawsThatSaturate(t *testing.T) {
	for _, j := range []Described{Steps{time.Second, Up{Fraction{3, 1}}}, Comb{2, 1}} {
		if law := j.Law(clock.Longest, 1); law != nil {
			t.Errorf("%#v: %v", j, law)
		}
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

func TestFloorOfALaw(t *testing.T) {
	for _, c := range []struct{ in, want Law }{
		{Law{{7, 1, 1, 3}}, Law{{5, 1, 1, 3}}},
		{Law{{6, 1, 3, 1}}, Law{{5, 5, 1, 3}}},
		{Law{{3, 1, 14, 1}}, Law{{0, 5, 1, 2}, {5, 5, 2, 5}, {15, 5, 1, 2}}},
		{Law{{5, 1, 10, 2}}, Law{{5, 5, 1, 10}, {10, 5, 1, 10}}},
		{Law{{12, 10, 3, 1}}, Law{{10, 10, 3, 1}}},
		{Law{{12, 3, 3, 1}}, nil},
		{Law{{12, 2, 3, 1}}, nil},
		{Law{{6, 1, 3, 1}, {9, 1, 1, 4}}, Law{{5, 1, 1, 7}}},
	} {
		if got := c.in.Floor(5); !slices.Equal(got, c.want) {
			t.Errorf("%v floored is %v, want %v", c.in, got, c.want)
		}
	}
}

func TestLimitOfALaw(t *testing.T) {
	for _, c := range []struct {
		least, most time.Duration
		in, want    Law
	}{
		{0, 100, Law{{7, 1, 5, 3}}, Law{{7, 1, 5, 3}}},
		{9, 100, Law{{7, 1, 5, 3}}, Law{{9, 1, 1, 9}, {10, 1, 2, 3}}},
		{0, 9, Law{{7, 1, 5, 3}}, Law{{7, 1, 2, 3}, {9, 1, 1, 9}}},
		{8, 9, Law{{0, 2, 10, 1}}, Law{{8, 1, 1, 5}, {9, 1, 1, 5}}},
		{50, 60, Law{{0, 2, 10, 1}, {30, 1, 1, 5}}, Law{{50, 1, 1, 15}}},
		{1, 2, Law{{10, 1, 5, 1}}, Law{{2, 1, 1, 5}}},
	} {
		if got := c.in.Limit(c.least, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v from %d to %d is %v, want %v", c.in, c.least, c.most, got, c.want)
		}
	}
}
