package engine

import (
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/policy"
)

// counter is the cheapest observer: what remains is the engine's own cost.
type counter struct{ began, died int }

func (c *counter) Observe(batch []Event) error {
	for i := range batch {
		ev := &batch[i]
		if ev.Prompt || ev.Kind == Began {
			c.began++
		}
		if ev.Kind == Died {
			c.died++
		}
	}
	return nil
}

// BenchmarkReference is the reference workload without metrics: a herd that meets an outage of 60 s under full jitter.
func BenchmarkReference(b *testing.B) {
	for _, c := range []struct {
		name string
		jobs uint64
	}{{"10k", 10_000}, {"1M", 1_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			attempts := 0
			for b.Loop() {
				var n counter
				if _, err := Run(reference(c.jobs), &n); err != nil {
					b.Fatal(err)
				}
				attempts += n.began
			}
			b.ReportMetric(float64(attempts)/1e6/b.Elapsed().Seconds(), "Mattempts/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func reference(jobs uint64) Config {
	return Config{
		Seed:       42,
		Stop:       clock.Time(30 * 24 * time.Hour),
		Cohorts:    []Cohort{{Name: "herd", Pattern: Together, Count: jobs}},
		Dependency: dependency.Config{Outages: []dependency.Downtime{{From: 0, To: clock.Time(60 * time.Second)}}},
		PolicyName: "full",
		Policy:     policy.New(policy.Exponential(time.Second, policy.Fraction{Num: 2, Den: 1}, 30*time.Second), policy.Full{}),
		Budget:     policy.Budget{Tries: 10},
	}
}
