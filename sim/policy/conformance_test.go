package policy

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// curves are those every jitter is tried on.
var curves = []struct {
	name string
	Curve
}{
	{"fixed 5s", Fixed(5 * time.Second)},
	{"fixed 0", Fixed(0)},
	{"fixed 1ns", Fixed(1)},
	{"fixed longest", Fixed(clock.Longest)},
	{"ladder", Ladder([]time.Duration{5 * time.Second, 0, 2 * time.Hour})},
	{"exponential 1s cap 60s", Exponential(time.Second, Fraction{2, 1}, time.Minute)},
	{"exponential 1s", Exponential(time.Second, Fraction{2, 1}, 0)},
	{"exponential 1.5", Exponential(100*time.Millisecond, Fraction{3, 2}, time.Hour)},
	{"exponential 0.5", Exponential(time.Hour, Fraction{1, 2}, 0)},
	{"exponential 1.000001", Exponential(time.Second, Fraction{1_000_001, 1_000_000}, 0)},
	{"exponential 0.999999", Exponential(clock.Longest, Fraction{999_999, 1_000_000}, 0)},
}

// jitters are all jitters, with the range that each documents for a wait of d, before saturation. A flat jitter is
// uniform over it.
var jitters = []struct {
	name string
	Jitter
	low, high func(d float64) float64
	flat      bool
}{
	{"none", None{}, same, same, true},
	{"full", Full{}, nought, same, true},
	{"equal", Equal{}, times(0.5), same, true},
	{"add [0s, 1s]", Add{0, time.Second}, same, plus(1e9), true},
	{"add [2s, 2s]", Add{2 * time.Second, 2 * time.Second}, plus(2e9), plus(2e9), true},
	{"add longest", Add{0, clock.Longest}, same, plus(float64(clock.Longest)), true},
	{"ratio 0.2", Ratio{Fraction{1, 5}}, times(0.8), times(1.2), true},
	{"ratio 1", Ratio{Fraction{1, 1}}, nought, times(2), true},
	{"up 0.1", Up{Fraction{1, 10}}, same, times(1.1), true},
	{"up 3", Up{Fraction{3, 1}}, same, times(4), true},
	{"steps of 1ms, full", Steps{time.Millisecond, Full{}}, nought, same, true},
	{"steps of 1ms, up 3", Steps{time.Millisecond, Up{Fraction{3, 1}}}, plus(-1e6), times(4), true},
	{"steps of 1ms, full twice", Steps{time.Millisecond, Chain{Full{}, Full{}}}, nought, same, false},
	{"equal, then up 0.1", Chain{Equal{}, Up{Fraction{1, 10}}}, times(0.5), times(1.1), false},
}

func nought(float64) float64                  { return 0 }
func same(d float64) float64                  { return d }
func times(x float64) func(d float64) float64 { return func(d float64) float64 { return x * d } }
func plus(ns float64) func(d float64) float64 { return func(d float64) float64 { return d + ns } }
func draw(index, try uint64) rng.Draw         { return rng.NewStream(42, 0).Draw(rng.Jitter, 0, index, try) }

func wait(p Policy, n int, index uint64) time.Duration {
	d := draw(index, uint64(n))
	return p.Wait(Failure{Number: n, Charged: n - 1}, &d)
}

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
		for _, j := range jitters {
			p := New(c.Curve, j.Jitter)
			for _, n := range numbers() {
				d := c.Base(n)
				if d < 0 || d > clock.Longest {
					t.Fatalf("%s: base %d is %d", c.name, n, d)
				}
				longest := float64(clock.Longest)
				low, high := min(j.low(float64(d)), longest), min(j.high(float64(d)), longest)
				slack := 1 + float64(d)*1e-15 // ranges are cut to whole nanoseconds; bounds here are doubles
				for index := range uint64(8) {
					w := wait(p, n, index)
					if x := float64(w); w < 0 || w > clock.Longest || x < low-slack || x > high+slack {
						t.Fatalf("%s, %s: wait %d is %d, outside [%g, %g]", c.name, j.name, n, w, low, high)
					}
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
	for _, c := range curves {
		for _, j := range jitters {
			p := New(c.Curve, j.Jitter)
			first := map[key]time.Duration{}
			ns := numbers()
			for _, n := range ns {
				for index := range uint64(3) {
					first[key{n, index}] = wait(p, n, index)
				}
			}
			done := make(chan bool)
			for range 2 {
				go func() {
					agree := true
					for i := len(ns) - 1; i >= 0; i-- {
						for index := range uint64(3) {
							agree = agree && wait(p, ns[i], index) == first[key{ns[i], index}]
						}
					}
					done <- agree
				}()
			}
			if a, b := <-done, <-done; !a || !b {
				t.Errorf("%s, %s: a wait changed", c.name, j.name)
			}
		}
	}
}

// TestEveryJitterHasItsMoments compares mean and variance with those of the uniform law, within four standard errors.
func TestEveryJitterHasItsMoments(t *testing.T) {
	const n = 20_000
	for _, j := range jitters {
		if !j.flat {
			continue
		}
		for _, d := range []time.Duration{time.Millisecond, time.Minute, 1 << 58} {
			sum, squares := 0.0, 0.0
			law := distuv.Uniform{Min: j.low(float64(d)), Max: min(j.high(float64(d)), float64(clock.Longest))}
			if _, steps := j.Jitter.(Steps); steps && d < time.Minute || law.Max == float64(clock.Longest) {
				continue // too few steps to look continuous; cut off by saturation
			}
			for i := range uint64(n) {
				w := draw(i, 1)
				x := float64(j.Spread(d, &w)) - law.Mean()
				sum += x
				squares += x * x
			}
			grain := 2e6 // a step of 1 ms at either end
			if _, steps := j.Jitter.(Steps); !steps {
				grain = 2 + float64(d)*1e-15
			}
			if off := math.Abs(sum / n); off > 4*law.StdDev()/math.Sqrt(n)+grain {
				t.Errorf("%s of %v: mean off by %g", j.name, d, off)
			}
			if off := math.Abs(squares/n - law.Variance()); off > 4*law.Variance()*math.Sqrt(0.8/n)+2*grain*law.StdDev()+grain*grain {
				t.Errorf("%s of %v: variance %g, want %g", j.name, d, squares/n, law.Variance())
			}
		}
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
		{"none", None{}, func(n float64) float64 { return pow(n) - 1 }, nought},
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
