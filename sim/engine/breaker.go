package engine

import (
	"time"

	"herdsim/sim/clock"
)

// A BreakerRule stops the attempts of all jobs of a policy after too many failures in too short a time.
type BreakerRule struct {
	Failures   int           // it opens at the last of so many failures,
	Within     time.Duration // of which the first lies less than this before the last
	Open       time.Duration // how long it refuses every attempt
	Probes     int           // attempts that it lets through then; it closes when all of them have succeeded, opens when one fails
	PerWorker  bool          // every worker has its own; otherwise all share one
	AtSchedule bool          // it puts retries off when they would be scheduled, and refuses nothing
}

// A breaker is a BreakerRule at work.
type breaker struct {
	BreakerRule
	failures []clock.Time // the last of them; once there are enough, a ring whose oldest is at next
	next     int
	open     bool
	until    clock.Time // when open: the instant from which it lets probes through
	round    uint32     // how often it has opened: probes of an earlier round prove nothing
	begun    int        // probes of this round
	good     int        // of them, those that have succeeded
}

// refuses reports whether an attempt may not begin now.
func (b *breaker) refuses(now clock.Time) bool {
	return b.open && (now < b.until || b.begun == b.Probes)
}

// begin takes note of an attempt that begins: a probe, if the breaker is open.
func (b *breaker) begin(r *record) {
	r.probe = 0
	if b.open {
		b.begun++
		r.probe = b.round
	}
}

// postponed returns when a retry may run that would be due then: unchanged while the breaker is closed; of those scheduled
// while it is open, the first are the probes, and run no sooner than probes may; the others run later by another span.
func (b *breaker) postponed(now, due clock.Time, r *record) clock.Time {
	r.probe = 0
	switch {
	case !b.open:
		return due
	case b.begun < b.Probes:
		b.begin(r)
		return max(due, b.until)
	}
	return max(due, max(now, b.until).Add(b.Open))
}

// succeeded takes note of an attempt that succeeded.
func (b *breaker) succeeded(r *record) {
	if !b.probed(r) {
		return
	}
	if b.good++; b.good == b.Probes {
		b.open = false
	}
}

// failed takes note of an attempt whose call failed.
func (b *breaker) failed(now clock.Time, r *record) {
	if b.open {
		if b.probed(r) {
			b.trip(now)
		}
		return
	}
	if len(b.failures) < b.Failures {
		b.failures = append(b.failures, now)
	} else {
		b.failures[b.next] = now
		b.next = (b.next + 1) % b.Failures
	}
	if len(b.failures) == b.Failures && now.Sub(b.failures[b.next]) < b.Within {
		b.trip(now)
	}
}

// probed reports whether an attempt was a probe of this round.
func (b *breaker) probed(r *record) bool { return b.open && r.probe == b.round }

// trip opens the breaker.
func (b *breaker) trip(now clock.Time) {
	b.open, b.until = true, min(now.Add(b.Open), clock.End-1)
	b.round++
	b.begun, b.good = 0, 0
	b.failures, b.next = b.failures[:0], 0
}
