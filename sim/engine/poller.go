package engine

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
	"herdsim/sim/schedule"
)

// A pace says how the ticks of a poller follow one another while it finds nothing to do.
type pace struct {
	every time.Duration
	idle  time.Duration // when above every: each tick doubles the interval to the next, up to this
	most  time.Duration // when above 0: each interval is drawn from [every, most]

	drawn, limit uint64     // intervals so far, and the most: beyond it no tick comes
	notBefore    clock.Time // instants before it have had their sweeps
}

// A tick is one in the course of a poller's ticks.
type tick struct {
	at clock.Time
	n  uint64 // intervals drawn before it
}

// A poller sweeps by itself.
type poller struct {
	id    uint32
	draw  rng.Draw
	first tick       // the next, after the last sweep that found something
	ahead tick       // the last that next has found,
	since clock.Time // which is the answer for every instant from since on

	working bool // a promotion is under way
	job     schedule.Entry
	end     clock.Time // of the promotion under way
	left    int        // promotions that the sweep may still begin
	upTo    clock.Time // the sweep takes what was due then
	tick    tick       // of the sweep
}

// reset makes t the next tick.
func (p *poller) reset(t tick) { p.first, p.ahead, p.since = t, t, 0 }

// begin begins the sweep of the tick that next has just found to be now.
func (p *poller) begin(now clock.Time, batch int) {
	p.tick, p.upTo, p.left = p.ahead, now, batch
}

// rest ends a sweep, whose work ends now: the next tick is an interval later, or on the grid the first that has not passed.
func (p *poller) rest(c *pace, now clock.Time, after bool) {
	from := p.tick
	if after {
		from.at = now
	}
	p.reset(p.follow(c, from))
	if c.most == 0 {
		p.first.at = onGrid(p.first.at, c.every, now)
		p.ahead = p.first
		return
	}
	for p.first.at < now {
		p.reset(p.follow(c, p.first))
	}
}

// follow returns the tick behind t, by the shortest interval where that hangs on what is found.
func (p *poller) follow(c *pace, t tick) tick {
	if c.most == 0 {
		return tick{at: t.at.Add(c.every)}
	}
	if c.drawn++; c.drawn > c.limit {
		return tick{at: clock.End, n: t.n}
	}
	p.draw.Readdress(p.id, t.n+1, 0)
	interval := rng.Uniform{Lo: c.every, Hi: c.most}.Span(&p.draw)
	return tick{t.at.Add(max(interval, 1)), t.n + 1}
}

// next returns the first tick at or after from, when those before it find nothing. Instants may be asked about in any order,
// but none before a sweep that was.
func (p *poller) next(c *pace, from clock.Time) clock.Time {
	switch {
	case from >= p.since && from <= p.ahead.at:
	case c.most > 0:
		p.seek(c, from)
	case c.idle > c.every:
		p.since, p.ahead = from, tick{at: p.nextIdle(c, from)}
	default:
		p.since, p.ahead = from, tick{at: onGrid(p.first.at, c.every, from)}
	}
	return p.ahead.at
}

// seek draws intervals up to the first tick at or after from.
func (p *poller) seek(c *pace, from clock.Time) {
	if from < p.since {
		for p.first.at < c.notBefore {
			p.first = p.follow(c, p.first)
		}
		p.ahead, p.since = p.first, 0
	}
	for p.ahead.at < from {
		p.since = p.ahead.at + 1
		p.ahead = p.follow(c, p.ahead)
	}
}

// nextIdle follows the ticks from the first: each doubles the interval to the next, up to the longest.
func (p *poller) nextIdle(c *pace, from clock.Time) clock.Time {
	at, interval := p.first.at, c.every
	for at < from && interval < c.idle {
		interval = min(2*interval, c.idle)
		at = at.Add(interval)
	}
	return onGrid(at, c.idle, from)
}

// onGrid returns the first of phase, phase+every, … at or after from.
func onGrid(phase clock.Time, every time.Duration, from clock.Time) clock.Time {
	if from <= phase {
		return phase
	}
	past := from.Sub(phase) % every
	if past == 0 {
		return from
	}
	return from.Add(every - past)
}

// residual draws how long it is to the first tick of one who has always been drawing intervals: a pair of an interval and a
// point up to the longest is drawn until the point lies within the interval. Long intervals are hit more often.
func (c *pace) residual(draw *rng.Draw) time.Duration {
	for {
		interval := rng.Uniform{Lo: c.every, Hi: c.most}.Span(draw)
		if point := time.Duration(draw.Below(uint64(c.most))); point < interval {
			return point
		}
	}
}
