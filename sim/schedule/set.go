// Package schedule holds the sorted set of waiting jobs: what ZADD and ZRANGEBYSCORE are to a queue on Redis.
//
// A Set is a hierarchy of wheels. An entry is filed unsorted under the slot of its instant and is moved at most once per
// level on its way down; only a narrow slot whose turn has come is sorted. Entries that arrive for the slot being read, which is
// already sorted, go to a small heap beside it.
package schedule

import (
	"slices"

	"herdsim/sim/clock"
)

// When a slot's turn comes, its entries are sorted and read if they are few enough for its level; otherwise they are filed
// on the level below. Narrow slots have few late entries and may hold many; a wide one is worth reading as it is only when
// next to nothing is in it.
const (
	narrow    = 2       // levels up to it are narrow
	maxRun    = 1 << 15 // entries of a narrow slot that are sorted together
	wide      = 4       // levels up to it are wide, those above are never read as they are
	maxSparse = 1 << 6
	maxLate   = 1 << 6 // a larger heap beside the slot being read is filed with it on the levels below
)

// readable reports whether n entries of a slot are to be read rather than filed again.
func readable(level int, n uint32) bool {
	return level == 0 || level <= narrow && n <= maxRun || level <= wide && n <= maxSparse
}

// A Set orders entries by instant; entries of one instant by the number of their job, or by insertion.
type Set struct {
	// Head is the instant of the first entry if the set has found it (see Find), else clock.End. It is a field, for the
	// engine to look at before every instant; only the set may change it.
	Head clock.Time

	pool   *Pool
	wheels [levels]wheel

	byNumber bool
	pos      clock.Time // where the wheels stand: no entry in them is earlier
	end      clock.Time // entries before it are in run or late
	level    int        // of the slot being read
	run      run
	late     lateHeap
	lateAt   clock.Time // instant of late's first entry; clock.End when it is empty
	count    int
}

// New returns an empty set whose entries live in pool. Entries of one instant are ordered by the number of their job if
// byNumber, else by insertion.
func New(pool *Pool, byNumber bool) *Set {
	s := &Set{Head: clock.End, lateAt: clock.End, pool: pool, byNumber: byNumber, late: lateHeap{Heap: *NewHeap(compareLate)}}
	s.run.close(pool)
	return s
}

// Len returns the number of entries.
func (s *Set) Len() int { return s.count }

// Add files an entry under e.At, which may also be in the past. e.At must lie before clock.End.
func (s *Set) Add(e Entry) {
	s.count++
	if e.At >= s.end {
		s.file(e)
		return
	}
	s.Head = min(s.Head, e.At)
	s.addLate(e)
	if len(s.late.items) > maxLate && s.level > 0 {
		s.split()
	}
}

// addLate puts an entry into the heap beside the run.
func (s *Set) addLate(e Entry) {
	s.lateAt = min(s.lateAt, e.At)
	s.late.Push(lateEntry{e, s.rank(e)})
}

// rank is what orders entries of one instant in the heap.
func (s *Set) rank(e Entry) uint32 {
	if s.byNumber {
		return e.Number()
	}
	return s.late.nextSeq()
}

func (s *Set) file(e Entry) {
	level := levelOf(e.At, s.pos)
	*s.wheels[level].bag(s.pool, slotOf(e.At, level)).place() = e
}

// Find looks for the first entry and sets Head. When the entry is later than limit it may leave Head at clock.End instead:
// looking no further than limit keeps the wheels from running ahead of entries that are still to come. Entries due at the
// limit or before are always found.
func (s *Set) Find(limit clock.Time) {
	for s.Head == clock.End && s.count > 0 && s.advance(limit) {
		s.look()
	}
}

// Bound returns an instant that no entry precedes, without moving; clock.End when there is no entry.
func (s *Set) Bound() clock.Time {
	if s.Head == clock.End && s.count > 0 {
		level, slot := s.nextSlot()
		return s.slotStart(level, slot)
	}
	return s.Head
}

// look sets Head from what is being read.
func (s *Set) look() {
	s.Head = min(s.lateAt, s.run.at())
}

// Pop removes and returns the first entry, which must have been found: its instant is Head.
func (s *Set) Pop() Entry {
	if s.Head == s.lateAt && s.lateFirst() {
		return s.popLate()
	}
	s.count--
	e := s.run.next()
	s.run.first++
	s.look()
	return *e
}

// popLate pops from the heap beside the run.
func (s *Set) popLate() Entry {
	s.count--
	e := s.late.Pop().Entry
	s.lateAt = clock.End
	if len(s.late.items) > 0 {
		s.lateAt = s.late.items[0].At
	}
	s.look()
	return e
}

// lateFirst reports whether the first entry is the heap's, whose instant is Head.
func (s *Set) lateFirst() bool {
	return s.lateAt < s.run.at() || s.byNumber && s.late.items[0].rank < s.run.next().Number()
}

// nextSlot returns the first slot in use. There must be one.
func (s *Set) nextSlot() (level, slot int) {
	for level = range s.wheels {
		if slot = s.wheels[level].from(slotOf(s.pos, level)); slot >= 0 {
			break
		}
	}
	return level, slot
}

func (s *Set) slotStart(level, slot int) clock.Time {
	above := shift(level) + slotBits
	return s.pos>>above<<above | clock.Time(slot)<<shift(level)
}

// advance moves to the next slot in use if that begins at limit or before. It reports whether it did. A slot that is not
// read at once is filed on the level below, which is then the next.
func (s *Set) advance(limit clock.Time) bool {
	level, slot := s.nextSlot()
	start := s.slotStart(level, slot)
	if start > limit {
		return false
	}
	s.pos, s.end, s.level = start, start, level
	b := s.wheels[level].take(slot)
	if readable(level, b.count) {
		s.end = start + 1<<shift(level)
		s.run.open(s.pool, b, start, shift(level), s.byNumber)
		return true
	}
	s.run.close(s.pool)
	for ; b.count > 0; b.drop(s.pool) {
		s.fileBelow(level-1, b.first(s.pool))
	}
	return true
}

// fileBelow files entries on a level that is empty from pos on, all of them: also those that share a slot with pos, which is
// therefore to be emptied before anything is added.
func (s *Set) fileBelow(level int, entries []Entry) {
	w := &s.wheels[level]
	for i := range entries {
		e := &entries[i]
		*w.bag(s.pool, slotOf(e.At, level)).place() = *e
	}
}

// split files the slot being read, and the heap beside it, on the levels below, and reads on there.
func (s *Set) split() {
	through := s.end
	s.end = s.pos
	for ; !s.run.over(); s.run.first++ {
		s.file(*s.run.next())
	}
	s.run.close(s.pool)
	slices.SortFunc(s.late.items, compareLate)
	early := s.late.items
	s.late.items, s.lateAt = nil, clock.End
	for i := range early {
		if e := early[i].Entry; e.At >= s.end {
			s.file(e)
		} else {
			s.addLate(e)
		}
	}
	s.look()
	s.Find(through)
}
