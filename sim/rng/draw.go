// Package rng holds named random draws. A draw is addressed by what it is for, never by when it is made: the same
// job meets the same luck under every policy, and removing one job leaves every other job's draws alone.
//
// The generator is Philox4x64-10 with key (seed, replication) and counter (cohort·2^40 + index, try, purpose, draw);
// the value of a draw is word 0 of its block. NumPy gives the same words: numpy.random.Philox(key=[seed, replication],
// counter=[c0, c1, c2, c3]) steps the counter once before its first block.
package rng

import "math/bits"

// A Purpose says what a draw decides. The numbers are part of every published result: append, never reorder.
type Purpose uint64

// The purposes in use.
const (
	Jitter  Purpose = iota // a policy's wait
	Service                // a call's service time
	Error                  // the coin of the dependency's error rate
	Arrival                // a cohort's arrival process
	Sweep                  // the phase of a promotion sweep
	Layer                  // a wait between two calls of one attempt
	Server                 // the service time of the dependency's servers
)

// A Stream is the source of every draw of one replication.
type Stream struct{ keys *schedule }

// NewStream returns the source keyed by seed and replication (from 0).
func NewStream(seed, replication uint64) Stream { return Stream{newSchedule(seed, replication)} }

// A Draw yields the words of one address: cohort, index in the cohort, try and purpose. Its zero value is not useful.
type Draw struct {
	stream            Stream
	who, try, purpose uint64
	next              uint64
}

// Draw addresses a draw. index is below 2^40; try counts the calls of the job's life from 1 (0 where no call is concerned).
func (s Stream) Draw(purpose Purpose, cohort uint32, index uint64, try uint64) Draw {
	return Draw{stream: s, who: uint64(cohort)<<40 + index, try: try, purpose: uint64(purpose)}
}

// Readdress moves d to the same purpose of another job or try; see Stream.Draw.
func (d *Draw) Readdress(cohort uint32, index uint64, try uint64) {
	d.who, d.try, d.next = uint64(cohort)<<40+index, try, 0
}

// Follow moves d to the job and the try of other, and keeps d's purpose.
func (d *Draw) Follow(other *Draw) { d.who, d.try, d.next = other.who, other.try, 0 }

// Earlier returns the draw of the same job and purpose k tries earlier, k below the draw's own try. d stays as it is.
func (d *Draw) Earlier(k uint64) Draw {
	earlier := *d
	earlier.try, earlier.next = d.try-k, 0
	return earlier
}

// index returns the index in the cohort of the job that d is about.
func (d *Draw) index() uint64 { return d.who & (1<<40 - 1) }

// Uint64 returns the next word: uniform over all 64-bit values.
func (d *Draw) Uint64() uint64 {
	w := d.stream.keys.word(d.who, d.try, d.purpose, d.next)
	d.next++
	return w
}

// Below returns a uniform integer in [0, n), n > 0, by Lemire's multiplication with rejection ("Fast random integer
// generation in an interval", 2019, algorithm 5). It grows with the word drawn, so policies that share a draw share its rank.
func (d *Draw) Below(n uint64) uint64 {
	hi, lo := bits.Mul64(d.Uint64(), n)
	if lo < n {
		for reject := -n % n; lo < reject; {
			hi, lo = bits.Mul64(d.Uint64(), n)
		}
	}
	return hi
}

// A Probability is counted in parts per 2^63, so that both 0 and 1 are exact.
type Probability uint64

// Certain is the probability 1.
const Certain Probability = 1 << 63

// Chance reports whether an event of probability p happens.
func (d *Draw) Chance(p Probability) bool { return d.Uint64()>>1 < uint64(p) }
