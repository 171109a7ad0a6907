package preset

import (
	"math"
	"testing"
	"time"

	"herdsim/sim/clock"
)

const millisecond = time.Millisecond

// TestExactWaits covers what the sampled vectors do not: other options, other units, and the far end of each curve.
func TestExactWaits(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		preset  string
		options Value
		n       int
		want    time.Duration
	}{
		{"bullmq", Value{}, 1, 0},
		{"bullmq", object("backoff", "5000"), 9, 5 * second},
		{"bullmq", object("backoff", object("type", "exponential", "delay", "3")), 5, 48 * millisecond},
		{"bullmq", object("backoff", object("type", "exponential", "delay", "3", "jitter", nil)), 5, 48 * millisecond},
		{"bullmq", object("backoff", object("type", "exponential", "delay", "1000")), 33, 1 << 32 * second},
		{"bullmq", object("backoff", object("type", "exponential", "delay", "1000")), 34, clock.Longest},
		{"bullmq", object("backoff", object("type", "exponential", "delay", "1000")), 1_000_000, clock.Longest},
		{"bullmq", object("backoff", object("type", "fixed", "delay", "0", "jitter", "0.5")), 3, 0},
		{"echomq", Value{}, 7, second},
		{"echomq", object("retry_delay_ms", "0"), 7, 0},
		{"echomq", object("policy", object("fixed", "250")), 7, 250 * millisecond},
		{"echomq", object("policy", object("exponential", list("1000", "60000"))), 7, 60 * second},
		{"echomq", object("policy", object("exponential", list("90000", "60000"))), 1, 60 * second},
		{"echomq", object("policy", object("jitter", object("fixed", "0"))), 1, 0},
		{"flexiq", object("max_retry_delay", "0"), 4, 0},
		{"flexiq", object("retry_backoff", "0"), 4, 0},
		{"flexiq", object("retry_backoff", "0.0009"), 4, 0},
		{"flexiq", object("retry_delays", list("2", "0.0015", "1.001", "0")), 1, 2 * second},
		{"flexiq", object("retry_delays", list("2", "0.0015", "1.001", "0")), 2, millisecond},
		{"flexiq", object("retry_delays", list("2", "0.0015", "1.001", "0")), 3, 1000 * millisecond}, // 1.001 s is 1000.99… ms in doubles
		{"flexiq", object("retry_delays", list("2", "0.0015", "1.001", "0")), 4, 0},
	} {
		for index := range uint64(3) {
			if got := wait(build(t, c.preset, c.options).Policy, c.n, index); got != c.want {
				t.Errorf("%s %+v: wait %d is %v, want %v", c.preset, c.options, c.n, got, c.want)
			}
		}
	}
}

// moments returns the mean and the variance of the n-th wait, in ms.
func moments(t *testing.T, name string, options Value, n int, draws int) (mean, variance float64) {
	p := build(t, name, options).Policy
	sum, squares := 0.0, 0.0
	for i := range draws {
		ms := float64(wait(p, n, uint64(i)) / millisecond)
		sum += ms
		squares += ms * ms
	}
	mean = sum / float64(draws)
	return mean, squares/float64(draws) - mean*mean
}

// TestNestedJitter: a uniform integer up to a uniform integer K ≤ 1000 has mean E K/2 = 250 ms and variance
// E K(K+2)/12 + Var(K)/4 = 48,750.
func TestNestedJitter(t *testing.T) {
	options := object("policy", object("jitter", object("jitter", object("fixed", "1000"))))
	mean, variance := moments(t, "echomq", options, 1, 50_000)
	if math.Abs(mean-250) > 4*math.Sqrt(48_750.0/50_000) || math.Abs(variance/48_750-1) > 0.03 {
		t.Errorf("mean %v, variance %v", mean, variance)
	}
}

// TestFlexiqStopsDoubling: the exponent stops at 30, whatever the cap.
func TestFlexiqStopsDoubling(t *testing.T) {
	options := object("retry_backoff", "0.001", "max_retry_delay", "4000000000", "max_retries", "100")
	const bound = 1 << 30 // ms
	for _, n := range []int{31, 32, 90} {
		mean, _ := moments(t, "flexiq", options, n, 2000)
		if math.Abs(mean/bound-0.5) > 4*math.Sqrt(1.0/12/2000) {
			t.Errorf("mean of wait %d is %v of the bound", n, mean/bound)
		}
	}
}

// TestBullmqJitterLaw: 3 ms shortened by up to half are uniform over [1.5 ms, 3 ms) before flooring: 1 ms a third of the time.
func TestBullmqJitterLaw(t *testing.T) {
	p := build(t, "bullmq", object("backoff", object("type", "fixed", "delay", "3", "jitter", "0.5"))).Policy
	const draws = 30_000
	count := map[time.Duration]int{}
	for i := range uint64(draws) {
		count[wait(p, 1, i)]++
	}
	ones := count[millisecond]
	if ones+count[2*millisecond] != draws {
		t.Errorf("support %v", count)
	}
	if math.Abs(float64(ones)-draws/3.0) > 4*math.Sqrt(draws*2.0/9) {
		t.Errorf("1 ms came %d times in %d", ones, draws)
	}
}
