package plan

import (
	"math"
	"testing"
	"time"

	"herdsim/sim/policy"
)

// Chances of waits that have no closed sums are those of draws, within four standard errors and what is granted to chains:
// the chance to outlast a span with a budget, with and without max_elapsed, and how long the budget lasts.
func TestChancesAreThoseOfDraws(t *testing.T) {
	const draws = 10_000
	capped, ms := exponential(time.Minute), time.Millisecond
	twice, thrice := policy.Chain{policy.Full{}, policy.Full{}}, policy.Chain{policy.Full{}, policy.Full{}, policy.Full{}}
	memoryless := policy.New(capped, policy.Memoryless{})
	for _, c := range []struct {
		name          string
		p             policy.Policy
		span, elapsed time.Duration
		retries       int
	}{
		{"memoryless", memoryless, time.Minute, 0, 7},
		{"memoryless, limited", policy.Limit(memoryless, policy.Limits{Least: 2 * second, Most: 90 * second}), time.Minute, 0, 5},
		{"memoryless, in seconds", policy.Limit(memoryless, policy.Limits{Step: second}), time.Minute, 0, 5},
		{"memoryless, max_elapsed", memoryless, 20 * second, 40 * second, 6},
		{"full twice", policy.New(capped, policy.Steps{Size: ms, Jitter: twice}), time.Minute, 0, 8},
		{"full thrice", policy.New(capped, policy.Steps{Size: ms, Jitter: thrice}), 30 * second, 0, 9},
		{"full, max_elapsed", policy.New(capped, policy.Full{}), 20 * second, 40 * second, 6},
		{"full in seconds, max_elapsed", policy.New(capped, policy.Steps{Size: second, Jitter: policy.Full{}}), 20 * second, 24 * second, 6},
		{"decorrelated", policy.Decorrelated(second, time.Minute), time.Minute, 0, 5},
		{"decorrelated, no cap", policy.Decorrelated(second, 0), time.Minute, 0, 5},
		{"decorrelated, low cap", policy.Decorrelated(second, 3*second), time.Minute, 0, 25},
		{"decorrelated, in seconds", policy.Limit(policy.Decorrelated(second, 0), policy.Limits{Most: 10 * second, Step: second}), time.Minute, 0, 10},
		{"decorrelated, in long steps", policy.Limit(policy.Decorrelated(second, 0), policy.Limits{Step: 7 * second}), 20 * second, 0, 7},
		{"decorrelated, in long steps, max_elapsed", policy.Limit(policy.Decorrelated(second, 0), policy.Limits{Step: 7 * second}), 20 * second, time.Minute, 7},
		{"decorrelated, limited", policy.Limit(policy.Decorrelated(second, time.Minute), policy.Limits{Least: 2 * second, Most: 30 * second, Step: second}), 20 * second, 0, 7},
		{"decorrelated, max_elapsed", policy.Decorrelated(second, time.Minute), 20 * second, 40 * second, 5},
	} {
		o, err := Outlast(c.p, Question{Span: c.span, Confidence: 0.5, Retries: c.retries, Elapsed: c.elapsed})
		if err != nil {
			t.Fatal(err)
		}
		lasts, err := Lasts(c.p, c.retries, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		outlasting, lasting := 0, 0
		for job := range draws {
			total, reached := time.Duration(0), time.Duration(0)
			for _, d := range Draw(c.p, c.retries, 1, uint64(job)) {
				total += d
				if reached == 0 && total >= c.span {
					reached = total
				}
			}
			if reached > 0 && (c.elapsed == 0 || reached <= c.elapsed) {
				outlasting++
			}
			if total >= lasts {
				lasting++
			}
		}
		agree := func(what string, drawn int, chance float64) {
			share := float64(drawn) / draws
			if off := math.Abs(share - chance); off > 4*math.Sqrt(chance*(1-chance)/draws)+ChainError {
				t.Errorf("%s, %s: %.4f of the draws, computed %.4f", c.name, what, share, chance)
			}
		}
		agree("outlasts", outlasting, o.Given.Chance)
		if steps := o.Given.Total.Min%second == 0 && lasts%second == 0; !steps { // sums in steps reach more than 90 %
			agree("lasts", lasting, 0.9)
		}
	}
}

// The sums of a chain are those of the waits' means, however many there are.
func TestMeansOfAChain(t *testing.T) {
	waits, err := Waits(policy.Decorrelated(second, 0), 6, 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range waits {
		mean, _ := w.Mean.Float64()
		want := (2*math.Pow(1.5, float64(k+1)) - 1) * 1e9 // E y = (base + 3·E x)/2, and E x = base at first
		if math.Abs(mean/want-1) > policy.LawError {
			t.Errorf("wait %d: mean %g, want %g", k+1, mean, want)
		}
		if !w.Rough {
			t.Errorf("wait %d counts as exact", k+1)
		}
	}
}

// What max_elapsed leaves: everybody comes to a try that is surely within it, nobody to one that is surely not.
func TestTriedWithinMaxElapsed(t *testing.T) {
	p := policy.New(policy.Fixed(10*second), policy.Equal{})
	waits, err := Waits(p, 10, 30*second)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range waits {
		n := k + 1
		switch {
		case n <= 3 && w.Tried != 1, n >= 7 && w.Tried != 0, n > 3 && n < 6 && (w.Tried <= 0 || w.Tried >= 1):
			t.Errorf("after %d waits %g try again", n, w.Tried)
		}
	}
	// four waits last 20 s and four of U(0, 5 s): below 30 s with the chance of a sum of four uniforms to be below 2
	if got := waits[3].Tried; math.Abs(got-0.5) > 1e-6 {
		t.Errorf("after 4 waits %g try again, want 0.5", got)
	}
}

// A budget is sure only when max_elapsed surely leaves room for the try that counts, and none when the span is longer.
func TestBudgetsWithinMaxElapsed(t *testing.T) {
	fixed := policy.New(policy.Fixed(10*second), policy.None{})
	for _, c := range []struct {
		name          string
		p             policy.Policy
		span, elapsed time.Duration
		surely        int // -1: none
		chance        float64
	}{
		{"room", fixed, 25 * second, 30 * second, 3, 1},
		{"no room", fixed, 25 * second, 29 * second, -1, 0},
		{"longer than max_elapsed", policy.New(policy.Fixed(10*second), policy.Full{}), 31 * second, 30 * second, -1, 0},
		{"room for the longest", policy.New(policy.Fixed(10*second), policy.Equal{}), 5 * second, 15 * second, 1, 1},
		{"perhaps", policy.New(policy.Fixed(10*second), policy.Equal{}), 5 * second, 9 * second, -1, 0.8},
	} {
		o, err := Outlast(c.p, Question{Span: c.span, Confidence: 0.99, Retries: 20, Elapsed: c.elapsed})
		if err != nil {
			t.Fatal(err)
		}
		surely := -1
		if o.Surely != nil {
			surely = o.Surely.Retries
		}
		if surely != c.surely || math.Abs(o.Given.Chance-c.chance) > 1e-6 {
			t.Errorf("%s: surely %d, want %d; chance %g, want %g", c.name, surely, c.surely, o.Given.Chance, c.chance)
		}
	}
}
