package policy

import (
	"time"

	"herdsim/sim/clock"
)

// A Law is the distribution of a wait in whole numbers: pieces in ascending order that do not overlap. A wait whose law is
// not known, or that depends on the waits before it, has none: nil.
type Law []Piece

// A Piece holds Count waits, From, From+Step, From+2·Step and so on, each of them Each times as likely as a wait whose
// Each is 1. Count, Step and Each are at least 1.
type Piece struct {
	From, Step  time.Duration
	Count, Each uint64
}

// To returns the longest wait of the piece.
func (p Piece) To() time.Duration { return p.From + time.Duration(p.Count-1)*p.Step }

// A Described jitter knows how it distributes the n-th wait, d before it is spread.
type Described interface {
	Jitter
	Law(d time.Duration, n int) Law
}

// A Foreseeable policy knows its waits before they are drawn.
type Foreseeable interface {
	Policy
	Law(f Failure) Law
	Price(f Failure) (wait, uncapped time.Duration) // before the jitter, and what it would be without a cap, saturating at clock.Longest
}

// A capping curve cuts a longer wait short.
type capping interface {
	Curve
	uncapped(n int) time.Duration
}

// Law asks the jitter.
func (c *composed) Law(f Failure) Law { return lawOf(c.jitter, c.curve.Base(f.N()), f.N()) }

// Price asks the curve.
func (c *composed) Price(f Failure) (wait, uncapped time.Duration) {
	wait = c.curve.Base(f.N())
	if curve, ok := c.curve.(capping); ok {
		return wait, curve.uncapped(f.N())
	}
	return wait, wait
}

// Law looks the wait up, or asks the policy behind the list.
func (l listed) Law(f Failure) Law {
	if n := f.N(); n <= len(l.waits) {
		return lawOf(l.jitter, l.waits[n-1], n)
	}
	if then, ok := l.then.(Foreseeable); ok {
		return then.Law(f)
	}
	return nil
}

// Price looks the wait up, or asks the policy behind the list; it means nothing where Law has no answer.
func (l listed) Price(f Failure) (wait, uncapped time.Duration) {
	if n := f.N(); n <= len(l.waits) {
		return l.waits[n-1], l.waits[n-1]
	}
	if then, ok := l.then.(Foreseeable); ok {
		return then.Price(f)
	}
	return 0, 0
}

func lawOf(j Jitter, d time.Duration, n int) Law {
	if described, ok := j.(Described); ok {
		return described.Law(d, n)
	}
	return nil
}

// only is the law of a wait that is always d.
func only(d time.Duration) Law { return Law{{From: d, Step: 1, Count: 1, Each: 1}} }

// evenly is the law that has every whole number of nanoseconds from one to another, the longest saturating.
func evenly(from, to uint64) Law {
	longest := uint64(clock.Longest)
	if from >= longest {
		return only(clock.Longest)
	}
	law := Law{{From: time.Duration(from), Step: 1, Count: min(to, longest-1) - from + 1, Each: 1}}
	if to >= longest {
		law = append(law, Piece{From: clock.Longest, Step: 1, Count: 1, Each: to - longest + 1})
	}
	return law
}

// Law is that of d alone.
func (None) Law(d time.Duration, _ int) Law { return only(d) }

// Law is uniform over [0, d].
func (Full) Law(d time.Duration, _ int) Law { return evenly(0, uint64(d)) }

// Law is uniform over [⌊d/2⌋, d].
func (Equal) Law(d time.Duration, _ int) Law { return evenly(uint64(d)/2, uint64(d)) }

// Law is uniform over [d+Lo, d+Hi].
func (a Add) Law(d time.Duration, _ int) Law {
	return evenly(uint64(d)+uint64(a.Lo), uint64(d)+uint64(a.Hi))
}

// Law is uniform over [d−⌊d·r⌋, d+⌊d·r⌋].
func (r Ratio) Law(d time.Duration, _ int) Law {
	reach := uint64(r.Of(d))
	return evenly(uint64(d)-reach, uint64(d)+reach)
}

// Law is uniform over [d, d+⌊d·j⌋].
func (u Up) Law(d time.Duration, _ int) Law { return evenly(uint64(d), uint64(d)+uint64(u.Of(d))) }

// Law is uniform over [d−⌊d·j⌋, d].
func (j Down) Law(d time.Duration, _ int) Law { return evenly(uint64(d-j.Of(d)), uint64(d)) }

// Law is uniform over [⌊d·Lo⌋, ⌊d·Hi⌋].
func (s Scale) Law(d time.Duration, _ int) Law { return evenly(uint64(s.Lo.Of(d)), uint64(s.Hi.Of(d))) }

// Law has the teeth, all as likely; there is none when one would saturate.
func (c Comb) Law(d time.Duration, n int) Law {
	step := times(c.Spacing, uint64(n))
	if step == 0 || c.Teeth == 1 {
		return only(d)
	}
	if times(step, c.Teeth-1) > clock.Longest-d {
		return nil
	}
	return Law{{From: d, Step: step, Count: c.Teeth, Each: 1}}
}

// Law is that of the number of steps, stretched; there is none when a wait would saturate.
func (s Steps) Law(d time.Duration, n int) Law {
	var law Law
	for _, p := range lawOf(s.Jitter, d/s.Size, n) {
		if p.To() > clock.Longest/s.Size {
			return nil
		}
		law = append(law, Piece{p.From * s.Size, p.Step * s.Size, p.Count, p.Each})
	}
	return law
}

// Law is known when one jitter of the chain spreads and none behind it has to spread what it left.
func (c Chain) Law(d time.Duration, n int) Law {
	law := only(d)
	for _, j := range c {
		if _, idle := j.(None); idle {
			continue
		}
		if len(law) != 1 || law[0].Count != 1 {
			return nil
		}
		law = lawOf(j, law[0].From, n)
	}
	return law
}

// Floor returns the law of a wait floored to a multiple of step. Pieces must go by single nanoseconds or by steps.
func (l Law) Floor(step time.Duration) Law {
	var out Law
	add := func(p Piece) {
		if p.Count > 0 && p.Each > 0 {
			out = append(out, p)
		}
	}
	for _, p := range l {
		first, last := p.From/step, p.To()/step
		switch {
		case p.Step%step == 0 || p.Count == 1:
			p.From -= p.From % step
			add(p)
		case p.Step != 1:
			return nil
		case first == last:
			add(Piece{first * step, step, 1, p.Count * p.Each})
		default: // whole steps in the middle, parts of steps at the ends
			add(Piece{first * step, step, 1, uint64((first+1)*step-p.From) * p.Each})
			add(Piece{(first + 1) * step, step, uint64(last - first - 1), uint64(step) * p.Each})
			add(Piece{last * step, step, 1, uint64(p.To()-last*step+1) * p.Each})
		}
	}
	return out
}
