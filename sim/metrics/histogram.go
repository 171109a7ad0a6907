package metrics

import "math/bits"

// A histogram counts spans in log-linear bins: one nanosecond wide below 1024, then 512 to each octave. Reading a bin by
// its middle errs by at most half its width, 1/1024 of the span. Counts need 32 bits, as a run's events do. An octave
// takes memory when its first span comes.
type histogram struct {
	pages [histogramPages]*[1 << pageBits]uint32
}

const (
	pageBits       = 9
	histogramPages = 64 - pageBits + 1 // any uint64 has a bin
)

func (h *histogram) add(v uint64) { *h.count(v)++ }

// count returns the count of the bin of v.
func (h *histogram) count(v uint64) *uint32 {
	bin := binOf(v)
	page := h.pages[bin>>pageBits]
	if page == nil {
		page = new([1 << pageBits]uint32)
		h.pages[bin>>pageBits] = page
	}
	return &page[bin&(1<<pageBits-1)]
}

// binOf numbers the bins in the order of their spans.
func binOf(v uint64) uint {
	shift := shiftOf(v)
	return shift<<pageBits + uint(v>>shift)
}

// endOf returns the span behind the bin of v.
func endOf(v uint64) uint64 {
	shift := shiftOf(v)
	return (v>>shift + 1) << shift
}

// shiftOf returns how many of its last bits a span loses in its bin.
func shiftOf(v uint64) uint { return uint(max(0, bits.Len64(v)-pageBits-1)) & 63 }

// middle returns the span that stands for all of a bin.
func middle(bin uint) uint64 {
	if bin < 2<<pageBits {
		return uint64(bin)
	}
	shift := bin>>pageBits - 1
	low := uint64(bin-shift<<pageBits) << shift
	return low + (uint64(1)<<shift-1)/2
}

// ranked returns the span of the given rank, counted from 1 for the shortest.
func (h *histogram) ranked(rank uint64) uint64 {
	for i, page := range h.pages {
		if page == nil {
			continue
		}
		for j, n := range page {
			if rank <= uint64(n) {
				return middle(uint(i)<<pageBits + uint(j))
			}
			rank -= uint64(n)
		}
	}
	panic("metrics: rank beyond the histogram's count")
}
