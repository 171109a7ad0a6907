package engine

import (
	"cmp"
	"math/bits"
	"slices"

	"herdsim/sim/schedule"
)

// pending holds the jobs that may run and gives them out in the queue's order.
//
// Where the queue is neither first in, first out for all, nor by job number, it is made of lines, each a deque. The line of a
// job is chosen by its cohort's priority and, when retries wait for fresh jobs, by whether it is a retry; lines are served
// in their order. At which end of its line a job joins depends on the order and on where retries join.
type pending struct {
	count  int                            // jobs that may be claimed
	parked int                            // jobs whose key is busy
	fifo   *schedule.Queue                // all there is, unless one of the next three is set
	heap   *schedule.Heap[schedule.Entry] // Oldest
	lines  *lines
	ranked *ranked // with keys, or by number where there are copies, which may be several of one job
}

func newPending(c Config, pool *schedule.Pool, copies bool) pending {
	q := c.Queue
	switch {
	case copies && (c.keyed() || q.Order == Oldest):
		return pending{ranked: newRanked(c, pool)}
	case q.Order == Oldest:
		return pending{heap: newByNumber(q.Retries == AfterFresh)}
	case q.Order == FIFO && q.Retries == Tail:
		return pending{fifo: schedule.NewQueue(pool)}
	}
	return pending{lines: newLines(c, pool)}
}

func (p *pending) push(e schedule.Entry) {
	p.count++
	switch {
	case p.fifo != nil:
		p.fifo.Push(e)
	case p.lines != nil:
		p.lines.push(e)
	case p.ranked != nil:
		if !p.ranked.push(e) {
			p.count--
			p.parked++
		}
	default:
		p.heap.Push(e)
	}
}

func (p *pending) pop() schedule.Entry {
	p.count--
	switch {
	case p.fifo != nil:
		return p.fifo.Pop()
	case p.lines != nil:
		return p.lines.pop()
	case p.ranked != nil:
		return p.ranked.pop()
	}
	return p.heap.Pop()
}

// lines are deques in the order in which they are served.
type lines struct {
	all   []deque
	level []int    // of each cohort: its line among those of fresh jobs
	retry int      // how many lines further a retry joins
	used  []uint64 // a bit for each line that is not empty

	freshAhead, retriesAhead bool // they join at the head of their line
}

func newLines(c Config, pool *schedule.Pool) *lines {
	l := &lines{freshAhead: c.Queue.Order == LIFO, retriesAhead: c.Queue.Order == LIFO || c.Queue.Retries == Head}
	n := 1
	l.level, n = levels(c)
	if c.Queue.Retries == AfterFresh {
		l.retry = n
		n *= 2
	}
	l.used = make([]uint64, (n+63)/64)
	for range n {
		l.all = append(l.all, deque{back: schedule.NewQueue(pool)})
	}
	return l
}

// levels returns each cohort's level from 0, the first to run, and how many levels there are.
func levels(c Config) ([]int, int) {
	level := make([]int, len(c.Cohorts))
	if c.Queue.Order != Priority {
		return level, 1
	}
	var values []uint64
	for i := range c.Cohorts {
		values = append(values, c.Cohorts[i].Priority)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for i := range c.Cohorts {
		level[i], _ = slices.BinarySearch(values, c.Cohorts[i].Priority)
	}
	return level, max(1, len(values))
}

// place returns the line of an entry, and whether it joins that at the head.
func (l *lines) place(e schedule.Entry) (line int, ahead bool) {
	line = l.level[e.Cohort()]
	if e.Attempt() > 1 {
		return line + l.retry, l.retriesAhead
	}
	return line, l.freshAhead
}

func (l *lines) push(e schedule.Entry) {
	line, ahead := l.place(e)
	l.all[line].push(e, ahead)
	l.used[line/64] |= 1 << (line % 64)
}

func (l *lines) pop() schedule.Entry {
	word := 0
	for l.used[word] == 0 {
		word++
	}
	line := 64*word + bits.TrailingZeros64(l.used[word])
	e := l.all[line].pop()
	if l.all[line].len() == 0 {
		l.used[word] &^= 1 << (line % 64)
	}
	return e
}

// A deque is claimed from at its head and joined at both ends.
type deque struct {
	ahead []schedule.Entry // those that joined at the head, the last of them first
	back  *schedule.Queue
}

func (d *deque) len() int { return len(d.ahead) + d.back.Len() }

func (d *deque) push(e schedule.Entry, ahead bool) {
	if ahead {
		d.ahead = append(d.ahead, e)
		return
	}
	d.back.Push(e)
}

func (d *deque) pop() schedule.Entry {
	last := len(d.ahead) - 1
	if last < 0 {
		return d.back.Pop()
	}
	e := d.ahead[last]
	d.ahead = d.ahead[:last]
	return e
}

// newByNumber returns a heap whose first job is the one that arrived first, however late it became pending; with freshFirst,
// first attempts come before all retries.
func newByNumber(freshFirst bool) *schedule.Heap[schedule.Entry] {
	return schedule.NewHeap(func(a, b schedule.Entry) int {
		if freshFirst && (a.Attempt() > 1) != (b.Attempt() > 1) {
			return cmp.Compare(a.Attempt(), b.Attempt())
		}
		return cmp.Compare(a.Number(), b.Number())
	})
}
