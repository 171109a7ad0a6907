package metrics

import (
	"math/big"
	"time"

	"herdsim/sim/clock"
)

// windowSteps is how finely the windows of a peak are placed: at multiples of a window's thousandth part.
const windowSteps = 1000

// A peak finds the half-open window [s, s+window), s a multiple of step, that holds the most events, the earliest of
// equals. Of the windows whose last event is at t, the one that starts first holds all that the others hold; so it is
// enough to slide that one along, dropping events slot by slot, where slots are [k·step, (k+1)·step).
//
// Nothing can change before `until` except the count, so the common event costs a comparison and an increment. Instants
// are unsigned here so that an end past clock.End does not wrap.
type peak struct {
	until     uint64 // the earlier of slotEnd and windowEnd
	seen      uint64 // events so far
	slotEnd   uint64 // of the last event's slot
	windowEnd uint64 // of the first window that holds the last event
	step      uint64
	window    uint64

	ring       []slot // the slots that hold events of the window, in a circle whose length is a power of two
	head, live int

	best   uint64
	bestAt uint64 // first event of the best window
}

// A slot holds at least one event.
type slot struct {
	first  uint64 // instant of its first event
	before uint64 // events before that one
}

func newPeak(window time.Duration) *peak {
	return &peak{step: uint64(max(1, window/windowSteps)), window: uint64(window), windowEnd: uint64(window)}
}

// add takes events in the order of time.
func (p *peak) add(at clock.Time) {
	if uint64(at) >= p.until {
		p.roll(uint64(at))
	}
	p.seen++
}

// roll moves slot and window on to the event at t, which is not yet counted.
func (p *peak) roll(t uint64) {
	p.judge()
	if t >= p.slotEnd {
		p.slotEnd = nextEnd(p.slotEnd, t, p.step)
		p.push(slot{first: t, before: p.seen})
	}
	if t >= p.windowEnd {
		p.windowEnd = nextEnd(p.windowEnd, t, p.step)
		for p.ring[p.head].first < p.windowEnd-p.window {
			p.head = (p.head + 1) & (len(p.ring) - 1)
			p.live--
		}
	}
	p.until = min(p.slotEnd, p.windowEnd)
}

// judge compares the window as it is with the best one.
func (p *peak) judge() {
	if p.live == 0 {
		return
	}
	first := p.ring[p.head]
	if n := p.seen - first.before; n > p.best {
		p.best, p.bestAt = n, first.first
	}
}

// nextEnd returns the first of end, end+step, end+2·step, … that is later than t.
func nextEnd(end, t, step uint64) uint64 {
	if ahead := t - end; ahead >= step { // most often the next one is meant; divide only for a jump
		end += ahead / step * step
	}
	return end + step
}

func (p *peak) push(s slot) {
	if p.live == len(p.ring) {
		bigger := make([]slot, max(4, 2*p.live))
		n := copy(bigger, p.ring[p.head:])
		copy(bigger[n:], p.ring[:p.head])
		p.ring, p.head = bigger, 0
	}
	p.ring[(p.head+p.live)&(len(p.ring)-1)] = s
	p.live++
}

// peakFacts tell the fullest window; count is 0 when there was no event.
type peakFacts struct {
	count  uint64
	at     clock.Time // of its first event
	window time.Duration
}

func (p *peak) facts() peakFacts {
	if p == nil {
		return peakFacts{}
	}
	p.judge()
	return peakFacts{count: p.best, at: clock.Time(p.bestAt), window: time.Duration(p.window)}
}

// rate returns the events per second of the fullest window.
func (f *peakFacts) rate() *big.Rat {
	events := new(big.Int).Mul(wideInt(f.count), big.NewInt(int64(time.Second)))
	return new(big.Rat).SetFrac(events, big.NewInt(int64(f.window)))
}
