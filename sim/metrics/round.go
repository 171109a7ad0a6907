package metrics

import (
	"math/big"
	"time"

	"herdsim/sim/clock"
)

// roundLimit is the last retry that has a row of its own. Later retries count everywhere else, and a term with retry=k
// reaches any of them.
const roundLimit = 1000

// A round collects the instants of the k-th retry of every job, as distances from the first of them. They come in the order of
// time, so that the last one is the longest, and the next most often falls into the same bin.
type round struct {
	first     clock.Time
	distances spans
	squares   sum192
	peak      peak

	count *uint32 // of the bin of the last distance
	end   uint64  // of that bin
}

func (r *round) add(at clock.Time) {
	if r.peak.seen == 0 {
		r.first = at
	}
	r.peak.add(at)
	d := uint64(at - r.first)
	if d >= r.end && !r.reach(d) {
		return
	}
	*r.count++
	r.distances.n++
	r.distances.max = d
	r.distances.sum.add(d)
	r.squares.addSquare(d)
}

// reach takes the bin of d, which is not that of the distance before. It reports false when d is 0, which no bin counts.
func (r *round) reach(d uint64) bool {
	if d == 0 {
		r.distances.zeros++
		return false
	}
	if r.distances.n == 0 {
		r.distances.min = d
	}
	r.count, r.end = r.distances.hist.count(d), endOf(d)
	return true
}

// A Round describes the k-th retries of all jobs.
type Round struct {
	Retry int // k
	facts roundFacts
}

type roundFacts struct {
	first     clock.Time
	distances spanFacts
	squares   sum192
	peak      peakFacts
}

func (r *round) facts() roundFacts {
	if r == nil {
		return roundFacts{}
	}
	return roundFacts{first: r.first, distances: r.distances.facts(), squares: r.squares, peak: r.peak.facts()}
}

// Count returns how many jobs had this retry; at least 1.
func (r Round) Count() uint64 { return r.facts.distances.count }

// First returns the instant at which the first of them began.
func (r Round) First() clock.Time { return r.facts.first }

// Last returns the instant at which the last of them began.
func (r Round) Last() clock.Time { return r.facts.after(r.facts.distances.max) }

// P5 returns the 5th percentile of their instants, within 0.1 % of its distance from First.
func (r Round) P5() clock.Time { return r.facts.after(r.facts.distances.p5) }

// P95 returns the 95th percentile of their instants, within 0.1 % of its distance from First.
func (r Round) P95() clock.Time { return r.facts.after(r.facts.distances.p95) }

// Mean returns the mean of their instants in seconds, exactly.
func (r Round) Mean() *big.Rat {
	mean := r.facts.distances.mean()
	return mean.Add(mean, seconds(time.Duration(r.facts.first)))
}

// SD returns the population standard deviation of their instants in seconds: √(n·Σd² − (Σd)²) / n with d the distance
// from the first, in integers throughout; the root is taken to a millionth of a nanosecond.
func (r Round) SD() *big.Rat {
	n := wideInt(r.facts.distances.count)
	sum := r.facts.distances.sum.int()
	square := new(big.Int).Mul(n, r.facts.squares.int())
	square.Sub(square, sum.Mul(sum, sum))
	const scale = 1_000_000
	root := square.Sqrt(square.Mul(square, big.NewInt(scale*scale)))
	return inSeconds(new(big.Rat).SetFrac(root, n.Mul(n, big.NewInt(scale))))
}

// Peak returns the most of them in any window of Spec.Window, per second, exactly.
func (r Round) Peak() *big.Rat { return r.facts.peak.rate() }

func (f *roundFacts) after(distance uint64) clock.Time { return f.first + clock.Time(distance) }
