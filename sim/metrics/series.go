package metrics

import (
	"fmt"
	"slices"
	"time"

	"herdsim/sim/clock"
)

// Bins of a series: how many at most when the recorder picks their width, and when the scenario fixes it.
const (
	autoBins  = 4096
	fixedBins = 100_000
)

// A BinError says that metrics.bin is too narrow for the run.
type BinError struct {
	Bin     time.Duration
	Reached clock.Time // the instant that needs more bins than are allowed
}

func (e *BinError) Error() string {
	return fmt.Sprintf("bins of %v would be more than %d by %v", e.Bin, fixedBins, time.Duration(e.Reached))
}

// A mark is what had happened by the end of a bin. Counts of a bin are the differences of neighbouring marks, so that
// counting costs nothing per event and two bins merge by forgetting the mark between them.
type mark struct {
	retries, calls, succeeded, failed, dead int64
	backlog                                 int64 // at that instant
	lost                                    int64 // of the dead those that no recovery would have saved: by poison or the error coin
}

// bins take the marks of a run.
type bins struct {
	width uint64
	fixed bool
	end   uint64 // of the bin that is open; unsigned, as it may pass clock.End
	marks []mark // of the closed bins
	err   *BinError
}

func newBins(bin time.Duration) *bins {
	if bin > 0 {
		return &bins{width: uint64(bin), fixed: true, end: uint64(bin)}
	}
	return &bins{width: uint64(time.Second), end: uint64(time.Second)}
}

// reach closes the bins that end at or before at; now is the mark just before it.
func (b *bins) reach(at clock.Time, now mark) {
	if b.widen(at, 0) {
		b.close(uint64(at)/b.width, now)
	}
}

// finish closes every bin up to the last event's, and to the end of the run.
func (b *bins) finish(last, end clock.Time, now mark) {
	if b.widen(last, end) {
		b.close(b.needed(last, end), now)
	}
}

// needed returns how many bins hold the events up to last and cover [0, end).
func (b *bins) needed(last, end clock.Time) uint64 {
	return max(uint64(last)/b.width+1, (uint64(end)+b.width-1)/b.width)
}

// widen doubles the bins until few enough are needed, forgetting every other mark. It reports whether that was possible.
func (b *bins) widen(last, end clock.Time) bool {
	if b.fixed && b.needed(last, end) > fixedBins && b.err == nil {
		b.err = &BinError{Bin: time.Duration(b.width), Reached: max(last, end)}
	}
	for !b.fixed && b.needed(last, end) > autoBins {
		b.width *= 2
		for i := 1; i < len(b.marks); i += 2 {
			b.marks[i/2] = b.marks[i]
		}
		b.marks = b.marks[:len(b.marks)/2]
	}
	return b.err == nil
}

// close adds the mark now for every bin below count that is still open.
func (b *bins) close(count uint64, now mark) {
	for uint64(len(b.marks)) < count {
		b.marks = append(b.marks, now)
	}
	b.end = (uint64(len(b.marks)) + 1) * b.width
}

// A Series holds counts per bin [k·Bin, (k+1)·Bin), from the start of the run to its end.
type Series struct {
	Bin       time.Duration
	Retries   []int64 // retries that began
	Calls     []int64 // calls that began
	Succeeded []int64
	Failed    []int64 // calls that failed, those that left their job dead included
	Dead      []int64
	Backlog   []int64 // jobs arrived and not finished, at the bin's end
}

func (b *bins) series() Series {
	n := len(b.marks)
	s := Series{
		Bin: time.Duration(b.width), Retries: make([]int64, n), Calls: make([]int64, n), Succeeded: make([]int64, n),
		Failed: make([]int64, n), Dead: make([]int64, n), Backlog: make([]int64, n),
	}
	var last mark
	for i, m := range b.marks {
		s.Retries[i] = m.retries - last.retries
		s.Calls[i] = m.calls - last.calls
		s.Succeeded[i] = m.succeeded - last.succeeded
		s.Failed[i] = m.failed - last.failed
		s.Dead[i] = m.dead - last.dead
		s.Backlog[i] = m.backlog
		last = m
	}
	return s
}

// Coarsen returns the series in bins of the given width, a multiple of s.Bin: counts add up, the backlog is the later.
func (s Series) Coarsen(bin time.Duration) Series {
	if bin < s.Bin || bin%s.Bin != 0 {
		panic(fmt.Sprintf("metrics: bins of %v do not merge into bins of %v", s.Bin, bin))
	}
	by := int(bin / s.Bin)
	return Series{
		Bin: bin, Retries: sums(s.Retries, by), Calls: sums(s.Calls, by), Succeeded: sums(s.Succeeded, by),
		Failed: sums(s.Failed, by), Dead: sums(s.Dead, by), Backlog: lasts(s.Backlog, by),
	}
}

// sums adds up every n neighbours; the last group may be smaller.
func sums(counts []int64, n int) []int64 {
	merged := make([]int64, 0, len(counts)/n+1)
	for group := range slices.Chunk(counts, n) {
		var sum int64
		for _, c := range group {
			sum += c
		}
		merged = append(merged, sum)
	}
	return merged
}

// lasts keeps the last of every n neighbours.
func lasts(levels []int64, n int) []int64 {
	kept := make([]int64, 0, len(levels)/n+1)
	for group := range slices.Chunk(levels, n) {
		kept = append(kept, group[len(group)-1])
	}
	return kept
}
