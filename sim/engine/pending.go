package engine

import (
	"cmp"
	"container/heap"

	"herdsim/sim/schedule"
)

// pending holds the jobs that may run, in the order in which workers claim them: by default as they became pending.
type pending struct {
	fifo   *schedule.Queue
	oldest *oldestFirst // nil unless the queue's order says so
}

func newPending(o Order, pool *schedule.Pool, number func(uint32) uint32) pending {
	p := pending{fifo: schedule.NewQueue(pool)}
	if o == Oldest {
		p.oldest = &oldestFirst{number: number}
	}
	return p
}

func (p *pending) push(e schedule.Entry) {
	if p.oldest != nil {
		heap.Push(&p.oldest.entries, numbered{e, p.oldest.number(e.Job)})
		return
	}
	p.fifo.Push(e)
}

func (p *pending) pop() schedule.Entry {
	if p.oldest != nil {
		return heap.Pop(&p.oldest.entries).(numbered).Entry
	}
	return p.fifo.Pop()
}

func (p *pending) len() int {
	if p.oldest != nil {
		return len(p.oldest.entries)
	}
	return p.fifo.Len()
}

// oldestFirst claims the job that arrived first, however late it became pending.
type oldestFirst struct {
	entries entryHeap
	number  func(uint32) uint32
}

// numbered is a pending entry with its job's number at hand.
type numbered struct {
	schedule.Entry
	number uint32
}

// entryHeap implements heap.Interface.
type entryHeap []numbered

func (h entryHeap) Len() int           { return len(h) }
func (h entryHeap) Less(i, j int) bool { return cmp.Less(h[i].number, h[j].number) }
func (h entryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *entryHeap) Push(x any)        { *h = append(*h, x.(numbered)) }
func (h *entryHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
