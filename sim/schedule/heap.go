package schedule

// A Heap is a binary heap of items in an order that its maker gives. Items of equal rank come out in no order of their own.
type Heap[T any] struct {
	items   []T
	compare func(a, b T) int // negative when a comes out before b
}

// NewHeap returns an empty heap ordered by compare.
func NewHeap[T any](compare func(a, b T) int) *Heap[T] { return &Heap[T]{compare: compare} }

// Len returns the number of items.
func (h *Heap[T]) Len() int { return len(h.items) }

// First returns the first item. The heap must not be empty.
func (h *Heap[T]) First() T { return h.items[0] }

// Push adds x.
func (h *Heap[T]) Push(x T) {
	h.items = append(h.items, x)
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h.compare(h.items[parent], x) <= 0 {
			break
		}
		h.items[i] = h.items[parent]
		i = parent
	}
	h.items[i] = x
}

// Pop removes and returns the first item. The heap must not be empty.
func (h *Heap[T]) Pop() T {
	first := h.items[0]
	last := len(h.items) - 1
	x := h.items[last]
	h.items = h.items[:last]
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && h.compare(h.items[child+1], h.items[child]) < 0 {
			child++
		}
		if h.compare(x, h.items[child]) <= 0 {
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
