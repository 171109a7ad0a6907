package metrics

import (
	"maps"
	"math/big"
	"slices"
)

// denseAttempts is the first attempt number that is kept in a map. The map stays small: jobs that finish having used
// different numbers of tries have made about d²/2 tries by the time d numbers have been seen.
const denseAttempts = 1024

// attempts counts finished jobs by the tries they used.
type attempts struct {
	low  []finished // by number of tries
	high map[uint32]finished
}

type finished struct{ jobs, dead uint64 }

func (a *attempts) add(tries uint32, dead uint64) {
	if tries >= denseAttempts {
		f := a.high[tries]
		a.high[tries] = finished{f.jobs + 1, f.dead + dead}
		return
	}
	if int(tries) >= len(a.low) {
		a.low = append(a.low, make([]finished, int(tries)+1-len(a.low))...)
	}
	f := &a.low[tries]
	f.jobs++
	f.dead += dead
}

// remove takes back that a dead job was counted.
func (a *attempts) remove(tries uint32) {
	if tries < denseAttempts {
		a.low[tries] = a.low[tries].without()
	} else if f := a.high[tries].without(); f.jobs > 0 {
		a.high[tries] = f
	} else {
		delete(a.high, tries)
	}
}

// without returns f without one dead job.
func (f finished) without() finished { return finished{f.jobs - 1, f.dead - 1} }

// An AttemptRow counts the jobs that finished having used exactly Attempt tries.
type AttemptRow struct {
	Attempt uint32
	Jobs    uint64 // finished, the dead included; at least 1
	Dead    uint64
}

// attemptRows are in the order of Attempt.
type attemptRows []AttemptRow

func (a *attempts) rows() attemptRows {
	if a == nil {
		return nil
	}
	var rows attemptRows
	for tries, f := range a.low {
		if f.jobs > 0 {
			rows = append(rows, AttemptRow{Attempt: uint32(tries), Jobs: f.jobs, Dead: f.dead})
		}
	}
	for _, tries := range slices.Sorted(maps.Keys(a.high)) {
		f := a.high[tries]
		rows = append(rows, AttemptRow{Attempt: tries, Jobs: f.jobs, Dead: f.dead})
	}
	return rows
}

// percentile returns the number of tries of the finished job of rank ⌈p/100 · jobs⌉. There must be a row.
func (rows attemptRows) percentile(p uint64) uint32 {
	var jobs uint64
	for _, r := range rows {
		jobs += r.Jobs
	}
	rank := nearestRank(p, jobs)
	for _, r := range rows {
		if rank <= r.Jobs {
			return r.Attempt
		}
		rank -= r.Jobs
	}
	panic("metrics: rank beyond the finished jobs")
}

// mean returns the mean number of tries. There must be a row.
func (rows attemptRows) mean() *big.Rat {
	tries, jobs := new(big.Int), new(big.Int)
	for _, r := range rows {
		n := wideInt(r.Jobs)
		jobs.Add(jobs, n)
		tries.Add(tries, n.Mul(n, wideInt(uint64(r.Attempt))))
	}
	return new(big.Rat).SetFrac(tries, jobs)
}
