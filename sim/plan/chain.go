package plan

import (
	"math"
	"time"

	"herdsim/sim/policy"
)

// A chain is the distribution of what waits last together that each depend on the one before: for each cell of the last
// wait the chances of sums on a grid up to the span. The waits of a cell count as its middle, and a sum between two points is
// shared among them so that its mean stays: ChainError bounds what that does to a chance.
type chain struct {
	*policy.Correlation
	span    time.Duration
	unit    float64     // nanoseconds from one point to the next
	points  int         // beside 0, up to the end of the span
	exact   bool        // all sums are points
	p, next [][]float64 // by cell, then by point; the last row is of exactly the last end
	n       int         // waits so far
	lo, hi  int         // p is 0 outside points [lo, hi)
}

// ChainError is how far the chances of sums of waits may be off that depend on each other.
const ChainError = 0.0005

const (
	chainPoints = 1 << 11 // of a chain's grid
	chainCells  = 96      // up to three times the base, unless the table would be too large
	chainTable  = 1 << 21
)

// chained returns the distribution of no waits, and false where waits do not depend on each other.
func chained(p policy.Policy, span, most time.Duration) (*chain, bool) {
	c := &chain{span: span, unit: float64(span) / chainPoints, points: chainPoints, hi: 1}
	ok := false
	for cells := chainCells; ; cells /= 2 {
		if c.Correlation, ok = policy.Correlated(p, max(span, most), cells); !ok {
			return nil, false
		}
		if len(c.Ends)*chainPoints <= chainTable || cells < 8 {
			break
		}
	}
	if span/c.Step < chainPoints && c.Step > 1 {
		c.unit, c.points, c.exact = float64(c.Step), int((span+c.Step-1)/c.Step), true
	}
	for range c.Ends {
		c.p = append(c.p, make([]float64, c.points+1))
		c.next = append(c.next, make([]float64, c.points+1))
	}
	return c, true
}

func (c *chain) chance(t Total) float64 { return chanceOf(t, c.span, c.left) }

func (c *chain) left() float64 {
	if c.n == 0 {
		return 1
	}
	short := 0.0
	for _, row := range c.p {
		for _, mass := range row[:c.points] {
			short += mass
		}
		if !c.exact {
			short += row[c.points] / 2
		}
	}
	return short
}

func (c *chain) lasts(chance float64) time.Duration {
	all := make([]float64, c.points+1)
	for _, row := range c.p {
		for k, mass := range row {
			all[k] += mass
		}
	}
	return lastingOf(all, c.unit, c.exact, chance)
}

func (c *chain) add(_ Wait, limit time.Duration) (beyond float64) {
	c.n++
	for _, row := range c.next {
		clear(row)
	}
	if c.n == 1 {
		none := make([]float64, c.points+1)
		none[0] = 1
		for j, chance := range c.First {
			beyond += c.put(j, none, chance, limit)
		}
	} else {
		beyond = c.step(limit)
	}
	c.p, c.next = c.next, c.p
	c.hi = c.points + 1
	for c.lo < c.hi && c.column(c.lo) < negligible {
		c.lo++
	}
	for c.hi > c.lo && c.column(c.hi-1) < negligible {
		c.hi--
	}
	return beyond
}

// column returns the chance of a point.
func (c *chain) column(k int) (mass float64) {
	for _, row := range c.p {
		mass += row[k]
	}
	return mass
}

// step adds a wait that depends on the last. Cells are gone through from the longest waits: waits of a cell can follow all last
// waits that reach beyond its end, in the same measure, and some of those that reach into it.
func (c *chain) step(limit time.Duration) (beyond float64) {
	cells := len(c.Ends) - 1
	cut := c.Ends[cells]
	density := make([]float64, c.points+1) // at the waits of a cell, of all last waits that reach beyond its end
	atCut := make([]float64, c.points+1)
	part := make([]float64, c.points+1)
	reach := func(row []float64, each, to float64, into []float64) { // those that go on at least so far
		share := 1 - float64(each*(to-c.Base))
		for k := c.lo; k < c.hi; k++ {
			into[k] += float64(row[k] * share)
		}
	}
	join := func(row []float64, each float64) {
		for k := c.lo; k < c.hi; k++ {
			density[k] += float64(row[k] * each)
		}
	}
	reach(c.p[cells], c.Reach[cells], cut, atCut)
	join(c.p[cells], c.Reach[cells])
	for j := cells + c.Lag - 1; j >= 0; j-- {
		i := j - c.Lag
		switch {
		case j >= cells && i >= 0:
			reach(c.p[i], c.Reach[i], cut, atCut)
			join(c.p[i], c.Reach[i])
		case j < cells:
			width := c.Ends[j+1] - c.Ends[j]
			for k := c.lo; k < c.hi; k++ {
				part[k] = float64(density[k] * width)
			}
			if i >= 0 {
				reach(c.p[i], c.Reach[i], c.Ends[j], part)
				join(c.p[i], c.Reach[i])
			}
			beyond += c.put(j, part, 1, limit)
		}
	}
	return beyond + c.put(cells, atCut, 1, limit)
}

// put makes sums of the last wait in cell j of what they were before it, and returns the chance of those that it takes beyond
// the limit from below the span.
func (c *chain) put(j int, before []float64, share float64, limit time.Duration) (beyond float64) {
	low := c.Ends[j]
	high := low
	if j+1 < len(c.Ends) {
		high = max(c.Ends[j+1]-1, low)
	}
	const fine = 16 // parts of a cell whose waits are rounded
	parts := 1
	if c.exact && low < high {
		parts = fine
	}
	for part := range parts {
		drawn := low + float64((high-low)*(float64(part)+0.5))/float64(parts)
		wait := float64(c.Wait(time.Duration(math.Round(drawn))))
		beyond += c.shift(c.next[j], before, wait, share/float64(parts), (high-low)/float64(parts), limit)
	}
	return beyond
}

// shift adds to a row a share of the sums before a wait, and returns how many of those below the span it takes beyond the limit; the
// wait stands for some that are up to half a width longer and shorter.
func (c *chain) shift(row, before []float64, wait, share, width float64, limit time.Duration) (beyond float64) {
	by := wait / c.unit
	cells := int(min(math.Floor(by), float64(c.points+1)))
	upper := float64(share * (by - math.Floor(by)))
	lower := share - upper
	for k := c.lo; k < min(c.hi, c.points); k++ {
		mass := before[k]
		if at := k + cells; at < c.points {
			row[at] += float64(mass * lower)
			row[at+1] += float64(mass * upper)
		} else if at == c.points {
			row[at] += float64(mass * lower)
		}
		if over := float64(k)*c.unit + wait - float64(limit); over > -width/2 && mass > 0 {
			beyond += float64(float64(mass*share) * min((over+width/2)/max(width, 1), 1))
		}
	}
	return beyond
}
