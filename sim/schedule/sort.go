package schedule

import (
	"cmp"
	"slices"
)

const (
	digitBits     = 8
	insertionSort = 64 // entries up to which insertion beats counting digits; measured by BenchmarkSort
)

// sortRun sorts run, whose instants differ in their low bits only, by instant and then by number.
func (s *Set) sortRun(width uint) {
	n := len(s.run)
	if n < 2 {
		return
	}
	var differ uint64
	first, sorted := s.run[0].At, true
	for i := 1; i < n; i++ {
		differ |= uint64(s.run[i].At ^ first)
		sorted = sorted && s.run[i-1].At <= s.run[i].At
	}
	switch {
	case sorted:
	case n <= insertionSort:
		insertion(s.run)
	default:
		s.radix(width, differ)
	}
	if s.jobs != nil {
		s.sortTies()
	}
}

func insertion(run []Entry) {
	for i := 1; i < len(run); i++ {
		e := run[i]
		j := i
		for ; j > 0 && run[j-1].At > e.At; j-- {
			run[j] = run[j-1]
		}
		run[j] = e
	}
}

// radix sorts by the digits in which instants differ, the lowest first; each pass keeps the order of equal digits.
func (s *Set) radix(width uint, differ uint64) {
	if cap(s.spare) < len(s.run) {
		s.spare = make([]Entry, 0, max(cap(s.run), 1024))
	}
	from, to := s.run, s.spare[:len(s.run)]
	for shift := uint(0); shift < width; shift += digitBits {
		if differ>>shift&(1<<digitBits-1) == 0 {
			continue
		}
		var at [1 << digitBits]uint32
		for i := range from {
			at[uint8(from[i].At>>shift)]++
		}
		sum := uint32(0)
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, e := range from {
			d := uint8(e.At >> shift)
			to[at[d]] = e
			at[d]++
		}
		from, to = to, from
	}
	s.run, s.spare = from, to
}

// sortTies puts entries of one instant in the order of their numbers. They mostly are already.
func (s *Set) sortTies() {
	tied := false
	for i := 1; i < len(s.run); i++ {
		tied = tied || s.run[i].At == s.run[i-1].At && s.jobs.Number(s.run[i].Job) < s.jobs.Number(s.run[i-1].Job)
	}
	if tied {
		slices.SortFunc(s.run, func(a, b Entry) int {
			if a.At != b.At {
				return cmp.Compare(a.At, b.At)
			}
			return cmp.Compare(s.jobs.Number(a.Job), s.jobs.Number(b.Job))
		})
	}
}
