package policy

import (
	"time"

	"herdsim/sim/clock"
)

// Fibonacci returns the curve base times 1, 2, 3, 5, 8, …, saturating at clock.Longest. Every wait is longer than the one
// before, as in the machinery library (v1/retry/fibonacci.go), whose next wait is the next greater number of the sequence;
// the sequence itself has 1 twice.
func Fibonacci(base time.Duration) Curve {
	mustPrice("base", base)
	waits := ladder{base}
	for before, last := base, base; last > 0 && last < clock.Longest; {
		before, last = last, span(uint64(before)+uint64(last))
		waits = append(waits, last)
	}
	return waits
}
