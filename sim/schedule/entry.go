package schedule

import "herdsim/sim/clock"

// A Job is all that the engine knows of a live job. It travels with the job from place to place, so that nobody ever has to
// look it up: a million jobs are never touched in a random order. It is packed into three words because four words with an
// entry's instant are what the compiler still keeps in registers.
type Job struct {
	Arrival clock.Time // or a mark
	name    uint64     // number, index
	state   uint64     // attempt, cohort, whether marked, whether revived, whether it holds a place, cause
}

// NewJob returns a job before its first attempt: the number-th to arrive of all, and the index-th of its cohort.
func NewJob(arrival clock.Time, number, index uint32, cohort uint16) Job {
	return Job{arrival, uint64(number)<<32 | uint64(index), uint64(cohort) << 16}
}

// Number returns the order of arrival.
func (j Job) Number() uint32 { return uint32(j.name >> 32) }

// Index returns the index in the cohort.
func (j Job) Index() uint32 { return uint32(j.name) }

// Cohort returns the index of the cohort.
func (j Job) Cohort() uint16 { return uint16(j.state >> 16) }

// Attempt returns the attempt under way, or to come; 0 before the first.
func (j Job) Attempt() uint32 { return uint32(j.state >> 32) }

// Cause returns what WithCause noted.
func (j Job) Cause() uint8 { return uint8(j.state) &^ holding }

// Next returns the job before its next attempt.
func (j Job) Next() Job {
	j.state += 1 << 32
	return j
}

// Previous returns the job as it was before Next.
func (j Job) Previous() Job {
	j.state -= 1 << 32
	return j
}

// revived marks a job that is not in its first life.
const revived = 1 << 8

// Revived returns the dead job before the first attempt of its next life, which is counted from 1 when afresh.
func (j Job) Revived(afresh bool) Job {
	if afresh {
		j.state &= 1<<32 - 1
	}
	j.state |= revived
	return j.Next().WithCause(0)
}

// Again reports whether the job has been dead before.
func (j Job) Again() bool { return j.state&revived != 0 }

const marked = 1 << 9

// WithMark returns the job with a mark, above 0, in the place of its arrival: for whoever knows that from elsewhere, and has
// several of one job to tell apart.
func (j Job) WithMark(mark uint32) Job {
	j.Arrival = clock.Time(mark)
	j.state |= marked
	return j
}

// Mark returns the job's mark, 0 for none.
func (j Job) Mark() uint32 {
	if j.state&marked == 0 {
		return 0
	}
	return uint32(j.Arrival)
}

// holding marks a job whose call is counted among those in flight.
const holding = 1 << 7

// Holding returns the job with a note that its call holds a place at the dependency. WithCause takes the note back.
func (j Job) Holding() Job {
	j.state |= holding
	return j
}

// Holds reports whether the job's call holds a place at the dependency.
func (j Job) Holds() bool { return j.state&holding != 0 }

// WithCause returns the job with a note, below 128, of how its call ends.
func (j Job) WithCause(c uint8) Job {
	j.state = j.state&^0xff | uint64(c)
	return j
}

// An Entry is a job and the instant that belongs to the place where it is: on the schedule its due instant, among the
// pending that since when, among the calls that of the end.
type Entry struct {
	At clock.Time
	Job
}
