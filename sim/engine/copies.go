package engine

import (
	"cmp"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// copies are what workers have claimed, in a run in which more can become of that than a call that ends: leases end, workers
// crash or hold what waits, or jobs of one key never run together.
//
// A copy is one delivery of one attempt. A job that nobody has claimed yet needs none: its entry, wherever it is, has no mark.
// That of a copy is marked with the place of the copy here, until its call has ended.
type copies struct {
	visibility time.Duration // how long a lease lasts; 0: none is given
	renew      bool          // leases last while the worker does
	fails      bool          // the end of a lease is a failure
	hold       bool          // workers hold what waits
	stalls     int           // of a job, the last of them its death; 0 for no limit

	all      shelf[delivery]
	attempts shelf[attempt]
	current  table[uint32] // by job number: the attempt of which there are copies and none has ended; 0 for none
	claimed  int           // jobs that have one
	lost     int           // copies that are gone with their worker, but for the lease
	gone     int           // jobs of which nothing is left
	leases   [2]uint32     // the first and the last lease to end
	by       int           // whose call has just ended
}

// A delivery is one copy.
type delivery struct {
	schedule.Job            // without a mark
	due          clock.Time // until which it is held
	attempt      uint32
	next         uint32 // of the same attempt, unless that is settled
	worker       int
	runs         bool
	calls        uint32 // so far
	lost         bool   // its worker crashed

	lease         clock.Time // when it ends or has ended; 0 when it was never given
	leased        bool       // it has not ended
	before, after uint32     // neighbours in the order of leases
}

// An attempt is what copies of one attempt share.
type attempt struct {
	first   uint32 // copy, the last that was made
	copies  int
	called  bool
	counted bool // among those that the job has made
	settled bool // a copy's call has ended, or a lease has failed
}

// keyed reports whether there are jobs that never run together.
func (c *Config) keyed() bool {
	return slices.ContainsFunc(c.Cohorts, func(c Cohort) bool { return c.Key != "" })
}

// newCopies returns nil when every claim ends by its call.
func newCopies(c *Config) *copies {
	q := &c.Queue
	leases := q.Visibility > 0 && !q.RenewLease // those that are renewed end after crashes alone
	if !leases && !q.HeldByWorker && len(c.Workers.Crashes) == 0 && !c.keyed() {
		return nil
	}
	return &copies{
		visibility: q.Visibility, renew: q.RenewLease, fails: q.LeaseFails, hold: q.HeldByWorker, stalls: q.DeadlyStall,
		all: newShelf[delivery](), attempts: newShelf[attempt](), by: nobody,
	}
}

// any reports whether there are copies that will be called, or whose lease will end.
func (c *copies) any() bool { return c != nil && c.all.len() > 0 }

func (c *copies) at(mark uint32) *delivery { return &c.all.items[mark] }

// spent reports whether a copy's attempt is settled.
func (c *copies) spent(mark uint32) bool { return c.attempts.items[c.at(mark).attempt].settled }

// count counts a copy's attempt among those that its job has made, unless that was done for another copy.
func (c *copies) count(mark uint32, r *record) {
	if a := &c.attempts.items[c.at(mark).attempt]; !a.counted && !a.settled {
		a.counted = true
		r.attempts++
	}
}

// refused notes that a worker has claimed a copy whose attempt a breaker refuses.
func (c *copies) refused(mark uint32, r *record) {
	d := c.at(mark)
	d.worker, d.runs = r.worker, true
	c.count(mark, r)
}

// arrive makes room for the job that arrives.
func (c *copies) arrive() { c.current.add(0) }

// add makes a copy of a job, which must not be marked, and returns its mark.
func (c *copies) add(j schedule.Job, due clock.Time) uint32 {
	current := c.current.at(j.Number())
	if *current == 0 {
		*current = c.attempts.add(attempt{})
		c.claimed++
	}
	a := &c.attempts.items[*current]
	a.copies++
	mark := c.all.add(delivery{Job: j, due: due, attempt: *current, next: a.first, worker: nobody})
	a.first = mark
	return mark
}

// drop forgets a copy.
func (c *copies) drop(mark uint32) {
	d := c.at(mark)
	c.endLease(mark)
	if d.lost {
		c.lost--
	}
	a := &c.attempts.items[d.attempt]
	if !a.settled {
		link := &a.first
		for *link != mark {
			link = &c.at(*link).next
		}
		*link = d.next
		if a.first == 0 {
			*c.current.at(d.Number()) = 0
			c.claimed--
		}
	}
	a.copies--
	if a.copies == 0 {
		c.attempts.remove(d.attempt)
	}
	c.all.remove(mark)
}

// settle ends a job's attempt: what is left of its copies changes nothing any more, and is never delivered again.
func (c *copies) settle(number uint32) {
	current := c.current.at(number)
	id := *current
	a := &c.attempts.items[id]
	a.settled = true
	*current = 0
	c.claimed--
	for mark := a.first; mark != 0; mark = c.at(mark).next {
		c.endLease(mark)
		if c.at(mark).lost {
			c.lost--
			a.copies--
			c.all.remove(mark)
		}
	}
	if a.copies == 0 {
		c.attempts.remove(id)
	}
}

// startLease gives a copy the lease that will be the last to end.
func (c *copies) startLease(mark uint32, now clock.Time) {
	d := c.at(mark)
	d.lease, d.leased = min(now.Add(c.visibility), clock.End-1), true
	d.before, d.after = c.leases[1], 0
	if d.before == 0 {
		c.leases[0] = mark
	} else {
		c.at(d.before).after = mark
	}
	c.leases[1] = mark
}

// endLease takes a copy's lease away, if it has one.
func (c *copies) endLease(mark uint32) {
	d := c.at(mark)
	if !d.leased {
		return
	}
	d.leased = false
	if d.before == 0 {
		c.leases[0] = d.after
	} else {
		c.at(d.before).after = d.after
	}
	if d.after == 0 {
		c.leases[1] = d.before
	} else {
		c.at(d.after).before = d.before
	}
}

// byLease orders entries by instant, job number and the end of their lease, which tells held copies of one attempt apart.
func (c *copies) byLease(a, b schedule.Entry) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Number(), b.Number()), cmp.Compare(c.at(a.Mark()).lease, c.at(b.Mark()).lease))
}

// A shelf keeps items at places that do not change, from 1.
type shelf[T any] struct {
	items []T
	free  []uint32
}

func newShelf[T any]() shelf[T] { return shelf[T]{items: make([]T, 1)} }

func (s *shelf[T]) len() int { return len(s.items) - 1 - len(s.free) }

func (s *shelf[T]) add(x T) uint32 {
	if n := len(s.free); n > 0 {
		place := s.free[n-1]
		s.free = s.free[:n-1]
		s.items[place] = x
		return place
	}
	s.items = append(s.items, x)
	return uint32(len(s.items) - 1)
}

func (s *shelf[T]) remove(place uint32) { s.free = append(s.free, place) }
