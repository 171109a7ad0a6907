package policy

import (
	"slices"
	"time"
)

// Foresee returns a policy that knows more of p's waits than p, as it remembers what it was asked: it must be asked of
// failures in ascending order, and not by several goroutines.
func Foresee(p Policy) Policy {
	switch p := p.(type) {
	case decorrelated:
		if p.base >= leastBase || p.base == p.limit {
			return &foreseen{decorrelated: p}
		}
	case *composed:
		if ofCells(p.jitter) {
			return &recalling{composed: p}
		}
	case limited:
		p.within = Foresee(p.within)
		return &recallingLimits{limited: p}
	case heeding:
		p.within = Foresee(p.within)
		return p
	}
	return p
}

// leastBase is the least base of a decorrelated policy whose waits are so many that they may be taken for real numbers.
const leastBase = time.Microsecond

// ofCells reports whether the laws of a jitter have many pieces. They do not depend on the number of the failure.
func ofCells(j Jitter) bool {
	switch j := j.(type) {
	case Memoryless:
		return true
	case Steps:
		return ofCells(j.Jitter)
	case Chain:
		return j.full() > 1
	}
	return false
}

// A recalling policy remembers the last law: most waits of a life are often alike.
type recalling struct {
	*composed
	of  time.Duration
	law Law
}

// Law asks the jitter when the wait to spread is another one.
func (r *recalling) Law(f Failure) Law {
	if d := r.curve.Base(f.N()); r.law == nil || d != r.of {
		r.of, r.law = d, r.composed.Law(f)
	}
	return r.law
}

// A recallingLimits remembers what it made of the last law, when that had many pieces.
type recallingLimits struct {
	limited
	of, law Law
}

// Law limits the law of the policy within when it is another one.
func (r *recallingLimits) Law(f Failure) Law {
	within, ok := r.within.(Foreseeable)
	if !ok {
		return nil
	}
	law := within.Law(f)
	if len(law) <= FewPieces || len(r.of) == 0 || &law[0] != &r.of[0] {
		r.of, r.law = law, law.Limit(r.Least, r.Most).Floor(r.Step)
	}
	return r.law
}

// A foreseen is a decorrelated policy with the law of the waits that it was asked for.
type foreseen struct {
	decorrelated
	cells  *cells
	lag    int
	number int  // of the failure to which cells belong
	still  bool // later waits have the same law
	law    Law
}

// Law goes on from the law of the last failure.
func (p *foreseen) Law(f Failure) Law {
	if p.base == p.limit {
		return only(p.base)
	}
	if p.cells == nil || f.Number < p.number {
		p.begin()
	}
	if p.still {
		return p.law
	}
	for ; p.number < f.Number && !p.still; p.number++ {
		next := p.cells.after(float64(p.base), 3, p.lag)
		p.still = p.cells.same(next)
		p.cells = next
	}
	p.law = p.cells.law()
	last := p.law[len(p.law)-1]
	if most, _ := p.Price(f); last.To() < most { // the very longest is beyond the last cell
		p.law = append(p.law, Piece{most, 1, 1, last.Each})
	}
	return p.law
}

// Price is the longest wait that can follow so many.
func (p *foreseen) Price(f Failure) (wait, uncapped time.Duration) {
	uncapped = Exponential(p.base, Fraction{3, 1}, 0).Base(f.Number + 1)
	return min(uncapped, p.limit), uncapped
}

// begin finds the law of the first wait, uniform over [base, 3·base].
func (p *foreseen) begin() {
	ends, lag := lattice(p.base, p.limit, 1024)
	p.cells, p.lag, p.number, p.still = firstWait(p.base, ends, lag), lag, 1, false
}

// firstWait returns the law of a wait that is uniform over [base, 3·base], in the cells of a lattice.
func firstWait(base time.Duration, ends []float64, lag int) *cells {
	c := &cells{ends: ends, chance: make([]float64, len(ends)-1)}
	rest := 1.0
	for i := range c.chance[:min(lag, len(c.chance))] {
		c.chance[i] = (ends[i+1] - ends[i]) / (2*float64(base) + 1)
		rest -= c.chance[i]
	}
	if len(c.chance) <= lag {
		c.last = rest
	} else {
		c.chance[lag-1] += rest // the one wait of 3·base
	}
	return c
}

// lattice parts the waits of a decorrelated policy in cells: three times an end is the end lag later, as far as there is one.
// The first end is the base, the last the cap, which is above it; there are about so many cells up to three times the base.
func lattice(base, cap time.Duration, cellsPerTriple int) (ends []float64, lag int) {
	first := make([]float64, cellsPerTriple, cellsPerTriple+1)
	for i := range first {
		first[i] = float64(base) + float64(2*float64(base)*float64(i))/float64(cellsPerTriple)
	}
	low, triples := float64(cap), 0
	for ; low >= 3*float64(base); triples++ {
		low /= 3
	}
	at, there := slices.BinarySearch(first, low) // the cap is an end, so its third must be one
	if !there {
		first = slices.Insert(first, at, low)
	}
	scale := 1.0
	for range triples {
		for _, end := range first {
			ends = append(ends, float64(scale*end))
		}
		scale *= 3
	}
	for _, end := range first[:at] {
		ends = append(ends, float64(scale*end))
	}
	return append(ends, float64(cap)), len(first)
}

// A Correlation is how the waits of a policy hang together that draws each from the one before: uniform from the base to three times
// the last wait, cut at a cap. Waits are parted in cells.
type Correlation struct {
	Base  float64                                 // nanoseconds
	Ends  []float64                               // of the cells, one more than there are; the last is the cap, or beyond all that is asked for
	Lag   int                                     // a cell's ends times three are those so many cells later, as far as they exist
	First []float64                               // the chance of each cell for the first wait, and that of exactly the last end
	Reach []float64                               // of each cell and the last end: the mean of 1 over the number of waits that can follow
	Step  time.Duration                           // of which the waits are multiples
	Wait  func(drawn time.Duration) time.Duration // that the policy makes of one that was drawn
}

// Correlated returns how the waits of p hang together, in about so many cells up to three times the base. Waits above most
// need not be told apart, unless the policy shortens them. It reports false where waits are independent.
func Correlated(p Policy, most time.Duration, cellsPerTriple int) (*Correlation, bool) {
	d, step, wait, ok := chainOf(p)
	if !ok || d.base == d.limit || d.base < leastBase {
		return nil, false
	}
	limit := d.limit
	if wait(limit) > most {
		limit = min(limit, max(most, 2*d.base)+step) // rounded down, that is still beyond
	}
	ends, lag := lattice(d.base, limit, cellsPerTriple)
	first := firstWait(d.base, ends, lag)
	c := &Correlation{Base: float64(d.base), Ends: ends, Lag: lag, First: append(first.chance, first.last), Step: step, Wait: wait}
	for i := range first.chance {
		c.Reach = append(c.Reach, first.reciprocal(i, c.Base, 3))
	}
	c.Reach = append(c.Reach, 1/(float64(3*float64(limit))-c.Base+1))
	return c, true
}

// Dependent reports whether each wait of p depends on the one before.
func Dependent(p Policy) bool {
	d, _, _, ok := chainOf(p)
	return ok && d.base < d.limit
}

// chainOf returns the decorrelated policy behind p, the span of which p's waits are multiples, and what p makes of a draw.
func chainOf(p Policy) (d decorrelated, step time.Duration, wait func(drawn time.Duration) time.Duration, ok bool) {
	switch p := p.(type) {
	case decorrelated:
		return p, 1, func(drawn time.Duration) time.Duration { return drawn }, true
	case limited:
		d, _, within, ok := chainOf(p.within)
		return d, p.Step, func(drawn time.Duration) time.Duration { return p.limit(within(drawn)) }, ok
	case heeding:
		return chainOf(p.within)
	}
	return decorrelated{}, 0, nil, false
}
