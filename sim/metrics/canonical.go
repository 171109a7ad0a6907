package metrics

import (
	"encoding/binary"
	"slices"
)

// AppendCanonical appends the integers of the whole run to dst, each as 8 bytes, big-endian, lists after their length: the
// end; the facts; the rounds; the series. The facts are: counts in the order of their declaration (of causes and reasons those
// that occurred, each after its number), the attempts table, the two peaks, the three collections of spans, the spread, and
// what few runs have, each after its number. No names, units or floats are in it, nor what a term selects:
// asking for one more number leaves the bytes as they are.
func (s *Summary) AppendCanonical(dst []byte) []byte {
	w := canonical(dst)
	w.integers(int64(s.end))
	w.facts(s.whole)
	w.integers(int64(len(s.Rounds)))
	for _, r := range s.Rounds {
		w.round(&r.facts)
	}
	w.integers(int64(s.Series.Bin))
	for _, track := range [][]int64{
		s.Series.Retries, s.Series.Calls, s.Series.Succeeded, s.Series.Failed, s.Series.Dead, s.Series.Backlog,
	} {
		w.integers(int64(len(track)))
		w.integers(track...)
	}
	return w
}

type canonical []byte

// mostRare leaves room for every layer that a policy can have.
const mostRare = 260

func (w *canonical) integers(values ...int64) {
	for _, v := range values {
		*w = binary.BigEndian.AppendUint64(*w, uint64(v))
	}
}

// sparse writes the values that are not 0, each after its position, so that what a run never met leaves no trace.
func (w *canonical) sparse(values []int64) {
	at := len(*w)
	w.integers(0)
	for i, v := range values {
		if v != 0 {
			w.integers(int64(i), v)
		}
	}
	binary.BigEndian.PutUint64((*w)[at:], uint64(len(*w)-at)/16)
}

// rare writes counts of what few runs have, if any is above 0.
func (w *canonical) rare(values ...int64) {
	if slices.ContainsFunc(values, func(v int64) bool { return v != 0 }) {
		w.sparse(values)
	}
}

func (w *canonical) naturals(values ...uint64) {
	for _, v := range values {
		*w = binary.BigEndian.AppendUint64(*w, v)
	}
}

func (w *canonical) facts(f *facts) {
	w.integers(f.arrived, f.began, f.retried, f.succeeded, f.instants, f.recovered, f.finishedLate)
	w.sparse(f.causes[:])
	w.sparse(f.reasons[:])
	w.integers(f.backlogPeak, f.pendingPeak)
	w.integers(int64(f.firstSuccess), int64(f.lastSuccess), int64(f.firstDeath), int64(f.lastDeath),
		int64(f.firstRecovered), int64(f.lastFinish), int64(f.lastFinishLate))
	w.integers(int64(len(f.attempts)))
	for _, r := range f.attempts {
		w.naturals(uint64(r.Attempt), r.Jobs, r.Dead)
	}
	w.peak(&f.calls)
	w.peak(&f.retries)
	w.spans(&f.latency)
	w.spans(&f.fresh)
	w.spans(&f.lag)
	w.round(&f.spread)
	few := append([]int64{f.held, f.furtherRetried, f.replayed, f.dropped}, f.layers...)
	if f.duplicates > 0 || f.payload > 0 {
		few = append(append(few, make([]int64, mostRare-len(few))...), f.duplicates, f.payload)
	}
	w.rare(few...)
}

func (w *canonical) peak(p *peakFacts) { w.naturals(p.count, uint64(p.at)) }

func (w *canonical) spans(s *spanFacts) {
	w.naturals(s.count, s.max, s.sum.hi, s.sum.lo, s.p5, s.p50, s.p95, s.p99)
}

func (w *canonical) round(r *roundFacts) {
	w.integers(int64(r.first))
	w.spans(&r.distances)
	w.naturals(r.squares.hi, r.squares.mid, r.squares.lo)
	w.peak(&r.peak)
}
