package engine

import (
	"container/heap"

	"herdsim/sim/schedule"
)

// pending holds the jobs that may run, in the order in which workers claim them: by default as they became pending.
type pending struct {
	fifo   *schedule.Queue
	oldest *byNumber // nil unless the queue's order says so
}

func newPending(o Order, pool *schedule.Pool) pending {
	p := pending{fifo: schedule.NewQueue(pool)}
	if o == Oldest {
		p.oldest = new(byNumber)
	}
	return p
}

func (p *pending) push(e schedule.Entry) {
	if p.oldest != nil {
		heap.Push(p.oldest, e)
		return
	}
	p.fifo.Push(e)
}

func (p *pending) pop() schedule.Entry {
	if p.oldest != nil {
		return heap.Pop(p.oldest).(schedule.Entry)
	}
	return p.fifo.Pop()
}

func (p *pending) len() int {
	if p.oldest != nil {
		return len(*p.oldest)
	}
	return p.fifo.Len()
}

// byNumber implements heap.Interface: first the job that arrived first, however late it became pending.
type byNumber []schedule.Entry

func (h byNumber) Len() int           { return len(h) }
func (h byNumber) Less(i, j int) bool { return h[i].Number() < h[j].Number() }
func (h byNumber) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byNumber) Push(x any)        { *h = append(*h, x.(schedule.Entry)) }
func (h *byNumber) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
