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
}

func newCrew() *crew { return &crew{back: schedule.NewHeap(cmp.Compare[int])} }

// next returns the worker that claims next.
func (c *crew) next() int {
	switch {
	case c == nil:
		return 0
	case c.back.Len() > 0:
		return c.back.First()
	}
	return c.fresh
}

// take gives that worker something to run.
func (c *crew) take() int {
	switch {
	case c == nil:
		return 0
	case c.back.Len() > 0:
		return c.back.Pop()
	}
	c.fresh++
	return c.fresh - 1
}

// put frees a worker.
func (c *crew) put(worker int) {
	if c != nil {
		c.back.Push(worker)
	}
}
