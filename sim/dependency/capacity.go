package dependency

import (
	"math/bits"

	"herdsim/sim/clock"
)

// A Capacity is a limit on the calls that are admitted. Values of the same kind and numbers are equal.
type Capacity interface {
	// Sustained returns the rate at which calls are admitted in the long run; false when no rate limits them.
	Sustained() (clock.Rate, bool)
	// start returns the capacity at work, before any call. inFlight will say how many admitted calls have not ended.
	start(inFlight *uint64) *limit
}

// PerWindow admits the first Count calls of each aligned window [k·Per, (k+1)·Per).
type PerWindow clock.Rate

// Sustained returns the rate itself.
func (c PerWindow) Sustained() (clock.Rate, bool) { return clock.Rate(c), true }

func (c PerWindow) start(*uint64) *limit { return &limit{source: c} }

// A TokenBucket holds Burst tokens at the start and gains them evenly at Rate while it is not full. A call takes a whole
// token or is refused.
type TokenBucket struct {
	Rate  clock.Rate
	Burst uint64
}

// Sustained returns the rate at which tokens come.
func (c TokenBucket) Sustained() (clock.Rate, bool) { return c.Rate, true }

func (c TokenBucket) start(*uint64) *limit {
	return &limit{left: c.Burst, source: &bucket{TokenBucket: c}}
}

// Concurrency refuses a call that begins while so many admitted ones have not ended.
type Concurrency uint64

// Sustained reports that there is no rate: it depends on how long the calls take.
func (c Concurrency) Sustained() (clock.Rate, bool) { return clock.Rate{}, false }

func (c Concurrency) start(inFlight *uint64) *limit {
	return &limit{source: slots{uint64(c), inFlight}}
}

// A limit is a capacity at work. It is asked in the order of time, and asks its source only now and then.
type limit struct {
	left  uint64     // calls that are admitted
	until clock.Time // before this instant; then the source is asked again
	source
}

// A source says how many calls are admitted from now on, and until when that holds if calls begin and nothing else happens.
// Of what it said before, left are left.
type source interface {
	grant(now clock.Time, left uint64) (calls uint64, until clock.Time)
}

// grant implements source: a window forgets those before it.
func (c PerWindow) grant(now clock.Time, _ uint64) (calls uint64, until clock.Time) {
	return uint64(c.Count), now.Floor(c.Per).Add(c.Per)
}

// A bucket is exact: what is short of a token is kept in parts of which Rate.Per make one, and each nanosecond brings
// Rate.Count of them.
type bucket struct {
	TokenBucket
	parts uint64
	at    clock.Time // up to which it is refilled
}

// grant implements source. It wants to be asked in every instant: a bucket that is full loses what comes until a call does.
func (b *bucket) grant(now clock.Time, tokens uint64) (calls uint64, until clock.Time) {
	hi, lo := bits.Mul64(uint64(now-b.at), uint64(b.Rate.Count))
	lo, carry := bits.Add64(lo, b.parts, 0)
	hi += carry
	b.at = now
	gained := ^uint64(0) // more than 64 bits hold
	if per := uint64(b.Rate.Per); hi < per {
		gained, b.parts = bits.Div64(hi, lo, per)
	}
	if gained >= b.Burst-tokens {
		b.parts = 0
		return b.Burst, now + 1
	}
	return tokens + gained, now + 1
}

// slots are full while as many calls as there are of them are in flight.
type slots struct {
	count    uint64
	inFlight *uint64
}

// grant implements source. It wants to be asked at every call, because calls end.
func (s slots) grant(clock.Time, uint64) (calls uint64, until clock.Time) {
	return s.count - min(s.count, *s.inFlight), 0
}
