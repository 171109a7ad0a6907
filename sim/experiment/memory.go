package experiment

import (
	"fmt"

	"herdsim/sim/scenario"
)

// What is taken at once, in bytes, and how much of it a run may take. A job is an entry wherever it is; a replication
// leaves six series behind.
const (
	bytesPerJob   = 32
	bytesPerBin   = 6 * 8
	mostBins      = 4096 // of the automatic width; a fixed one is checked as the run grows
	memoryAllowed = 16 << 30
)

// A MemoryError says that a scenario needs more memory than a run may take, and what to lower.
type MemoryError struct {
	What   string // a field of the scenario
	Needed uint64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the run would need about %d GiB of memory and may take %d GiB: lower %s",
		e.Needed>>30, uint64(memoryAllowed)>>30, e.What)
}

// checkMemory refuses a scenario before any memory is taken for it.
func checkMemory(f *scenario.File, letters bool) error {
	var runs, dead uint64
	for i := range f.Cases {
		s := &f.Cases[i].Scenario
		n := uint64(s.Replications) * uint64(len(s.Policies))
		runs += n
		jobs := jobsAtOnce(s)
		if need := jobs * bytesPerJob; need > memoryAllowed {
			return &MemoryError{What: "`count` of the cohorts", Needed: need}
		}
		dead += n * jobs // at most
	}
	if need := dead * bytesPerLetter; letters && need > memoryAllowed {
		return &MemoryError{What: "`count` of the cohorts or `replications`, or leave out --dead-letters", Needed: need}
	}
	if need := runs * mostBins * bytesPerBin; need > memoryAllowed {
		return &MemoryError{What: "`replications`, the matrix or the number of policies", Needed: need}
	}
	return nil
}
