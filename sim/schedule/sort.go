package schedule

import (
	"cmp"
	"slices"

	"herdsim/sim/clock"
)

// A run is sorted by way of keys, which are small: an entry's distance from the start of its slot, and behind it in placeBits
// bits its place in the run. Keys are all different, and sorting them keeps the order of equal instants.
const (
	placeBits     = 28
	digitBits     = 8
	digits        = 3  // of a narrow slot's distances; the few entries of a wide one are sorted by insertion
	insertionSort = 64 // keys up to which insertion beats counting digits; measured by BenchmarkSort
)

// sortRun sorts run, whose entries lie in one slot from pos on: by instant and, if so asked, by number.
func (s *Set) sortRun() {
	if !s.keyRun() {
		if len(s.run) <= insertionSort {
			insertion(s.keys[0])
		} else {
			s.radix()
		}
		s.gather()
	}
	if s.byNumber {
		sortTies(s.run)
	}
}

// keyRun makes the keys of run. It reports whether run is sorted by instant as it is.
func (s *Set) keyRun() bool {
	run, pos := s.run, s.pos
	keys := slices.Grow(s.keys[0][:0], len(run))[:len(run)]
	sorted, last := true, pos
	for i := range keys {
		at := run[i].At
		keys[i] = uint64(at-pos)<<placeBits | uint64(i)
		if at < last {
			sorted = false
		}
		last = at
	}
	s.keys[0] = keys
	return sorted
}

// gather puts run into the order of its keys.
func (s *Set) gather() {
	run, keys := s.run, s.keys[0]
	sorted := slices.Grow(s.spare[:0], len(keys))[:len(keys)]
	for i, k := range keys {
		sorted[i] = run[k&(1<<placeBits-1)]
	}
	s.run, s.spare = sorted, run
}

func insertion(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		k := keys[i]
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// radix sorts the keys by the digits of their distances, the lowest first; each pass keeps the order of equal digits.
func (s *Set) radix() {
	n := len(s.keys[0])
	s.keys[1] = slices.Grow(s.keys[1][:0], n)[:n]
	var count [digits][1 << digitBits]uint32
	for _, k := range s.keys[0] {
		count[0][uint8(k>>placeBits)]++
		count[1][uint8(k>>(placeBits+digitBits))]++
		count[2][uint8(k>>(placeBits+2*digitBits))]++
	}
	for digit := range count {
		s.pass(placeBits+uint(digit)*digitBits, &count[digit])
	}
}

// pass sorts the keys by the digit at shift, of which at holds the counts.
func (s *Set) pass(shift uint, at *[1 << digitBits]uint32) {
	from, to := s.keys[0], s.keys[1]
	sum := uint32(0)
	for i, n := range at {
		at[i] = sum
		sum += n
	}
	for _, k := range from {
		d := uint8(k >> (shift & 63))
		to[at[d]] = k
		at[d]++
	}
	s.keys = [2][]uint64{to, from}
}

// sortTies puts the jobs of each instant in the order of their numbers. They mostly are already.
func sortTies(run []Entry) {
	last := clock.Time(-1)
	for i := 0; i < len(run); i++ {
		at := run[i].At
		if at != last {
			last = at
			continue
		}
		if run[i].Number() > run[i-1].Number() {
			continue
		}
		from, to := i-1, i+1
		for from > 0 && run[from-1].At == run[i].At {
			from--
		}
		for to < len(run) && run[to].At == run[i].At {
			to++
		}
		slices.SortFunc(run[from:to], func(a, b Entry) int { return cmp.Compare(a.Number(), b.Number()) })
		i = to - 1
	}
}
