package engine

import (
	"math/big"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
)

func (o *oracle) begin(j *oracleJob) {
	o.seq++
	j.tries++
	j.calls++
	d := o.c.Dependency
	took, others := time.Duration(0), o.inFlight()
	j.served = 0
	switch j.cause = o.fate(j); j.cause {
	case NoCause:
		took = override(o, j, d.Latency, func(p dependency.Phase) *time.Duration { return p.Latency })
		took += time.Duration(others) * override(o, j, d.PerCall, func(p dependency.Phase) *time.Duration { return p.PerCall })
		service := o.c.Workers.Service
		if own := o.c.Cohorts[j.cohort].Service; own != nil {
			service = own
		}
		if service != nil {
			draw := o.stream.Draw(rng.Service, uint32(j.cohort), uint64(j.index), uint64(j.tries))
			took += service.Span(&draw)
		}
	case Outage, Poison, Errored:
		took = override(o, j, d.FailAfter, func(p dependency.Phase) *time.Duration { return p.FailAfter })
	}
	j.counted = j.cause != Outage && j.cause != Overload
	took += j.served
	if most := o.c.Workers.Timeout; most > 0 && took > most {
		j.cause, took = Timeout, most
	}
	j.place, j.since, j.seq = inCall, o.now+clock.Time(took), o.seq
}

const noPhase = -1

// phase returns the last of the phases in force for a cohort that say something.
func (o *oracle) phase(cohort int, at clock.Time, says func(dependency.Phase) bool) int {
	found := noPhase
	for i, p := range o.c.Dependency.Phases {
		for _, w := range p.Windows {
			if at >= w.From && at < w.To && says(p) && concerns(p.Cohorts, cohort) {
				found = i
			}
		}
	}
	return found
}

func concerns(cohorts []uint16, cohort int) bool {
	return len(cohorts) == 0 || slices.Contains(cohorts, uint16(cohort))
}

// override returns what a phase says now about a job's call, or else the base.
func override[T any](o *oracle, j *oracleJob, base T, of func(dependency.Phase) *T) T {
	if p := o.phase(j.cohort, o.now, func(p dependency.Phase) bool { return of(p) != nil }); p != noPhase {
		return *of(o.c.Dependency.Phases[p])
	}
	return base
}

// capacity returns the capacity in force for a job, and the phase that has it.
func (o *oracle) capacity(j *oracleJob, at clock.Time) (dependency.Capacity, int) {
	holder := o.phase(j.cohort, at, func(p dependency.Phase) bool { return p.Capacity != nil })
	if holder == noPhase {
		return o.c.Dependency.Capacity, holder
	}
	return o.c.Dependency.Phases[holder].Capacity, holder
}

func (o *oracle) fate(j *oracleJob) Cause {
	d := o.c.Dependency
	for _, w := range d.Outages {
		if o.now >= w.From && o.now < w.To && concerns(w.Cohorts, j.cohort) {
			return dependency.Outage
		}
	}
	capacity, holder := o.capacity(j, o.now)
	if !o.admits(capacity, o.admitted[holder], o.now) {
		return dependency.Overload
	}
	o.admitted[holder] = append(o.admitted[holder], o.now)
	if servers, ok := capacity.(*dependency.Servers); ok {
		o.serve(j, servers)
	}
	if o.c.Cohorts[j.cohort].Poison {
		return dependency.Poison
	}
	rate := override(o, j, d.ErrorRate, func(p dependency.Phase) *rng.Probability { return p.ErrorRate })
	if coin := o.stream.Draw(rng.Error, uint32(j.cohort), uint64(j.index), uint64(j.tries)); coin.Chance(rate) {
		return dependency.Errored
	}
	return NoCause
}

// admits judges a call of an instant by all that a capacity has admitted before.
func (o *oracle) admits(capacity dependency.Capacity, before []clock.Time, now clock.Time) bool {
	switch c := capacity.(type) {
	case dependency.PerWindow:
		n := 0
		for _, at := range before {
			if at/clock.Time(c.Per) == now/clock.Time(c.Per) {
				n++
			}
		}
		return n < int(c.Count)
	case dependency.TokenBucket: // in parts of a token
		token := big.NewInt(int64(c.Rate.Per))
		full := new(big.Int).Mul(token, new(big.Int).SetUint64(c.Burst))
		level, since := new(big.Int).Set(full), clock.Time(0)
		fill := func(at clock.Time) {
			gain := new(big.Int).Mul(big.NewInt(int64(at-since)), big.NewInt(c.Rate.Count))
			if level.Add(level, gain).Cmp(full) > 0 {
				level.Set(full)
			}
			since = at
		}
		for _, at := range before {
			fill(at)
			level.Sub(level, token)
		}
		fill(now)
		return level.Cmp(token) >= 0
	case dependency.Concurrency:
		return o.inFlight() < int(c)
	case *dependency.Servers:
		return o.hasRoom(c, now)
	}
	return true
}

// hint returns how long it takes until another call of a refused job would be admitted, as it is told; 0 for nothing.
func (o *oracle) hint(j *oracleJob) time.Duration {
	if !override(o, j, o.c.Dependency.Tells, func(p dependency.Phase) *bool { return p.Tells }) {
		return 0
	}
	for from := o.now; from < clock.End; from = o.nextPhase(from) {
		capacity, holder := o.capacity(j, from)
		before, until := o.admitted[holder], o.nextPhase(from)
		instants := []clock.Time{from}
		switch c := capacity.(type) {
		case dependency.Concurrency: // it takes a call that ends
			return o.tell(j, from)
		case dependency.PerWindow:
			instants = append(instants, from.Floor(c.Per).Add(c.Per))
		case dependency.TokenBucket: // once there is a token it stays there
			low, high := from, until
			for low < high {
				if at := low + (high-low)/2; o.admits(c, before, at) {
					high = at
				} else {
					low = at + 1
				}
			}
			instants = append(instants, low)
		case *dependency.Servers:
			for at := from; at < until; at = o.nextChange(c, at) {
				instants = append(instants, at)
			}
		}
		for _, at := range instants {
			if at < until && o.admits(capacity, before, at) {
				return o.tell(j, at)
			}
		}
	}
	return 0
}

func (o *oracle) tell(j *oracleJob, at clock.Time) time.Duration {
	if at > o.now {
		o.note(Told, j, at, j.attempt)
	}
	return at.Sub(o.now)
}

// nextPhase returns the next instant at which a phase begins or ends; clock.End if none does.
func (o *oracle) nextPhase(after clock.Time) clock.Time {
	next := clock.End
	for _, p := range o.c.Dependency.Phases {
		for _, w := range p.Windows {
			for _, at := range []clock.Time{w.From, w.To} {
				if at > after {
					next = min(next, at)
				}
			}
		}
	}
	return next
}
