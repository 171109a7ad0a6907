package engine

import (
	"cmp"

	"herdsim/sim/schedule"
)

// ranked gives out pending jobs in the queue's order, except for those whose key is busy. Jobs of a key stand in a line of its
// own; among all others stands its first one alone, unless the key is busy.
type ranked struct {
	lines    *lines // for the line of an entry, and the end at which it joins
	byNumber bool
	joined   int64
	all      *schedule.Heap[rank]
	keyOf    []int // by cohort, from 1; 0 for none
	keys     []keyLine
}

// A rank is an entry's place in the queue's order.
type rank struct {
	schedule.Entry
	line        int
	first, then int64
	key         int // from 1, of an entry that stands for its line
}

type keyLine struct {
	jobs *schedule.Heap[rank]
	busy bool
}

func (a rank) compare(b rank) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.first, b.first), cmp.Compare(a.then, b.then))
}

func newRanked(c Config, pool *schedule.Pool) *ranked {
	r := &ranked{lines: newLines(c, pool), byNumber: c.Queue.Order == Oldest, all: schedule.NewHeap(rank.compare), keys: make([]keyLine, 1)}
	known := map[string]int{}
	for i := range c.Cohorts {
		key := c.Cohorts[i].Key
		if key != "" && known[key] == 0 {
			known[key] = len(r.keys)
			r.keys = append(r.keys, keyLine{jobs: schedule.NewHeap(rank.compare)})
		}
		r.keyOf = append(r.keyOf, known[key])
	}
	return r
}

// push adds a job and reports whether it may be claimed.
func (r *ranked) push(e schedule.Entry) bool {
	line, ahead := r.lines.place(e)
	r.joined++
	x := rank{Entry: e, line: line, first: r.joined}
	switch {
	case r.byNumber:
		x.first, x.then = int64(e.Number()), r.joined
	case ahead:
		x.first = -r.joined
	}
	key := r.keyOf[e.Cohort()]
	if key == 0 {
		r.all.Push(x)
		return true
	}
	k := &r.keys[key]
	k.jobs.Push(x)
	r.show(key)
	return !k.busy
}

// show lets the first job of a key stand among all others, unless the key is busy. It may stand there twice, or when it is not
// the first any more: pop knows.
func (r *ranked) show(key int) {
	if k := &r.keys[key]; !k.busy && k.jobs.Len() > 0 {
		x := k.jobs.First()
		x.key = key
		r.all.Push(x)
	}
}

// pop takes the first job that may be claimed, of which there is one.
func (r *ranked) pop() schedule.Entry {
	for {
		x := r.all.Pop()
		if x.key == 0 {
			return x.Entry
		}
		k := &r.keys[x.key]
		if k.busy || k.jobs.Len() == 0 || k.jobs.First().compare(x) != 0 {
			continue
		}
		k.jobs.Pop()
		r.show(x.key)
		return x.Entry
	}
}

// keyOf returns the key of a cohort, from 1; 0 for none.
func (p *pending) keyOf(cohort uint16) int {
	if p.ranked == nil {
		return 0
	}
	return p.ranked.keyOf[cohort]
}

// lock makes the key of a cohort busy.
func (p *pending) lock(cohort uint16) {
	if key := p.keyOf(cohort); key != 0 {
		k := &p.ranked.keys[key]
		k.busy = true
		p.count -= k.jobs.Len()
		p.parked += k.jobs.Len()
	}
}

// unlock ends what lock began.
func (p *pending) unlock(cohort uint16) {
	if key := p.keyOf(cohort); key != 0 {
		k := &p.ranked.keys[key]
		k.busy = false
		p.count += k.jobs.Len()
		p.parked -= k.jobs.Len()
		p.ranked.show(key)
	}
}
