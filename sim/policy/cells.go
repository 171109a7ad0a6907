package policy

import (
	"math"
	"slices"
	"time"
)

// Cells hold the law of a wait that is no few even pieces: chances of spans in which waits are taken to be equally likely.
// Of the laws made of them means and shares are right to LawError, and to a nanosecond.
type cells struct {
	ends   []float64 // of the cells, one more than there are
	chance []float64 // of each cell
	last   float64   // chance of exactly the last end
}

// LawError is how far, as a share, the numbers of a law with more than FewPieces pieces may be off, beside a nanosecond: the
// pieces stand for a density that is not as even as they are. Laws with fewer are exact.
const (
	LawError  = 1e-5
	FewPieces = 16
)

// after returns the law of a wait that is uniform between base and factor times a wait of this one, cut at the last end. The
// ends must be such that factor times an end is the end lag later, as far as there is one, and no cell begins below base.
func (c *cells) after(base, factor float64, lag int) *cells {
	n := len(c.chance)
	next := &cells{ends: c.ends, chance: make([]float64, n)}
	cut := c.ends[n]
	top := float64(c.last / (float64(factor*cut) - base + 1))
	density := top // at the waits of a cell, of all cells that reach beyond its end
	next.last = c.last - float64(top*max(cut-base, 0))
	for j := n + lag - 1; j >= 0; j-- {
		i := j - lag // whose waits, times factor, end in cell j
		each := 0.0
		if i >= 0 {
			each = float64(c.chance[i] * c.reciprocal(i, base, factor))
		}
		switch {
		case j < n:
		case i >= 0:
			density += each
			next.last += c.chance[i] - float64(each*max(cut-base, 0))
			fallthrough
		default:
			continue
		}
		next.chance[j] = float64(density * (c.ends[j+1] - c.ends[j]))
		if i >= 0 {
			next.chance[j] += c.chance[i] - float64(each*max(c.ends[j]-base, 0))
			density += each
		}
	}
	return next
}

// reciprocal returns the mean of 1/(factor·x − base + 1) over the waits x of cell i.
func (c *cells) reciprocal(i int, base, factor float64) float64 {
	from, to := c.ends[i], c.ends[i+1]
	if to-from <= 1 {
		return 1 / (float64(factor*from) - base + 1)
	}
	// the logarithm of b/a, where a and b are half a wait before the first and behind the last, by its series in (b−a)/(b+a)
	a, b := float64(factor*(from-0.5))-base+1, float64(factor*(to-0.5))-base+1
	t := (b - a) / (b + a)
	square := float64(t * t)
	series := 1 + float64(square*(1.0/3+float64(square*(1.0/5+float64(square/7)))))
	return float64(2*t*series) / float64(factor*(to-from))
}

// same reports whether two laws of the same ends are the same but for rounding.
func (c *cells) same(d *cells) bool {
	const rounding = 1e-14
	for i := range c.chance {
		if math.Abs(c.chance[i]-d.chance[i]) > rounding {
			return false
		}
	}
	return math.Abs(c.last-d.last) <= rounding
}

// law returns the cells as pieces. A cell without a whole number adds its chance to the next.
func (c *cells) law() Law {
	var law Law
	var chances []float64 // of one wait of each piece
	densest, carried, most := 0.0, 0.0, time.Duration(0)
	add := func(from, count, chance float64) {
		if chance > 0 {
			most = max(most, time.Duration(from)+time.Duration(count)-1)
		}
		chance += carried
		carried = chance
		if count >= 1 && chance > 0 {
			carried = 0
			law = append(law, Piece{From: time.Duration(from), Step: 1, Count: uint64(count)})
			chances = append(chances, chance/count)
			densest = max(densest, chance/count)
		}
	}
	n := len(c.chance)
	for i, chance := range c.chance {
		from := math.Ceil(c.ends[i])
		add(from, math.Ceil(c.ends[i+1])-from, chance)
	}
	add(math.Ceil(c.ends[n]), 1, c.last)
	for i := range law {
		law[i].Each = math.Round(float64(chances[i]/densest) * (1 << 120))
	}
	law = slices.DeleteFunc(law, func(p Piece) bool { return p.Each == 0 })
	if law[len(law)-1].To() < most { // hardly ever, but possible
		law = append(law, Piece{most, 1, 1, 1})
	}
	return law
}

// geometric returns the ends of cells that hold the whole numbers from 0 to most, wider the greater the numbers are.
func geometric(most float64) []float64 {
	const perFactor = 512 // cells while numbers grow by the factor e
	ends := []float64{0}
	for at := 0.0; at < most+1; {
		at = min(max(at+1, math.Floor(at+at/perFactor)), most+1)
		ends = append(ends, at)
	}
	return ends
}

// nested is the law of a whole number that is uniform over [0, k], k being drawn in the same way, and so on; the last is
// uniform over [0, d].
func nested(d time.Duration, times int) Law {
	ends := geometric(float64(d))
	c := &cells{ends: ends, chance: make([]float64, len(ends)-1)}
	for i := range c.chance {
		c.chance[i] = (ends[i+1] - ends[i]) / ends[len(ends)-1]
	}
	for range times - 1 {
		c = c.after(0, 1, 0)
	}
	return c.law()
}
