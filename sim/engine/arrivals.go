package engine

import (
	"container/heap"
	"math"
	"math/bits"
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
		s := newSource(cohort, uint16(i), c.Stop, stream)
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
	limit  uint64 // most jobs
	stream rng.Stream
	taken  uint64     // jobs taken so far
	at     clock.Time // of the job to come

	order          []Offset // Spread, Listed: all jobs in order
	sumHi, sumFrac uint64   // Poisson: the sum of unit exponentials so far, whole and in parts of rng.ExponentialOne
}

func newSource(c Cohort, id uint16, stop clock.Time, stream rng.Stream) *source {
	s := &source{cohort: c, id: id, until: stop, limit: c.Count, stream: stream}
	if c.Count == 0 {
		s.limit = math.MaxUint64
	}
	if c.For > 0 {
		s.until = min(stop, c.At.Add(c.For))
	}
	switch c.Pattern {
	case Spread:
		s.order = InOrder(s.spread())
	case Listed:
		s.order = c.Offsets
		s.limit = min(s.limit, uint64(len(c.Offsets)))
	}
	return s
}

// more computes the instant of the job to come and reports whether it comes.
func (s *source) more() bool {
	if s.taken == s.limit {
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
	case Spread, Listed:
		s.at = c.At.Add(s.order[s.taken].After)
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
		return s.order[s.taken].Index
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

// spread returns the offsets of the jobs of a Spread cohort, by index.
func (s *source) spread() []time.Duration {
	after := make([]time.Duration, s.cohort.Count)
	for i := range after {
		draw := s.stream.Draw(rng.Arrival, uint32(s.id), uint64(i), 0)
		after[i] = time.Duration(draw.Below(uint64(max(s.cohort.Interval, 1))))
	}
	return after
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
