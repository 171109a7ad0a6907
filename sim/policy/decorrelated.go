package policy

import (
	"math/bits"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Decorrelated returns the policy that draws every wait from the one before it: uniform over [base, 3·last], both ends
// included, and at most cap; the first as if after a wait of base. base must be positive; a cap of 0 means none: the waits
// then saturate at clock.Longest. The waits before are those of all attempts before, charged or not, whose draws have the
// tries before the draw's own.
//
// A policy keeps no state, so it draws the waits before again. It need not begin with the first: the longer a wait, the
// longer the next one of the same word, so once a chain that begins at base anywhere has come to the cap, the true chain is
// there too, and from there on they are one. So a wait costs at most one word an attempt, doubled by trials, and far less
// after many attempts: see BenchmarkDecorrelated.
//
// A word w makes base + ⌊w·(3·last−base+1)/2^64⌋. Unlike in rng's bounded integers none is rejected, which would break that
// order; the distribution function is off by less than 2^−64.
func Decorrelated(base, cap time.Duration) Policy {
	mustPrice("base", base)
	mustPrice("cap", cap)
	if base == 0 {
		panic("policy: waits drawn from a base of nothing")
	}
	if cap == 0 {
		cap = clock.Longest
	}
	return decorrelated{min(base, cap), cap}
}

type decorrelated struct{ base, limit time.Duration }

// Wait draws from the last wait of the job.
func (d decorrelated) Wait(f Failure, draw *rng.Draw) time.Duration {
	return d.next(d.last(f.Number-1, draw), draw)
}

// next draws the wait after one of last.
func (d decorrelated) next(last time.Duration, draw *rng.Draw) time.Duration {
	up, _ := bits.Mul64(draw.Uint64(), 3*uint64(last)-uint64(d.base)+1) // at most 3·2^62, which is below 2^64
	return time.Duration(min(uint64(d.base)+up, uint64(d.limit)))
}

// firstReach is how many waits are drawn again at the first trial.
const firstReach = 16

// last returns the wait before the one of draw, given how many there were before.
func (d decorrelated) last(before int, draw *rng.Draw) time.Duration {
	for reach := firstReach; ; reach *= 2 {
		last, sure := d.base, reach >= before
		for k := min(reach, before); k > 0; k-- {
			earlier := draw.Earlier(uint64(k))
			last = d.next(last, &earlier)
			sure = sure || last == d.limit
		}
		if sure {
			return last
		}
	}
}
