package experiment

import (
	"context"
	"fmt"
	"testing"
	"time"

	"herdsim/sim/scenario"
)

// reference is the workload that docs/performance.md speaks of most: jobs that arrive together, meet an outage of a minute and
// retry under full jitter.
func reference(jobs, replications int) string {
	return fmt.Sprintf(`
version: 1
seed: 42
replications: %d
cohorts:
  herd: {count: %d}
dependency:
  outages:
    main: {for: 60s}
policies:
  full: {delay: {exponential: {base: 1s, cap: 30s}}, jitter: full, max_attempts: 10}
`, replications, jobs)
}

// closed is a workload in which workers are the bottleneck and hand jobs back to a sweep.
const closed = `
version: 1
seed: 42
cohorts:
  jobs: {count: 1000000}
workers: {count: 1000, service: {exponential: {mean: 10ms}}}
queue: {promote: {every: 1s}}
dependency: {error_rate: 30%}
policies:
  full: {delay: {exponential: {base: 1s, cap: 30s}}, jitter: full, max_attempts: 10}
`

// simulate runs a scenario from YAML to result with every metric on, and returns the calls of a replication.
func simulate(b *testing.B, yaml string, cores int) float64 {
	b.Helper()
	f, problems := scenario.Parse("bench.yaml", []byte(yaml), scenario.Overrides{})
	if f == nil {
		b.Fatal(problems)
	}
	r, err := Run(context.Background(), f, Options{Cores: cores})
	if err != nil {
		b.Fatal(err)
	}
	return r.Cases[0].Policies[0].Metrics["calls.total"].Mean.Float()
}

// BenchmarkReference: the cost of an attempt from small herds to large ones, on one core.
func BenchmarkReference(b *testing.B) {
	for _, jobs := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) { perAttempt(b, reference(jobs, 1)) })
	}
}

// leased is closed with a lease on every claim, some of which end before their call does, and a crash of half the workers: there
// are copies.
const leased = `
version: 1
seed: 42
cohorts:
  jobs: {count: 1000000}
workers: {count: 1000, service: {exponential: {mean: 10ms}}, crashes: {half: {at: 2s, workers: 500, for: 3s}}}
queue: {promote: {every: 1s}, visibility: 50ms}
dependency: {error_rate: 30%}
policies:
  full: {delay: {exponential: {base: 1s, cap: 30s}}, jitter: full, max_attempts: 10}
`

// served is a dependency with a queue of its own, whose callers give up, a retry budget and a breaker.
const served = `
version: 1
seed: 42
cohorts:
  jobs: {count: 1000000, arrivals: {poisson: 2000/s}}
dependency:
  capacity: {servers: 20, service: {exponential: {mean: 9ms}}, queue: 500}
  outages:
    main: {at: 60s, for: 60s}
workers: {timeout: 200ms}
policies:
  full:
    delay: {exponential: {base: 1s, cap: 30s}}
    jitter: full
    max_attempts: 10
    retry_budget: {bucket: 1000, refill: 500/s}
    breaker: {failures: 50, within: 1s, open: 5s}
`

// BenchmarkLeased: a closed loop of workers that lose jobs, on one core.
func BenchmarkLeased(b *testing.B) { perAttempt(b, leased) }

// BenchmarkServed: calls that wait for a server, on one core.
func BenchmarkServed(b *testing.B) { perAttempt(b, served) }

// BenchmarkClosed: a closed loop of workers, on one core.
func BenchmarkClosed(b *testing.B) { perAttempt(b, closed) }

func perAttempt(b *testing.B, yaml string) {
	attempts := 0.0
	for b.Loop() {
		attempts += simulate(b, yaml, 1)
	}
	b.ReportMetric(attempts/1e6/b.Elapsed().Seconds(), "Mattempts/s")
	b.ReportMetric(b.Elapsed().Seconds()*1e9/attempts, "ns/attempt")
}

// BenchmarkTwoCores: how much longer two replications take on two cores than one on one core, measured by turns.
func BenchmarkTwoCores(b *testing.B) {
	one, two := reference(1_000_000, 1), reference(1_000_000, 2)
	var alone, both time.Duration
	for b.Loop() {
		start := time.Now()
		simulate(b, one, 1)
		middle := time.Now()
		simulate(b, two, 2)
		alone, both = alone+middle.Sub(start), both+time.Since(middle)
	}
	b.ReportMetric(float64(both)/float64(alone), "times-one")
	b.ReportMetric(0, "ns/op")
}
