// Package plan holds what is known of a policy without a simulation: its waits, attempt by attempt, how long a budget of
// them lasts, and the chance that it outlasts a span.
package plan

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// ErrUnknown says that a policy does not know its waits before they are drawn.
var ErrUnknown = errors.New("the law of this policy's waits is not known")

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
	Rough           bool          // mean and quantiles may be off by policy.LawError of themselves and a nanosecond
	Total           Total         // this wait and all before it
	Tried           float64       // chance that a job that fails again and again comes to its next try: what max_elapsed leaves
	law             policy.Law
}

// A Total is what waits last together. Min and Max saturate at the longest time.Duration.
type Total struct {
	Min, Max time.Duration
	Mean     *big.Rat // nanoseconds
}

// Waits returns the first n waits of a policy. When elapsed is above 0 it is the longest time from a job's arrival to a due retry,
// and Tried says how many get so far. The error is ErrUnknown.
func Waits(p policy.Policy, n int, elapsed time.Duration) ([]Wait, error) {
	var within sums // max_elapsed
	if elapsed > 0 {
		var err error
		if within, err = newSums(p, elapsed+1, 0); err != nil {
			return nil, err
		}
	}
	var waits []Wait
	walk := newWalk(p)
	for k := range n {
		w, err := walk.next()
		if err != nil {
			return nil, err
		}
		if k > 0 && slices.Equal(w.law, waits[k-1].law) {
			w.sameAs(waits[k-1])
		} else {
			w.describe()
		}
		w.Tried = 1
		if within != nil {
			within.add(w, math.MaxInt64)
			w.Tried = 1 - within.chance(w.Total)
		}
		waits = append(waits, w)
	}
	return waits, nil
}

// A walk goes through the waits of a policy. Attempts take no time.
type walk struct {
	policy policy.Policy
	total  Total
	last   Wait
}

func newWalk(p policy.Policy) *walk {
	return &walk{policy: policy.Foresee(p), total: Total{Mean: new(big.Rat)}}
}

// next returns the next wait, but for Tried and what describe adds. The error is ErrUnknown.
func (k *walk) next() (Wait, error) {
	known, ok := k.policy.(policy.Foreseeable)
	if !ok {
		return Wait{}, ErrUnknown
	}
	n := k.last.Attempt + 1
	f := policy.Failure{Number: n, Charged: n - 1, Age: k.total.Min}
	if k.total.Min < k.total.Max {
		f.Age = policy.UnknownAge
	}
	law := known.Law(f)
	if law == nil {
		return Wait{}, ErrUnknown
	}
	w := k.last
	if !slices.Equal(law, w.law) {
		w = Wait{Min: law[0].From, Max: law[len(law)-1].To(), Mean: mean(law), Rough: len(law) > policy.FewPieces, law: law}
	}
	w.Attempt = n
	w.Price, w.Uncapped = known.Price(f)
	w.Capped = w.Uncapped > w.Price
	k.total = k.total.plus(w)
	w.Total = k.total
	k.last = w
	return w, nil
}

// describe adds what else the law says.
func (w *Wait) describe() {
	w.Distinct = new(big.Int)
	for _, piece := range w.law {
		w.Distinct.Add(w.Distinct, new(big.Int).SetUint64(piece.Count))
	}
	w.Step = stepOf(w.law)
	w.P5, w.P50, w.P95 = quantile(w.law, 5), quantile(w.law, 50), quantile(w.law, 95)
}

// sameAs takes what describe adds from a wait of the same law.
func (w *Wait) sameAs(o Wait) {
	w.Distinct, w.Step, w.P5, w.P50, w.P95 = o.Distinct, o.Step, o.P5, o.P50, o.P95
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
	return n.Mul(n, eachOf(p))
}

func eachOf(p policy.Piece) *big.Int {
	each, _ := new(big.Float).SetFloat64(p.Each).Int(nil)
	return each
}

// mean returns the mean of a law, in nanoseconds: exact where the law is.
func mean(law policy.Law) *big.Rat {
	if len(law) > policy.FewPieces {
		mean := 0.0
		for i, share := range shares(law) {
			mean += float64(share * (float64(law[i].From)/2 + float64(law[i].To())/2))
		}
		return new(big.Rat).SetFloat64(mean)
	}
	twice := new(big.Int) // a piece's mean is halfway between its ends
	for _, p := range law {
		ends := new(big.Int).Add(big.NewInt(int64(p.From)), big.NewInt(int64(p.To())))
		twice.Add(twice, ends.Mul(ends, casesOf(p)))
	}
	return new(big.Rat).SetFrac(twice, new(big.Int).Lsh(cases(law), 1))
}

// Ends returns after which attempt max_elapsed can first leave no time for another try, and after which it surely does, among the
// first n; 0 for none. The error is ErrUnknown.
func Ends(p policy.Policy, n int, elapsed time.Duration) (possibly, surely int, err error) {
	walk := newWalk(p)
	for k := 1; k <= n && surely == 0; k++ {
		w, err := walk.next()
		if err != nil {
			return 0, 0, err
		}
		if possibly == 0 && w.Total.Max > elapsed {
			possibly = k
		}
		if w.Total.Min > elapsed {
			surely = k
		}
		if possibly > 0 && w.hopeless(n-k, elapsed-w.Total.Min) {
			break
		}
	}
	return possibly, surely, nil
}

// hopeless reports whether not even n more waits surely last longer than d: the shortest wait of a law that has no closed form never
// grows.
func (w *Wait) hopeless(n int, d time.Duration) bool {
	return w.Rough && (w.Min == 0 || time.Duration(n) <= d/w.Min)
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
		before := rank.Sub(rank, big.NewInt(1)).Quo(rank, eachOf(p)).Uint64()
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
