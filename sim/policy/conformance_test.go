package policy

import (
	"math"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// The suite that every curve, jitter and policy passes. What is added gets a row in one of the three tables below: curves are
// tried under every jitter, jitters on every curve.

// curves are all curves.
var curves = []struct {
	name string
	Curve
}{
	{"fixed 5s", Fixed(5 * time.Second)},
	{"fixed 0", Fixed(0)},
	{"fixed 1ns", Fixed(1)},
	{"fixed longest", Fixed(clock.Longest)},
	{"ladder", Ladder([]time.Duration{5 * time.Second, 0, 2 * time.Hour})},
	{"ladder to the end, short", LadderToEnd([]time.Duration{5 * time.Second, 2 * time.Hour}, 9)},
	{"ladder to the end, long", LadderToEnd([]time.Duration{5 * time.Second, 2 * time.Hour}, 1)},
	{"offsets", Offsets([]time.Duration{0, 5 * time.Second, 5 * time.Second}, time.Minute)},
	{"offsets by longest", Offsets([]time.Duration{clock.Longest}, clock.Longest)},
	{"linear 5s 5s", Linear{5 * time.Second, 5 * time.Second}},
	{"linear 0 longest", Linear{0, clock.Longest}},
	{"linear longest", Linear{clock.Longest, clock.Longest}},
	{"power 1s^4 + 15s, shift −1", Power{Unit: time.Second, Exponent: 4, Offset: 15 * time.Second, Shift: -1}},
	{"power 1ns^62, shift least", Power{Unit: 1, Exponent: 62, Shift: -Unlimited}},
	{"power 0, shift most", Power{Exponent: 2, Offset: clock.Longest, Shift: Unlimited}},
	{"fibonacci 1s", Fibonacci(time.Second)},
	{"fibonacci 0", Fibonacci(0)},
	{"exponential 1s cap 60s", Exponential(time.Second, Fraction{2, 1}, time.Minute)},
	{"exponential 1s", Exponential(time.Second, Fraction{2, 1}, 0)},
	{"exponential 1.5", Exponential(100*time.Millisecond, Fraction{3, 2}, time.Hour)},
	{"exponential 0.5", Exponential(time.Hour, Fraction{1, 2}, 0)},
	{"exponential 1.000001", Exponential(time.Second, Fraction{1_000_001, 1_000_000}, 0)},
	{"exponential 0.999999", Exponential(clock.Longest, Fraction{999_999, 1_000_000}, 0)},
}

// jitters are all jitters, with the law that each documents for a wait of d after failure n, before saturation.
var jitters = []struct {
	name string
	Jitter
	law func(d float64, n int) law
}{
	{"none", None{}, func(d float64, _ int) law { return uniform(d, d) }},
	{"full", Full{}, func(d float64, _ int) law { return uniform(0, d) }},
	{"equal", Equal{}, func(d float64, _ int) law { return uniform(d/2, d) }},
	{"add [0s, 1s]", Add{0, time.Second}, func(d float64, _ int) law { return uniform(d, d+1e9) }},
	{"add [2s, 2s]", Add{2 * time.Second, 2 * time.Second}, func(d float64, _ int) law { return uniform(d+2e9, d+2e9) }},
	{"add longest", Add{0, clock.Longest}, func(d float64, _ int) law { return uniform(d, d+float64(clock.Longest)) }},
	{"ratio 0.2", Ratio{Fraction{1, 5}}, func(d float64, _ int) law { return uniform(0.8*d, 1.2*d) }},
	{"ratio 1", Ratio{Fraction{1, 1}}, func(d float64, _ int) law { return uniform(0, 2*d) }},
	{"up 0.1", Up{Fraction{1, 10}}, func(d float64, _ int) law { return uniform(d, 1.1*d) }},
	{"up 3", Up{Fraction{3, 1}}, func(d float64, _ int) law { return uniform(d, 4*d) }},
	{"down 0.3", Down{Fraction{3, 10}}, func(d float64, _ int) law { return uniform(0.7*d, d) }},
	{"down 1", Down{Fraction{1, 1}}, func(d float64, _ int) law { return uniform(0, d) }},
	{"scale [0.75, 1.5]", Scale{Fraction{3, 4}, Fraction{3, 2}}, func(d float64, _ int) law { return uniform(0.75*d, 1.5*d) }},
	{"scale [0, 1000]", Scale{Fraction{0, 1}, Fraction{1000, 1}}, func(d float64, _ int) law { return uniform(0, 1000*d) }},
	{"comb of 30", Comb{30, time.Second}, func(d float64, n int) law { return comb(d, 30, 1e9*float64(n)) }},
	{"comb of 1", Comb{1, time.Second}, func(d float64, n int) law { return uniform(d, d) }},
	{"comb of all", Comb{1 << 63, clock.Longest}, func(d float64, n int) law { return comb(d, 1<<63, float64(clock.Longest)*float64(n)) }},
	{"memoryless", Memoryless{}, func(d float64, _ int) law { return law{0, 45 * d, d, d * d, 9} }},
	{"steps of 1ms, full", Steps{time.Millisecond, Full{}}, func(d float64, _ int) law { return uniform(0, d) }},
	{"steps of 1ms, up 3", Steps{time.Millisecond, Up{Fraction{3, 1}}}, func(d float64, _ int) law { return uniform(d-1e6, 4*d) }},
	{"steps of 1ms, full twice", Steps{time.Millisecond, Chain{Full{}, Full{}}}, func(d float64, _ int) law { return law{0, d, d / 4, d * d * 7 / 144, 3.2} }},
	{"equal, then up 0.1", Chain{Equal{}, Up{Fraction{1, 10}}}, func(d float64, _ int) law {
		mean := 0.75 * 1.05 * d
		return law{0.5 * d, 1.1 * d, mean, 7.0/12*(1+0.1+0.01/3)*d*d - mean*mean, 2}
	}},
}

// policies are those that are not a curve and a jitter, with the law of their wait after failure n of a job of that age.
var policies = []struct {
	name string
	Policy
	law func(n int, age float64) law
}{
	{"decorrelated 1s", Decorrelated(time.Second, 0), func(n int, _ float64) law { return tripled(1e9, n) }},
	{"decorrelated 1ns", Decorrelated(1, 0), func(n int, _ float64) law { return law{low: 1, high: math.Pow(3, float64(n))} }},
	{"decorrelated 1s cap 60s", Decorrelated(time.Second, time.Minute), func(int, float64) law { return law{low: 1e9, high: 60e9} }},
	{"decorrelated 60s cap 1s", Decorrelated(time.Minute, time.Second), func(int, float64) law { return uniform(1e9, 1e9) }},
	{"from arrival, full", FromArrival(Offsets([]time.Duration{time.Second, time.Minute}, time.Hour), Full{}), func(n int, age float64) law {
		return uniform(0, max(0, []float64{1e9, 60e9}[min(n, 2)-1]+3600e9*float64(max(n-2, 0))-age))
	}},
	{"listed, then exponential", Listed([]time.Duration{time.Second, time.Hour}, New(Exponential(1, Fraction{2, 1}, 0), Full{})), func(n int, _ float64) law {
		if n <= 2 {
			return uniform([]float64{1e9, 3600e9}[n-1], []float64{1e9, 3600e9}[n-1])
		}
		return uniform(0, math.Exp2(float64(n-1)))
	}},
	{"limited", Limit(New(Fixed(4*time.Second), Full{}), Limits{time.Second, 3 * time.Second, 0}), func(int, float64) law {
		mean := (1 + (9.0-1)/2 + 3) / 4 // a quarter each at the ends, half between
		return law{1e9, 3e9, mean * 1e9, ((1+(27.0-1)/3+9)/4 - mean*mean) * 1e18, 2}
	}},
	{"heeding, with nothing to heed", Heed(New(Fixed(4*time.Second), Full{}), time.Second), func(int, float64) law { return uniform(0, 4e9) }},
	{"rounded", Limit(New(Fixed(4*time.Second), Full{}), Limits{time.Second, 0, 2 * time.Second}), func(int, float64) law {
		return law{0, 4e9, 1e9, 1e18, 2}
	}},
}

// A law is what a wait obeys: it lies in [low, high], in nanoseconds, and has these moments; a kurtosis of 0 stands for
// moments that have no closed form.
type law struct{ low, high, mean, variance, kurtosis float64 }

func uniform(low, high float64) law {
	return law{low, high, low/2 + high/2, (high - low) * (high - low) / 12, 1.8}
}

func comb(d, teeth, apart float64) law {
	return law{d, d + (teeth-1)*apart, d + (teeth-1)/2*apart, apart * apart * (teeth*teeth - 1) / 12, 1.8}
}

// tripled is the law of the n-th decorrelated wait without a cap. For the wait y after one of x, uniform over [b, 3x],
// E y = (b + 3·E x)/2 and E y² = (b² + 3b·E x + 9·E x²)/3. The tail grows heavy: the moments
// of the first three waits can be seen in samples.
func tripled(b float64, n int) law {
	mean, square := b, b*b
	for range min(n, 3) {
		mean, square = (b+3*mean)/2, (b*b+3*b*mean+9*square)/3
	}
	kurtosis := 0.0
	if n <= 3 {
		kurtosis = 12
	}
	return law{b, b * math.Pow(3, float64(n)), mean, square - mean*mean, kurtosis}
}

// A subject is a policy under test.
type subject struct {
	name string
	Policy
	law func(n int, age float64) law
}

// everyPolicy lists all there are: each curve with each jitter, and the others, as they are and with another jitter.
func everyPolicy() []subject {
	var all []subject
	for _, c := range curves {
		for _, j := range jitters {
			all = append(all, subject{c.name + ", " + j.name, New(c.Curve, j.Jitter), func(n int, _ float64) law { return j.law(float64(c.Base(n)), n) }})
		}
	}
	for _, p := range policies {
		all = append(all, subject{p.name, p.Policy, p.law})
		if other, ok := Respread(p.Policy, Down{Fraction{1, 1}}); ok {
			all = append(all, subject{p.name + ", down 1 instead", other, func(n int, age float64) law { return law{high: max(p.law(n, age).high, 4e9)} }})
		}
	}
	return all
}

func draw(index, try uint64) rng.Draw { return rng.NewStream(42, 0).Draw(rng.Jitter, 0, index, try) }

// wait prices failure n of a job that has failed every half second.
func wait(p Policy, n int, index uint64) time.Duration {
	d := draw(index, uint64(n))
	return p.Wait(Failure{Number: n, Charged: n - 1, Age: age(n)}, &d)
}

func age(n int) time.Duration { return time.Duration(n) * time.Second / 2 }

// numbers are the failures tried: all early ones, and some no job lives to see.
func numbers() []int {
	ns := []int{255, 256, 257, 1000, 1_000_000, Unlimited}
	for n := range 70 {
		ns = append(ns, n+1)
	}
	return ns
}

func TestEveryPolicyIsBounded(t *testing.T) {
	for _, c := range curves {
		for _, n := range numbers() {
			if d := c.Base(n); d < 0 || d > clock.Longest {
				t.Fatalf("%s: base %d is %d", c.name, n, d)
			}
		}
	}
	const longest = float64(clock.Longest)
	for _, p := range everyPolicy() {
		for _, n := range numbers() {
			l := p.law(n, float64(age(n)))
			low, high := min(l.low, longest), min(l.high, longest)
			slack := 1 + high*1e-15 // ranges are cut to whole nanoseconds; bounds here are doubles
			for index := range uint64(8) {
				w := wait(p, n, index)
				if x := float64(w); w < 0 || w > clock.Longest || x < low-slack || x > high+slack {
					t.Fatalf("%s: wait %d is %d, outside [%g, %g]", p.name, n, w, low, high)
				}
			}
		}
	}
}

// TestEveryPolicyIsPure prices the same failures forwards and backwards, and from goroutines that share the policy.
func TestEveryPolicyIsPure(t *testing.T) {
	type key struct {
		n     int
		index uint64
	}
	ns := numbers()
	for _, p := range everyPolicy() {
		first := map[key]time.Duration{}
		for _, n := range ns {
			for index := range uint64(2) {
				first[key{n, index}] = wait(p, n, index)
			}
		}
		done := make(chan bool)
		for range 2 {
			go func() {
				agree := true
				for i := len(ns) - 1; i >= 0; i-- {
					for index := range uint64(2) {
						agree = agree && wait(p, ns[i], index) == first[key{ns[i], index}]
					}
				}
				done <- agree
			}()
		}
		if a, b := <-done, <-done; !a || !b {
			t.Errorf("%s: a wait changed", p.name)
		}
	}
}

func TestEveryJitterHasItsMoments(t *testing.T) {
	for _, j := range jitters {
		for _, d := range []time.Duration{time.Millisecond, time.Minute, 1 << 58} {
			_, steps := j.Jitter.(Steps)
			grain := 2 + float64(d)*1e-15
			if steps {
				grain = 2e6 // a step of 1 ms at either end
			}
			if steps && d < time.Minute {
				continue // too few steps to look continuous
			}
			for _, n := range []int{1, 3} {
				judge(t, j.name+" of "+d.String(), j.law(float64(d), n), grain, func(i uint64) time.Duration {
					w := draw(i, uint64(n))
					return j.Spread(d, n, &w)
				})
			}
		}
	}
}

func TestEveryOtherPolicyHasItsMoments(t *testing.T) {
	for _, p := range policies {
		for _, n := range []int{1, 2, 3, 5} {
			judge(t, p.name, p.law(n, float64(age(n))), 2, func(i uint64) time.Duration { return wait(p, n, i) })
		}
	}
}

// judge compares mean and variance with those of a law, within four standard errors and a grain.
func judge(t *testing.T, name string, l law, grain float64, wait func(index uint64) time.Duration) {
	t.Helper()
	const n = 20_000
	if l.kurtosis == 0 || l.high >= float64(clock.Longest) {
		return // no closed form; cut off by saturation
	}
	sum, squares := 0.0, 0.0
	for i := range uint64(n) {
		x := float64(wait(i)) - l.mean
		sum += x
		squares += x * x
	}
	sd := math.Sqrt(l.variance)
	if off := math.Abs(sum / n); off > 4*sd/math.Sqrt(n)+grain {
		t.Errorf("%s: mean off by %g, want %g", name, off, l.mean)
	}
	if off := math.Abs(squares/n - l.variance); off > 4*l.variance*math.Sqrt((l.kurtosis-1)/n)+2*grain*sd+grain*grain {
		t.Errorf("%s: variance %g, want %g", name, squares/n, l.variance)
	}
}

// TestRounds checks the n-th retry of a herd that keeps failing: the sum of n waits of base B = 1 s without a cap.
func TestRounds(t *testing.T) {
	const jobs = 20_000
	curve := Exponential(time.Second, Fraction{2, 1}, 0)
	pow := math.Exp2
	for _, c := range []struct {
		name           string
		jitter         Jitter
		mean, variance func(n float64) float64
	}{
		{"none", None{}, func(n float64) float64 { return pow(n) - 1 }, func(float64) float64 { return 0 }},
		{"full", Full{}, func(n float64) float64 { return (pow(n) - 1) / 2 }, func(n float64) float64 { return (pow(2*n) - 1) / 36 }},
		{"equal", Equal{}, func(n float64) float64 { return 3 * (pow(n) - 1) / 4 }, func(n float64) float64 { return (pow(2*n) - 1) / 144 }},
		{"wobble", Add{0, 2 * time.Second}, func(n float64) float64 { return pow(n) - 1 + n }, func(n float64) float64 { return n * 4 / 12 }},
	} {
		p := New(curve, c.jitter)
		at := make([]float64, jobs)
		for n := 1; n <= 8; n++ {
			mean, variance := c.mean(float64(n)), c.variance(float64(n))
			sum, squares := 0.0, 0.0
			for i := range at {
				at[i] += wait(p, n, uint64(i)).Seconds()
				sum += at[i] - mean
				squares += (at[i] - mean) * (at[i] - mean)
			}
			if off := math.Abs(sum / jobs); off > 4*math.Sqrt(variance/jobs)+1e-6 {
				t.Errorf("%s: mean of retry %d off by %g s", c.name, n, off)
			}
			if off := math.Abs(squares/jobs - variance); off > 4*variance*math.Sqrt(2.0/jobs)+1e-6 { // kurtosis is below 3
				t.Errorf("%s: variance of retry %d is %g s², want %g", c.name, n, squares/jobs, variance)
			}
		}
	}
}
