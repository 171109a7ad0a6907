package engine

import (
	"cmp"
	"slices"
	"time"

	"herdsim/sim/clock"
)

// oracleJob is where a job is: a copy of it where there are several, which share the rest.
type oracleJob struct {
	*oracleRecord
	oracleCopy
	place   place
	since   clock.Time // due, pending since, or end of the call
	seq     int        // where it joined the pending, or when its call began
	attempt int
	calls   int // of the attempt
	layer   int // that tries again
	cause   Cause
	counted bool          // its call is in flight at the dependency
	served  time.Duration // how long its call waits for a server and is served
}

type oracleRecord struct {
	arrival
	number  int
	charged int // failures that spent budget
	tries   int // calls

	attempts int // of all lives, refused ones too
	again    bool
	born     clock.Time // from when its age counts
	died     clock.Time
	goes     clock.Time // when a replay brings it back
	probe    int
	paid     bool
	worker   int // that runs or ran this attempt
	stalls   int
}

// oracleCopy is what makes a delivery of an attempt: a claim, a lease, a worker.
type oracleCopy struct {
	try    *oracleTry
	copy   bool // it has been claimed, or delivered once more
	hands  int  // of the worker that runs or holds it, or did
	runs   bool
	due    clock.Time // until which it was to be held
	lease  clock.Time // 0 for none so far
	leased bool
}

// oracleTry is what the copies of one attempt share.
type oracleTry struct {
	called, counted, settled bool
	again                    bool // settled in a life that was not the first
}

func newCopyOf(try *oracleTry) oracleCopy {
	if try == nil {
		try = &oracleTry{}
	}
	return oracleCopy{try: try, hands: nobody}
}

// another returns another copy of a job.
func (o *oracle) another(j *oracleJob, try *oracleTry) *oracleJob {
	k := *j
	k.oracleCopy = newCopyOf(try)
	o.jobs = append(o.jobs, &k)
	return &k
}

// lowest returns the worker of the lowest number that is there and accepted; nobody if there is none.
func (o *oracle) lowest(accept func(worker int) bool) int {
	for w := range o.c.Workers.Count {
		if _, away := o.away[w]; !away && accept(w) {
			return w
		}
	}
	return nobody
}

func (o *oracle) anyone(int) bool { return true }

// waits puts a job where it waits: on the schedule, or in the hands of a worker.
func (o *oracle) waits(j *oracleJob, due clock.Time, worker int) {
	j.oracleCopy = newCopyOf(nil)
	o.waitsFor(j, due, worker)
}

func (o *oracle) waitsFor(j *oracleJob, due clock.Time, worker int) {
	j.place, j.since = scheduled, due
	if worker == nobody && o.c.Workers.Count > 0 {
		worker = o.lowest(o.anyone)
	}
	if !o.c.Queue.HeldByWorker || worker == nobody && o.c.Workers.Count > 0 {
		return
	}
	j.copy, j.hands, j.due = true, max(worker, 0), due
	o.leaseTo(j)
}

// leaseTo starts a copy's lease, unless it has had one or workers renew it.
func (o *oracle) leaseTo(j *oracleJob) {
	if q := o.c.Queue; q.Visibility > 0 && !q.RenewLease && j.lease == 0 {
		j.lease, j.leased = o.now+clock.Time(q.Visibility), true
	}
}

// busy reports whether a job's key is.
func (o *oracle) busy(j *oracleJob) bool {
	key := o.c.Cohorts[j.cohort].Key
	return key != "" && slices.ContainsFunc(o.jobs, func(k *oracleJob) bool {
		return k.runs && k.place != lost && o.c.Cohorts[k.cohort].Key == key
	})
}

// claimed gives a job to a worker and returns the kind of its beginning.
func (o *oracle) claimed(j *oracleJob, worker int) Kind {
	kind := Began
	if j.try.called {
		kind = Duplicated
	} else if !j.try.settled {
		j.worker = worker
	}
	o.count(j)
	j.copy, j.runs, j.try.called = true, true, true
	o.leaseTo(j)
	j.hands = worker
	return kind
}

// count counts an attempt once, whatever becomes of its copies.
func (o *oracle) count(j *oracleJob) {
	if !j.try.counted && !j.try.settled {
		j.try.counted = true
		j.attempts++
	}
}

// ignores tells of a call that ended and decides nothing. If it decides, its attempt is settled.
func (o *oracle) ignores(j *oracleJob) bool {
	j.runs = false
	if j.try.settled {
		o.note(Ignored, j, 0, j.attempt).Cause = j.cause
		j.place = gone
		return true
	}
	j.try.settled, j.try.again = true, j.again
	if j.hands != nobody {
		j.worker = j.hands
	}
	j.oracleCopy = newCopyOf(nil)
	return false
}

// nextLoss returns when a worker next crashes or returns, or a lease ends, unless the run is over.
func (o *oracle) nextLoss(otherwise clock.Time) clock.Time {
	next := clock.End
	if otherwise >= o.c.Stop && o.over() {
		return next
	}
	for _, c := range o.c.Workers.Crashes {
		if c.At > o.now {
			next = min(next, c.At)
		}
	}
	for _, at := range o.away {
		next = min(next, at)
	}
	for _, j := range o.jobs {
		if j.leased && !j.try.settled && j.place != gone {
			next = min(next, j.lease)
		}
	}
	return next
}

// crash lets workers crash and then return.
func (o *oracle) crash() {
	if o.away == nil {
		o.away = map[int]clock.Time{}
	}
	for _, c := range o.c.Workers.Crashes {
		for range c.Workers {
			if w := o.lowest(o.anyone); c.At == o.now && w != nobody {
				o.away[w] = o.now.Add(c.For)
			}
		}
	}
	var gone []*oracleJob
	for _, j := range o.jobs {
		if _, away := o.away[j.hands]; away && (j.place == inCall || j.place == lingering || j.place == scheduled) {
			gone = append(gone, j)
		}
	}
	slices.SortStableFunc(gone, func(a, b *oracleJob) int {
		switch {
		case a.number != b.number:
			return cmp.Compare(a.number, b.number)
		case a.runs && b.runs:
			return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.seq, b.seq))
		case a.runs:
			return -1
		case b.runs:
			return 1
		}
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.lease, b.lease))
	})
	for _, j := range gone {
		o.lose(j)
	}
	for w, at := range o.away {
		if at == o.now {
			delete(o.away, w)
		}
	}
}

// over reports whether nothing is left to do for any job.
func (o *oracle) over() bool {
	return !slices.ContainsFunc(o.jobs, func(j *oracleJob) bool {
		return j.place != gone && (j.place != lost && j.place != vanished || !j.try.settled)
	})
}

// lose leaves nothing of a copy but its lease.
func (o *oracle) lose(j *oracleJob) {
	j.place = gone
	if q := o.c.Queue; q.RenewLease && q.Visibility > 0 {
		j.lease, j.leased = o.now+clock.Time(q.Visibility), true
	}
	until := clock.Time(0)
	if j.leased && !j.try.settled {
		j.place, until = lost, j.lease
	} else {
		j.runs = false
		if !j.try.settled {
			j.place = vanished
		}
	}
	o.note(Lost, j, until, j.attempt)
}

// expire ends the leases that end now, by job number: no job has two.
func (o *oracle) expire() {
	for _, j := range slices.SortedFunc(slices.Values(o.jobs), func(a, b *oracleJob) int { return cmp.Compare(a.number, b.number) }) {
		if !j.leased || j.try.settled || j.place == gone || j.lease != o.now {
			continue
		}
		j.leased = false
		j.stalls++
		due := max(j.due, o.now)
		switch {
		case j.place == lost && j.runs:
			o.forfeit(j, Crash, due)
		case o.c.Queue.LeaseFails || o.deadly(j):
			o.forfeit(j, Timeout, due)
		default:
			o.note(Redelivered, j, due, j.attempt)
			k := o.another(j, j.try)
			if due > o.now {
				o.waitsFor(k, due, nobody)
			} else {
				k.copy = true
				o.queue(k)
			}
		}
		if j.place == lost {
			j.place, j.runs = gone, false
		}
	}
}

// deadly reports whether a job has stalled too often.
func (o *oracle) deadly(j *oracleJob) bool {
	return o.c.Queue.DeadlyStall > 0 && j.stalls >= o.c.Queue.DeadlyStall
}

// forfeit lets the attempt of a copy fail whose lease has ended.
func (o *oracle) forfeit(j *oracleJob, cause Cause, due clock.Time) {
	o.count(j)
	j.try.settled, j.try.again = true, j.again
	if j.hands != nobody {
		j.worker = j.hands
	}
	k := o.another(j, nil)
	k.cause = cause
	o.ended(k)
	o.fail(k, nobody, &due)
}
