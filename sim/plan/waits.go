// Package plan holds what is known of a policy without a simulation: its waits, attempt by attempt, how long a budget of
// them lasts, and the chance that it outlasts a span.
package plan

import (
	"errors"
	"math"
	"math/big"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// ErrUnknown says that a policy does not know its waits before they are drawn.
var ErrUnknown = errors.New("the waits of this policy have no table: they depend on each other, come from several draws, or know no bound")

// A Wait is what a policy lets a job wait after one failed attempt.
type Wait struct {
	Attempt         int // that failed; the first is 1
	Min, Max        time.Duration
	Mean            *big.Rat // nanoseconds
	P5, P50, P95    time.Duration
	Price, Uncapped time.Duration // before the jitter, and what it would be without a cap; clock.Longest is that or more
	Capped          bool          // Uncapped is above Price
	Distinct        *big.Int      // different waits that are possible
	Step            time.Duration // greatest span of which their differences are multiples
	Total           Total         // this wait and all before it
	law             policy.Law
}

// A Total is what waits last together. Min and Max saturate at the longest time.Duration.
type Total struct {
	Min, Max time.Duration
	Mean     *big.Rat // nanoseconds
}

// Waits returns the first n waits of a policy. The error is ErrUnknown.
func Waits(p policy.Policy, n int) ([]Wait, error) {
	var waits []Wait
	total := Total{Mean: new(big.Rat)}
	for k := 1; k <= n; k++ {
		w, err := waitAfter(p, k, total)
		if err != nil {
			return nil, err
		}
		total = total.plus(w)
		w.Total = total
		waits = append(waits, w)
	}
	return waits, nil
}

// waitAfter describes the wait after attempt n, its Total aside; before is what the job has waited by then. Attempts take no
// time.
func waitAfter(p policy.Policy, n int, before Total) (Wait, error) {
	known, ok := p.(policy.Foreseeable)
	if !ok {
		return Wait{}, ErrUnknown
	}
	f := policy.Failure{Number: n, Charged: n - 1, Age: before.Min}
	if before.Min < before.Max {
		f.Age = policy.UnknownAge
	}
	law := known.Law(f)
	if law == nil {
		return Wait{}, ErrUnknown
	}
	w := Wait{Attempt: n, Min: law[0].From, Max: law[len(law)-1].To(), Mean: mean(law), Distinct: new(big.Int), law: law}
	for _, piece := range law {
		w.Distinct.Add(w.Distinct, new(big.Int).SetUint64(piece.Count))
	}
	w.Step = stepOf(law)
	w.P5, w.P50, w.P95 = quantile(law, 5), quantile(law, 50), quantile(law, 95)
	w.Price, w.Uncapped = known.Price(f)
	w.Capped = w.Uncapped > w.Price
	return w, nil
}

// stepOf returns the greatest span by which waits differ.
func stepOf(law policy.Law) time.Duration {
	var step time.Duration
	for _, p := range law {
		step = divisor(step, p.From-law[0].From)
		if p.Count > 1 {
			step = divisor(step, p.Step)
		}
	}
	return max(step, 1)
}

func (t Total) plus(w Wait) Total {
	return Total{Min: sum(t.Min, w.Min), Max: sum(t.Max, w.Max), Mean: new(big.Rat).Add(t.Mean, w.Mean)}
}

func sum(a, b time.Duration) time.Duration {
	if c := a + b; c >= a {
		return c
	}
	return math.MaxInt64
}

// cases returns how many equally likely cases a law has.
func cases(law policy.Law) *big.Int {
	total := new(big.Int)
	for _, p := range law {
		total.Add(total, casesOf(p))
	}
	return total
}

func casesOf(p policy.Piece) *big.Int {
	n := new(big.Int).SetUint64(p.Count)
	return n.Mul(n, new(big.Int).SetUint64(p.Each))
}

// mean returns the exact mean of a law, in nanoseconds.
func mean(law policy.Law) *big.Rat {
	twice := new(big.Int) // a piece's mean is halfway between its ends
	for _, p := range law {
		ends := new(big.Int).Add(big.NewInt(int64(p.From)), big.NewInt(int64(p.To())))
		twice.Add(twice, ends.Mul(ends, casesOf(p)))
	}
	return new(big.Rat).SetFrac(twice, new(big.Int).Lsh(cases(law), 1))
}

// quantile returns the nearest rank: the smallest wait that at least so many of a hundred cases do not exceed.
func quantile(law policy.Law, percent int64) time.Duration {
	rank := new(big.Int).Mul(cases(law), big.NewInt(percent))
	rank.Add(rank, big.NewInt(99)).Quo(rank, big.NewInt(100))
	for _, p := range law {
		if n := casesOf(p); rank.Cmp(n) > 0 {
			rank.Sub(rank, n)
			continue
		}
		each := new(big.Int).SetUint64(p.Each)
		before := rank.Sub(rank, big.NewInt(1)).Quo(rank, each).Uint64()
		return p.From + time.Duration(before)*p.Step
	}
	panic("plan: a rank beyond the last case")
}

// Draw returns the first n waits of a job as a simulation draws them: job index (from 0) of the first cohort in the first
// replication.
func Draw(p policy.Policy, n int, seed, index uint64) []time.Duration {
	stream := rng.NewStream(seed, 0)
	waits, age := make([]time.Duration, n), time.Duration(0)
	for k := range waits {
		draw := stream.Draw(rng.Jitter, 0, index, uint64(k+1))
		waits[k] = p.Wait(policy.Failure{Number: k + 1, Charged: k, Age: age}, &draw)
		age = sum(age, waits[k])
	}
	return waits
}
