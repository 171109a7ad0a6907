package advice

import (
	"math/big"
	"testing"

	"herdsim/sim/result"
)

func whole(n int64) *result.Number {
	number := result.Exact(big.NewRat(n, 1))
	return &number
}

// A mean below 1 is the number of no replication, and is not told as one.
func TestCounted(t *testing.T) {
	rare := result.Metric{Mean: result.Derived(big.NewRat(3, 4)), Values: []*result.Number{whole(0), whole(3), whole(0), nil}}
	often := result.Metric{Mean: result.Derived(big.NewRat(7, 2)), Values: []*result.Number{whole(0), whole(7)}}
	never := result.Metric{Mean: *whole(0), Values: []*result.Number{whole(0), whole(0)}}
	e := &evidence{found: &result.Policy{Metrics: map[string]result.Metric{"calls.cause.overload": rare, "jobs.unfinished": often, "refused.breaker": never}}}
	if got, want := e.failures(), ""; got != want {
		t.Errorf("without calls: %q", got)
	}
	if got, ok := e.counted("calls.cause.overload", "calls"); got != "in 1 of 4 replications some calls" || !ok {
		t.Errorf("rare: %q, %v", got, ok)
	}
	if got, want := e.unfinished(), "3.5 jobs were unfinished when the run ended"; got != want {
		t.Errorf("often: %q, want %q", got, want)
	}
	if got := e.stopped() + e.random(); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
