package result

import "time"

// Letters are those of the jobs that are dead at the end of one run, by the instant of death, then by job. They are no part
// of a Result, which would grow with the jobs.
type Letters struct {
	Set         Settings
	Policy      string
	Replication int // from 0
	Letters     []Letter
}

// A Letter says how a job died. Instants are counted from the start of the run.
type Letter struct {
	Job      uint32 // number: the order of arrival, from 0
	Attempts uint32 // of all its lives
	Cohort   string
	Cause    string // of the last failure; empty when the job died for want of a token
	Reason   string
	Arrived  time.Duration
	Died     time.Duration // for the last time
	Kept     bool          // the letter is still there
	Payload  uint64        // bytes of the job's payload; 0 when it was not said
	Dropped  time.Duration // when it was dropped, unless it was kept
}
