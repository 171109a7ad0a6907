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

// lateHeap is a binary heap of the entries added to the slot that is being read.
type lateHeap struct {
	items []lateEntry
	seq   uint32
}

// nextSeq returns the rank of an insertion. It starts afresh whenever the heap is empty, and so never wraps.
func (h *lateHeap) nextSeq() uint32 {
	if len(h.items) == 0 {
		h.seq = 0
	}
	h.seq++
	return h.seq
}

func (h *lateHeap) push(e Entry, rank uint32) {
	x := lateEntry{e, rank}
	h.items = append(h.items, x)
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if compareLate(h.items[parent], x) <= 0 {
			break
		}
		h.items[i] = h.items[parent]
		i = parent
	}
	h.items[i] = x
}

func (h *lateHeap) pop() Entry {
	first := h.items[0].Entry
	last := len(h.items) - 1
	x := h.items[last]
	h.items = h.items[:last]
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && compareLate(h.items[child+1], h.items[child]) < 0 {
			child++
		}
		if compareLate(x, h.items[child]) <= 0 {
			break
		}
		h.items[i] = h.items[child]
		i = child
	}
	if last > 0 {
		h.items[i] = x
	}
	return first
}
