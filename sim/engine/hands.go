package engine

import (
	"cmp"
	"math"
	"slices"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// A WorkerCrash takes some workers away for a time, those of the lowest numbers that are up. What they run or hold is lost.
type WorkerCrash struct {
	At      clock.Time
	Workers int // as far as there are so many
	For     time.Duration
}

// nobody stands for the number of a worker where there is none.
const nobody = -1

// hands are the workers by number, in a run in which some crash.
type hands struct {
	crashes []WorkerCrash // to come, in order
	absent  []absence     // in the order of their end
	up      numbers       // workers that are there
	free    numbers       // of them those that run nothing
}

// An absence is the workers of a crash that are away.
type absence struct {
	until   clock.Time
	workers []int
}

// newHands returns nil when no worker crashes.
func newHands(w *Workers) *hands {
	if len(w.Crashes) == 0 {
		return nil
	}
	crashes := slices.Clone(w.Crashes)
	slices.SortStableFunc(crashes, func(a, b WorkerCrash) int { return cmp.Compare(a.At, b.At) })
	return &hands{crashes: crashes, up: allBelow(w.Count), free: allBelow(w.Count)}
}

// next returns when workers next crash or return.
func (h *hands) next() clock.Time {
	at := clock.End
	if h == nil {
		return at
	}
	if len(h.crashes) > 0 {
		at = h.crashes[0].At
	}
	if len(h.absent) > 0 {
		at = min(at, h.absent[0].until)
	}
	return at
}

// lowest returns the worker of the lowest number that is up, free or not; false when there is none. Where no worker crashes
// there always is one.
func (h *hands) lowest() (int, bool) {
	if h == nil {
		return 0, true
	}
	return h.up.first()
}

// down reports whether a worker has crashed and is away.
func (h *hands) down(worker int) bool { return h != nil && worker != nobody && !h.up.has(worker) }

// crashed takes the workers away whose turn to crash is now, and returns how many there were.
func (h *hands) crashed(now clock.Time) int {
	took := 0
	for len(h.crashes) > 0 && h.crashes[0].At == now {
		c := h.crashes[0]
		h.crashes = h.crashes[1:]
		gone := absence{until: now.Add(c.For)}
		for range c.Workers {
			worker, any := h.up.first()
			if !any {
				break
			}
			h.up.remove(worker)
			h.free.remove(worker)
			gone.workers = append(gone.workers, worker)
		}
		took += len(gone.workers)
		at, _ := slices.BinarySearchFunc(h.absent, gone, func(a, b absence) int { return cmp.Compare(a.until, b.until) })
		h.absent = slices.Insert(h.absent, at, gone)
	}
	return took
}

// returned brings back the workers whose absence ends now, and returns how many there were.
func (h *hands) returned(now clock.Time) int {
	back := 0
	for len(h.absent) > 0 && h.absent[0].until == now {
		for _, worker := range h.absent[0].workers {
			h.up.add(worker)
			h.free.add(worker)
		}
		back += len(h.absent[0].workers)
		h.absent = h.absent[1:]
	}
	return back
}

// slots returns how many attempts can run at a time.
func (w *Workers) slots() int { return cmp.Or(w.Count, math.MaxInt) }

// hands returns nil where no worker crashes.
func (e *Engine) hands() *hands {
	if e.crew == nil {
		return nil
	}
	return e.crew.hands
}

// changeHands lets workers crash and return whose turn is now.
func (e *Engine) changeHands() {
	h := e.hands()
	if h == nil {
		return
	}
	if took := h.crashed(e.now); took > 0 {
		e.slots -= took
		var ran, held []schedule.Entry
		e.calls, ran = e.without(e.calls, schedule.New(&e.pool, false))
		e.waiting, held = e.without(e.waiting, schedule.New(&e.pool, true))
		slices.SortStableFunc(held, e.copies.byLease)
		gone := append(ran, held...)
		slices.SortStableFunc(gone, func(a, b schedule.Entry) int { return cmp.Compare(a.Number(), b.Number()) })
		for _, lost := range gone {
			e.lose(lost.Job)
		}
	}
	e.slots += h.returned(e.now)
}

// without moves what a set holds into another, an empty one, except for what is in the hands of workers that are away.
func (e *Engine) without(from, to *schedule.Set) (kept *schedule.Set, lost []schedule.Entry) {
	for from.Len() > 0 {
		from.Find(clock.End)
		x := from.Pop()
		if mark := x.Mark(); mark != 0 && e.hands().down(e.copies.at(mark).worker) {
			lost = append(lost, x)
			continue
		}
		to.Add(x)
	}
	return to, lost
}
