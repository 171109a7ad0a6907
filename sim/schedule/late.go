package schedule

import "cmp"

// lateEntry is an entry of the heap with what breaks ties of its instant.
type lateEntry struct {
	Entry
	rank uint32
}

func compareLate(a, b lateEntry) int {
	if a.At != b.At {
		return cmp.Compare(a.At, b.At)
	}
	return cmp.Compare(a.rank, b.rank)
}

// lateHeap holds the entries added to the slot that is being read.
type lateHeap struct {
	Heap[lateEntry]
	seq uint32
}

// nextSeq returns the rank of an insertion. It starts afresh whenever the heap is empty, and so never wraps.
func (h *lateHeap) nextSeq() uint32 {
	if len(h.items) == 0 {
		h.seq = 0
	}
	h.seq++
	return h.seq
}
