package engine

import (
	"cmp"
	"fmt"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// A DeadLetter says what becomes of dead jobs, whose letters lie in the morgue. The zero value keeps them all, for ever.
type DeadLetter struct {
	Max    int           // letters beyond it are dropped, those of the oldest deaths first; 0 for no limit
	TTL    time.Duration // a letter is dropped so long after the death; 0 for never
	Replay *Replay       // nil for none
}

// A Replay brings dead jobs back: those whose letters lie in the morgue at its instant, the oldest death first.
type Replay struct {
	At    clock.Time
	Every time.Duration // from one to the next; 0 for a single one
	Rate  clock.Rate    // the k-th letter (from 0) goes at At + ⌊k/Rate⌋; a Count of 0 lets all go at once
	Batch int           // most letters of one replay; 0 for no limit
	Reset bool          // the job's attempts, spent budget and age start afresh
}

// tick returns the first replay at or after from; clock.End when there is none.
func (r *Replay) tick(from clock.Time) clock.Time {
	switch {
	case r == nil:
		return clock.End
	case r.Every > 0:
		return onGrid(r.At, r.Every, from)
	case from <= r.At:
		return r.At
	}
	return clock.End
}

// A morgue holds the letters of dead jobs.
type morgue struct {
	DeadLetter
	letters *schedule.Queue       // in the order of death, whose instant an entry's is
	line    *schedule.Heap[taken] // of a replay, and still to go
	dead    int                   // jobs that have a letter
}

// A taken letter is one that a replay has taken; it goes at its own instant. The entry's is that of the death.
type taken struct {
	goes clock.Time
	schedule.Entry
}

// newMorgue returns nil when no one looks after the dead.
func newMorgue(c *Config, pool *schedule.Pool) *morgue {
	if c.DeadLetter == (DeadLetter{}) {
		return nil
	}
	return &morgue{
		DeadLetter: c.DeadLetter,
		letters:    schedule.NewQueue(pool),
		line: schedule.NewHeap(func(a, b taken) int {
			return cmp.Or(cmp.Compare(a.goes, b.goes), cmp.Compare(a.Number(), b.Number()))
		}),
	}
}

// next returns the next instant after now at which a dead job comes back. A replay that would find no letter is none.
func (m *morgue) next(now clock.Time) clock.Time {
	at := clock.End
	if m.line.Len() > 0 {
		at = m.line.First().goes
	}
	if m.letters.Len() > 0 {
		at = min(at, m.Replay.tick(now+1))
	}
	return at
}

// expiry returns the instant at which the oldest letter is dropped because of its age.
func (m *morgue) expiry() clock.Time {
	if m.TTL == 0 || m.letters.Len() == 0 {
		return clock.End
	}
	return m.letters.First().At.Add(m.TTL)
}

// bury takes the letter of a job that dies now. The oldest one makes room for it.
func (e *Engine) bury(j schedule.Job) {
	m := e.morgue
	if m.Max > 0 && m.letters.Len() == m.Max {
		e.drop()
	}
	m.dead++
	m.letters.Push(schedule.Entry{At: e.now, Job: j})
}

// drop drops the oldest letter: its job stays dead for good.
func (e *Engine) drop() {
	e.room()
	letter := e.morgue.letters.Pop()
	e.morgue.dead--
	e.emit(Dropped, letter.At, letter.Job).Attempt = e.used(letter.Job)
}

// tend gives the morgue its turn of the instant: old letters are dropped, a replay takes those that it finds, and jobs whose
// turn has come are back.
func (e *Engine) tend() {
	m := e.morgue
	if m.dead != m.letters.Len()+m.line.Len() {
		panic(fmt.Sprintf("engine: before %d ns %d letters, but %d in the morgue and %d on their way", e.now, m.dead, m.letters.Len(), m.line.Len()))
	}
	for m.expiry() <= e.now && e.err == nil {
		e.drop()
	}
	if m.Replay.tick(e.now) == e.now {
		n := m.letters.Len()
		if m.Replay.Batch > 0 {
			n = min(n, m.Replay.Batch)
		}
		for k := range n {
			goes := e.now
			if m.Replay.Rate.Count > 0 {
				goes = min(goes.Add(m.Replay.Rate.Offset(uint64(k))), clock.End-1)
			}
			m.line.Push(taken{goes, m.letters.Pop()})
		}
	}
	for m.line.Len() > 0 && m.line.First().goes <= e.now && e.err == nil {
		e.revive(m.line.Pop())
	}
}

// revive brings a dead job back: it is pending.
func (e *Engine) revive(letter taken) {
	e.room()
	j := letter.Job
	e.morgue.dead--
	e.live++
	e.emit(Replayed, letter.At, j).Attempt = e.used(j)
	r := e.records.at(j.Number())
	r.probe, r.paid = 0, false
	if e.morgue.Replay.Reset {
		r.since, r.charged, r.stalls = e.now, 0, 0
	}
	e.pending.push(schedule.Entry{At: e.now, Job: j.Revived(e.morgue.Replay.Reset)})
}

// used returns how many attempts a job has made in all its lives.
func (e *Engine) used(j schedule.Job) uint32 {
	return e.records.at(j.Number()).attempts
}
