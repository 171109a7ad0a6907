package engine

import (
	"cmp"

	"herdsim/sim/schedule"
)

// A crew knows which workers are free, by number from 0. The free worker of the lowest number claims first. A nil crew is that
// of a run in which nothing depends on who runs what: every worker is number 0.
type crew struct {
	back  *schedule.Heap[int] // free, and have worked
	fresh int                 // this worker and those after it never have
	hands *hands              // instead, where workers crash
}

func newCrew(w *Workers) *crew {
	return &crew{back: schedule.NewHeap(cmp.Compare[int]), hands: newHands(w)}
}

// next returns the worker that claims next.
func (c *crew) next() int {
	switch {
	case c == nil:
		return 0
	case c.hands != nil:
		worker, _ := c.hands.free.first()
		return worker
	case c.back.Len() > 0:
		return c.back.First()
	}
	return c.fresh
}

// take gives that worker something to run.
func (c *crew) take() int {
	worker := c.next()
	switch {
	case c == nil:
	case c.hands != nil:
		c.hands.free.remove(worker)
	case c.back.Len() > 0:
		c.back.Pop()
	default:
		c.fresh++
	}
	return worker
}

// put frees a worker.
func (c *crew) put(worker int) {
	switch {
	case c == nil:
	case c.hands != nil:
		c.hands.free.add(worker)
	default:
		c.back.Push(worker)
	}
}
