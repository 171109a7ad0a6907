package metrics

import (
	"math/big"
	"time"
)

// spans collects spans in nanoseconds. The span 0, by far the most common (a job promoted when due, claimed when
// pending), costs one addition.
type spans struct {
	zeros    uint64
	n        uint64 // longer than 0
	min, max uint64 // of those
	sum      sum128
	hist     histogram
}

func (s *spans) add(d time.Duration) {
	if d == 0 {
		s.zeros++
		return
	}
	s.addLong(d)
}

func (s *spans) addLong(d time.Duration) {
	if d < 0 {
		panic("metrics: a span below zero")
	}
	v := uint64(d)
	if s.n == 0 {
		s.min = v
	}
	s.n++
	s.min, s.max = min(s.min, v), max(s.max, v)
	s.sum.add(v)
	s.hist.add(v)
}

// spanFacts are what is known of many spans, in nanoseconds; all zero when there are none.
type spanFacts struct {
	count             uint64
	max               uint64
	sum               sum128
	p5, p50, p95, p99 uint64
}

func (s *spans) facts() spanFacts {
	if s == nil {
		return spanFacts{}
	}
	f := spanFacts{count: s.zeros + s.n, max: s.max, sum: s.sum}
	if f.count > 0 {
		f.p5, f.p50, f.p95, f.p99 = s.percentile(5), s.percentile(50), s.percentile(95), s.percentile(99)
	}
	return f
}

// percentile returns the span of rank ⌈p/100 · count⌉, within 0.1 % of the exact one. There must be a span.
func (s *spans) percentile(p uint64) uint64 {
	rank := nearestRank(p, s.zeros+s.n)
	if rank <= s.zeros {
		return 0
	}
	return min(max(s.hist.ranked(rank-s.zeros), s.min), s.max)
}

// nearestRank returns ⌈p/100 · n⌉, the rank of the p-th percentile of n things; p ≥ 1, n ≥ 1.
func nearestRank(p, n uint64) uint64 { return (p*n + 99) / 100 }

// mean returns the exact mean in seconds. There must be a span.
func (f *spanFacts) mean() *big.Rat {
	return inSeconds(new(big.Rat).SetFrac(f.sum.int(), wideInt(f.count)))
}
