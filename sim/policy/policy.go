// Package policy prices the wait after a failed attempt: curves, the jitter that wraps them, and budgets.
// Everything here is integer arithmetic, so that a wait is the same on every machine.
package policy

import (
	"math"
	"time"

	"herdsim/sim/rng"
)

// A Failure is the attempt that has just failed, as a policy sees it.
type Failure struct {
	Number  int           // of the attempt; the first is 1
	Charged int           // failures that spent budget before this one
	Age     time.Duration // since the job arrived
	Hint    time.Duration // what a refused call was told: how long until there is capacity again; 0 for nothing
}

// N is the number that prices the wait: the failures charged before this one, plus 1.
func (f Failure) N() int { return f.Charged + 1 }

// A Policy prices waits. Wait is pure (the same failure and draw give the same wait), never negative, and at most clock.Longest.
type Policy interface {
	Wait(f Failure, draw *rng.Draw) time.Duration
}

// A Curve gives the wait after a failure before any jitter. Base is pure, never negative, and at most clock.Longest.
type Curve interface {
	Base(n int) time.Duration // n is the number of the failure, at least 1
}

// A Jitter spreads a wait. Spread is pure in d, n and the words of draw, never negative, and at most clock.Longest; d is in
// [0, clock.Longest], n is the number of the failure. How many integers it takes from draw does not depend on d or n, so
// jitters can follow one another on a draw.
type Jitter interface {
	Spread(d time.Duration, n int, draw *rng.Draw) time.Duration
}

// Unlimited is the number of tries of a budget that never ends.
const Unlimited = math.MaxInt32

// A Budget bounds the life of a job. Tries are those in all, the first included: both spellings a user may know
// (max_attempts, max_retries) become this one number at the border.
type Budget struct {
	Tries   int           // at least 1; Unlimited for no limit
	Elapsed time.Duration // from arrival to the last instant at which a retry may be due; 0 for no limit
}
