package experiment

import (
	"context"
	"fmt"
	"testing"

	"herdsim/sim/scenario"
)

// BenchmarkReference is the workload that docs/performance.md speaks of, from YAML to result with every metric on, on one
// core: jobs that arrive together, meet an outage of a minute and retry under full jitter.
func BenchmarkReference(b *testing.B) {
	for _, jobs := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			yaml := fmt.Sprintf(`
version: 1
seed: 42
cohorts:
  herd: {count: %d}
dependency:
  outages:
    main: {for: 60s}
policies:
  full: {delay: {exponential: {base: 1s, cap: 30s}}, jitter: full, max_attempts: 10}
`, jobs)
			attempts := 0.0
			for b.Loop() {
				f, problems := scenario.Parse("reference.yaml", []byte(yaml), scenario.Overrides{})
				if f == nil {
					b.Fatal(problems)
				}
				r, err := Run(context.Background(), f, Options{Cores: 1})
				if err != nil {
					b.Fatal(err)
				}
				attempts += r.Cases[0].Policies[0].Metrics["calls.total"].Mean.Float()
			}
			b.ReportMetric(attempts/1e6/b.Elapsed().Seconds(), "Mattempts/s")
			b.ReportMetric(b.Elapsed().Seconds()*1e9/attempts, "ns/attempt")
		})
	}
}
