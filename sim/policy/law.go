package policy

import (
	"math"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// A Law is the distribution of a wait in whole numbers: pieces in ascending order that do not overlap. A wait whose law is
// not known, or that depends on the waits before it, has none: nil.
type Law []Piece

// A Piece holds Count waits, From, From+Step, From+2·Step and so on, each of them Each times as likely as a wait whose
// Each is 1. Count, Step and Each are at least 1, and Each is a whole number: exact up to 2^53, and rounded to as many bits beyond.
type Piece struct {
	From, Step time.Duration
	Count      uint64
	Each       float64
}

// To returns the longest wait of the piece.
func (p Piece) To() time.Duration { return p.From + time.Duration(p.Count-1)*p.Step }

// A Described jitter knows how it distributes the n-th wait, d before it is spread.
type Described interface {
	Jitter
	Law(d time.Duration, n int) Law
}

// UnknownAge is the age of a job, for Law, that depends on how its waits fell out.
const UnknownAge time.Duration = -1

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

// Law limits that of the policy within.
func (p limited) Law(f Failure) Law {
	if within, ok := p.within.(Foreseeable); ok {
		return within.Law(f).Limit(p.Least, p.Most).Floor(p.Step)
	}
	return nil
}

// Price is that of the policy within; it means nothing where Law has no answer.
func (p limited) Price(f Failure) (wait, uncapped time.Duration) {
	if within, ok := p.within.(Foreseeable); ok {
		return within.Price(f)
	}
	return 0, 0
}

// Law is known of a job whose age is.
func (p fromArrival) Law(f Failure) Law {
	if f.Age == UnknownAge {
		return nil
	}
	wait, _ := p.Price(f)
	return lawOf(p.jitter, wait, f.N())
}

// Price is what is left of the offset.
func (p fromArrival) Price(f Failure) (wait, uncapped time.Duration) {
	wait = max(p.offset.Base(f.N())-f.Age, 0)
	return wait, wait
}

func lawOf(j Jitter, d time.Duration, n int) Law {
	if described, ok := j.(Described); ok {
		return described.Law(d, n)
	}
	return nil
}

// only is the law of a wait that is always d.
func only(d time.Duration) Law { return Law{{From: d, Step: 1, Count: 1, Each: 1}} }

// uniformly is the law that has every whole number of nanoseconds from one to another, the longest saturating.
func uniformly(from, to uint64) Law {
	longest := uint64(clock.Longest)
	if from >= longest {
		return only(clock.Longest)
	}
	law := Law{{From: time.Duration(from), Step: 1, Count: min(to, longest-1) - from + 1, Each: 1}}
	if to >= longest {
		law = append(law, Piece{From: clock.Longest, Step: 1, Count: 1, Each: float64(to - longest + 1)})
	}
	return law
}

// Law is that of d alone.
func (None) Law(d time.Duration, _ int) Law { return only(d) }

// Law is uniform over [0, d].
func (Full) Law(d time.Duration, _ int) Law { return uniformly(0, uint64(d)) }

// Law is uniform over [⌊d/2⌋, d].
func (Equal) Law(d time.Duration, _ int) Law { return uniformly(uint64(d)/2, uint64(d)) }

// Law is uniform over [d+Lo, d+Hi].
func (a Add) Law(d time.Duration, _ int) Law {
	return uniformly(uint64(d)+uint64(a.Lo), uint64(d)+uint64(a.Hi))
}

// Law is uniform over [d−⌊d·r⌋, d+⌊d·r⌋].
func (r Ratio) Law(d time.Duration, _ int) Law {
	reach := uint64(r.Of(d))
	return uniformly(uint64(d)-reach, uint64(d)+reach)
}

// Law is uniform over [d, d+⌊d·j⌋].
func (u Up) Law(d time.Duration, _ int) Law { return uniformly(uint64(d), uint64(d)+uint64(u.Of(d))) }

// Law is uniform over [d−⌊d·j⌋, d].
func (j Down) Law(d time.Duration, _ int) Law { return uniformly(uint64(d-j.Of(d)), uint64(d)) }

// Law is uniform over [⌊d·Lo⌋, ⌊d·Hi⌋].
func (s Scale) Law(d time.Duration, _ int) Law {
	return uniformly(uint64(s.Lo.Of(d)), uint64(s.Hi.Of(d)))
}

// Law has the teeth; there is none when a wait would saturate.
func (c Comb) Law(d time.Duration, n int) Law {
	step := clock.Times(c.Spacing, uint64(n))
	switch {
	case step == 0 || c.Teeth == 1:
		return only(d)
	case clock.Times(step, c.Teeth-1) > clock.Longest-d-1:
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

// Law is known when one jitter of the chain spreads and none behind it has to spread what it left, or all that spread are Full.
func (c Chain) Law(d time.Duration, n int) Law {
	if times := c.full(); times > 1 && d > 0 {
		return nested(d, times)
	}
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

// full returns how many jitters of a chain are Full when the others are None, otherwise 0.
func (c Chain) full() int {
	times := 0
	for _, j := range c {
		switch j.(type) {
		case None:
		case Full:
			times++
		default:
			return 0
		}
	}
	return times
}

// Law has cells that end at the waits of words, and the chances of the words between: what is drawn grows with the word. The
// chances shrink as waits grow, so that the mean is as right as all else.
func (Memoryless) Law(d time.Duration, _ int) Law {
	const parts = 1 << 12
	spread := rng.Exponential{Mean: d}
	above := func(i int) uint64 { // how many words are not below those of cell i, 2^64·(1 − i/parts)³; 0 stands for all
		left := uint64(parts - i)
		return left * left * left << (64 - 3*12)
	}
	c := &cells{ends: []float64{0}}
	for i := range parts {
		end := min(spread.At(math.MaxUint64)+1, clock.Longest)
		if i+1 < parts {
			end = spread.At(-above(i + 1))
		}
		chance := math.Ldexp(float64(above(i)-above(i+1)), -64)
		if c.ends[len(c.ends)-1] == float64(clock.Longest) {
			c.last += chance
			continue
		}
		c.ends = append(c.ends, float64(end))
		c.chance = append(c.chance, chance)
	}
	return c.law()
}

// Limit returns the law of a wait raised to least and cut to most, which is not below it.
func (l Law) Limit(least, most time.Duration) Law {
	var out Law
	for _, p := range l {
		low, high := p.pointsBelow(least), p.Count-p.pointsBelow(most)
		middle := p.Count - min(low+high, p.Count)
		out = out.with(Piece{least, 1, 1, float64(low) * p.Each})
		out = out.with(Piece{p.From + time.Duration(low)*p.Step, p.Step, middle, p.Each})
		out = out.with(Piece{most, 1, 1, float64(p.Count-low-middle) * p.Each})
	}
	return out
}

// pointsBelow counts the waits of the piece that are below d.
func (p Piece) pointsBelow(d time.Duration) uint64 {
	if d <= p.From {
		return 0
	}
	return min(uint64((d-p.From-1)/p.Step)+1, p.Count)
}

// with adds a piece that is not below those of the law, and nothing when it has no wait. A wait that both have becomes one.
func (l Law) with(p Piece) Law {
	if p.Count == 0 || p.Each == 0 {
		return l
	}
	last := len(l) - 1
	if last < 0 || l[last].To() < p.From {
		return append(l, p)
	}
	shared := Piece{p.From, 1, 1, l[last].Each + p.Each}
	if l[last].Count--; l[last].Count == 0 {
		l = l[:last]
	}
	l = append(l, shared)
	if p.Count > 1 {
		l = append(l, Piece{p.From + p.Step, p.Step, p.Count - 1, p.Each})
	}
	return l
}

// Floor returns the law of a wait floored to a multiple of step. There is none for a piece whose waits a step does not
// part evenly.
func (l Law) Floor(step time.Duration) Law {
	var out Law
	for _, p := range l {
		first, last := p.From/step, p.To()/step
		switch {
		case p.Step%step == 0 || p.Count == 1:
			p.From -= p.From % step
			out = out.with(p)
		case step%p.Step != 0 || p.From%p.Step != 0:
			return nil
		case first == last:
			out = out.with(Piece{first * step, step, 1, float64(p.Count) * p.Each})
		default: // whole steps in the middle, parts of steps at the ends
			out = out.with(Piece{first * step, step, 1, float64(p.pointsBelow((first+1)*step)) * p.Each})
			out = out.with(Piece{(first + 1) * step, step, uint64(last - first - 1), float64(step/p.Step) * p.Each})
			out = out.with(Piece{last * step, step, 1, float64(p.Count-p.pointsBelow(last*step)) * p.Each})
		}
	}
	return out
}
