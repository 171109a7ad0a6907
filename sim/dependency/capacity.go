package dependency

import (
	"herdsim/sim/clock"
	"herdsim/sim/tokens"
)

// A Capacity is a limit on the calls that are admitted. Values of the same kind and numbers are equal.
type Capacity interface {
	// Sustained returns the rate at which calls are admitted in the long run; false when no rate limits them.
	Sustained() (clock.Rate, bool)
	// start returns the capacity at work for a service, before any call.
	start(s *shared) *limit
}

// PerWindow admits the first Count calls of each aligned window [k·Per, (k+1)·Per).
type PerWindow clock.Rate

// Sustained returns the rate itself.
func (c PerWindow) Sustained() (clock.Rate, bool) { return clock.Rate(c), true }

func (c PerWindow) start(*shared) *limit { return &limit{source: c} }

// A TokenBucket holds Burst tokens at the start and gains them evenly at Rate while it is not full. A call takes a whole
// token or is refused.
type TokenBucket struct {
	Rate  clock.Rate
	Burst uint64
}

// Sustained returns the rate at which tokens come.
func (c TokenBucket) Sustained() (clock.Rate, bool) { return c.Rate, true }

func (c TokenBucket) start(*shared) *limit {
	return &limit{left: c.Burst, source: &bucket{tokens.Timed(c.Burst, c.Rate)}}
}

// Concurrency refuses a call that begins while so many admitted ones have not ended.
type Concurrency uint64

// Sustained reports that there is no rate: it depends on how long the calls take.
func (c Concurrency) Sustained() (clock.Rate, bool) { return clock.Rate{}, false }

func (c Concurrency) start(s *shared) *limit {
	return &limit{source: slots{uint64(c), &s.inFlight}}
}

// A limit is a capacity at work. It is asked in the order of time, and asks its source only now and then.
type limit struct {
	left  uint64     // calls that are admitted
	until clock.Time // before this instant; then the source is asked again
	source
	servers *servers // who have to take the call then; nil for none
}

// served reports whether an admitted call is one for servers.
func (l *limit) served() bool { return l != nil && l.servers != nil }

// A source says how many calls are admitted from now on, and until when that holds if calls begin and nothing else happens.
// Of what it said before, left are left.
type source interface {
	grant(now clock.Time, left uint64) (calls uint64, until clock.Time)
	// next returns the first instant, at or later, at which a call is admitted if none is before; clock.End if none ever is,
	// and at if time alone does not tell.
	next(at clock.Time, l *limit) clock.Time
}

// next is its source's or its servers', as the last call left it.
func (l *limit) next(at clock.Time) clock.Time {
	if l.served() {
		return l.servers.next(at)
	}
	return l.source.next(at, l)
}

// grant implements source: a window forgets those before it.
func (c PerWindow) grant(now clock.Time, _ uint64) (calls uint64, until clock.Time) {
	return uint64(c.Count), now.Floor(c.Per).Add(c.Per)
}

// next implements source: the next window, when this one is spent.
func (c PerWindow) next(at clock.Time, l *limit) clock.Time {
	switch {
	case c.Count == 0:
		return clock.End
	case l.left == 0 && at < l.until:
		return l.until
	}
	return at
}

// A bucket is a TokenBucket at work.
type bucket struct{ tokens.Store }

// grant implements source. It wants to be asked in every instant: a bucket that is full loses what comes until a call does.
func (b *bucket) grant(now clock.Time, left uint64) (calls uint64, until clock.Time) {
	b.Tokens = left
	b.Refill(now)
	return b.Tokens, now + 1
}

// next implements source: the next token.
func (b *bucket) next(at clock.Time, l *limit) clock.Time {
	if l.left > 0 {
		return at
	}
	return max(at, b.Next())
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

// next implements source: it takes a call that ends.
func (s slots) next(at clock.Time, _ *limit) clock.Time { return at }
