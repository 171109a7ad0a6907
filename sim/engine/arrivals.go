package engine

import (
	"container/heap"
	"math/bits"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// arrivals merges the cohorts: by instant, then by cohort, then by index. Cohorts are generated as they are needed.
type arrivals struct {
	next    clock.Time // of the first job to come; clock.End when none is
	sources sourceHeap
}

func newArrivals(c Config, stream rng.Stream) arrivals {
	var a arrivals
	for i, cohort := range c.Cohorts {
		s := &source{cohort: cohort, id: uint16(i), until: c.Stop, stream: stream}
		if cohort.For > 0 {
			s.until = min(s.until, cohort.At.Add(cohort.For))
		}
		if cohort.Pattern == Spread {
			s.order = s.spread()
		}
		if s.more() {
			a.sources = append(a.sources, s)
		}
	}
	heap.Init(&a.sources)
	a.look()
	return a
}

func (a *arrivals) look() {
	a.next = clock.End
	if len(a.sources) > 0 {
		a.next = a.sources[0].at
	}
}

// pop takes the first job to come. It must be there.
func (a *arrivals) pop() (cohort uint16, index uint32) {
	s := a.sources[0]
	cohort, index = s.id, s.index()
	at := s.at
	s.taken++
	if more := s.more(); more && s.at == at {
		return cohort, index // still the first: no other cohort comes between jobs of one instant
	} else if more {
		heap.Fix(&a.sources, 0)
	} else {
		heap.Pop(&a.sources)
	}
	a.look()
	return cohort, index
}

// A source generates the jobs of one cohort in the order of time.
type source struct {
	cohort Cohort
	id     uint16
	until  clock.Time
	stream rng.Stream
	taken  uint64     // jobs taken so far
	at     clock.Time // of the job to come

	order          []spreadJob // Spread: all jobs in order
	sumHi, sumFrac uint64      // Poisson: the sum of unit exponentials so far, whole and in parts of rng.ExponentialOne
}

// more computes the instant of the job to come and reports whether it comes.
func (s *source) more() bool {
	if s.cohort.Count > 0 && s.taken == s.cohort.Count {
		return false
	}
	c := s.cohort
	switch c.Pattern {
	case Together:
		s.at = c.At
	case Every:
		hi, lo := bits.Mul64(s.taken, uint64(c.Interval))
		if hi > 0 || lo > uint64(clock.Longest) {
			return false
		}
		s.at = c.At.Add(time.Duration(lo))
	case Spread:
		s.at = c.At.Add(s.order[s.taken].offset)
	case Constant:
		s.at = c.At.Add(c.Rate.Offset(s.taken))
	case Poisson:
		s.at = c.At.Add(s.poisson())
	}
	return s.at < s.until
}

// index returns the index in the cohort of the job to come.
func (s *source) index() uint32 {
	if s.order != nil {
		return s.order[s.taken].index
	}
	return uint32(s.taken)
}

// poisson adds a gap and returns ⌊sum/rate⌋. The sum is kept in units of the mean gap, so that rounding never adds up.
func (s *source) poisson() time.Duration {
	draw := s.stream.Draw(rng.Arrival, uint32(s.id), s.taken, 0)
	s.sumFrac += draw.Exponential()
	s.sumHi += s.sumFrac / rng.ExponentialOne
	s.sumFrac %= rng.ExponentialOne
	// (whole + frac/one)·Per/Count: the fraction's share is below Per and cannot overflow with the rest checked first.
	per, count := uint64(s.cohort.Rate.Per), uint64(s.cohort.Rate.Count)
	hi, lo := bits.Mul64(s.sumHi, per)
	fracHi, fracLo := bits.Mul64(s.sumFrac, per)
	part := fracHi<<(64-rng.ExponentialBits) | fracLo>>rng.ExponentialBits
	lo, carry := bits.Add64(lo, part, 0)
	hi += carry
	if hi >= count {
		return clock.Longest
	}
	q, _ := bits.Div64(hi, lo, count)
	return time.Duration(min(q, uint64(clock.Longest)))
}

// A spreadJob is a job of a Spread cohort: when it comes, and which it is.
type spreadJob struct {
	offset time.Duration
	index  uint32
}

func (s *source) spread() []spreadJob {
	jobs := make([]spreadJob, s.cohort.Count)
	for i := range jobs {
		draw := s.stream.Draw(rng.Arrival, uint32(s.id), uint64(i), 0)
		jobs[i] = spreadJob{time.Duration(draw.Below(uint64(max(s.cohort.Interval, 1)))), uint32(i)}
	}
	slices.SortFunc(jobs, func(a, b spreadJob) int {
		if a.offset != b.offset {
			return int(min(max(a.offset-b.offset, -1), 1))
		}
		return int(a.index) - int(b.index)
	})
	return jobs
}

// sourceHeap implements heap.Interface: the first to come first, of equals the first in the file.
type sourceHeap []*source

func (h sourceHeap) Len() int { return len(h) }
func (h sourceHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].id < h[j].id
}
func (h sourceHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *sourceHeap) Push(x any)   { *h = append(*h, x.(*source)) }
func (h *sourceHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
