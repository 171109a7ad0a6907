package plan

import (
	"math"
	"math/big"
	"time"

	"herdsim/sim/policy"
)

// Sums is what waits last together, up to a span.
type sums interface {
	// add adds one more wait, and returns the chance that it takes a sum from below the span beyond a limit, which is not below the span.
	add(w Wait, limit time.Duration) (beyond float64)
	// chance returns the chance that the waits, whose total is given, last at least the span.
	chance(t Total) float64
	// lasts returns the longest time that they last with at least a chance, which the span is at most reached with.
	lasts(chance float64) time.Duration
	// left returns the chance that they are below the span.
	left() float64
}

// newSums returns the distribution of no waits. Its grid is made for the first waits of the policy.
// Limits that are asked about are up to most.
func newSums(p policy.Policy, span, most time.Duration) (sums, error) {
	if c, ok := chained(p, span, most); ok {
		return c, nil
	}
	return newGrid(p, span)
}

// A grid is the distribution of what independent waits last together, up to a span: what is longer is dropped. It lies on a
// grid from 0 to the span. Where all waits are multiples of a unit that the grid is fine enough for, so are the sums, and
// the chances are exact but for the rounding of doubles. Otherwise a sum between two points of the grid is shared among
// them so that its mean stays; the error of a chance is then of the order of a cell's width squared, some 1e-8 for tens of
// waits, and at worst, where the density jumps at the very end of the span, of a cell's width, some 1e-6. Products are rounded before they are added, so that no machine fuses the two.
type grid struct {
	span   time.Duration
	unit   float64 // nanoseconds from one point to the next
	exact  bool
	p      []float64 // of each point of the grid
	lo, hi int       // p is 0 outside [lo, hi)
	next   []float64 // p with one more wait, while that is added
	sum    []float64 // running sums over p
	kernel *kernel   // of the last law of many pieces
}

const (
	mostCells  = 1 << 17
	roughCells = 1 << 15 // where laws are rough anyway, and adding one takes longer
	negligible = 1e-19   // mass at an end that is cut off
)

func newGrid(p policy.Policy, span time.Duration) (*grid, error) {
	unit, rough, err := commonUnit(p, span)
	if err != nil {
		return nil, err
	}
	cells := mostCells
	if rough {
		cells = roughCells
	}
	s := &grid{span: span, unit: float64(span) / float64(cells), hi: 1}
	if unit > 0 && span/unit < mostCells {
		s.unit, s.exact = float64(unit), true
		cells = int((span + unit - 1) / unit)
	}
	s.p, s.next, s.sum = make([]float64, cells+1), make([]float64, cells+1), make([]float64, cells+3)
	s.p[0] = 1
	return s, nil
}

// commonUnit returns the greatest span of which the waits are multiples, as far as they matter, and whether laws are rough.
func commonUnit(p policy.Policy, span time.Duration) (unit time.Duration, rough bool, err error) {
	const most = 1000
	limit := big.NewRat(int64(span), 1)
	limit.Add(limit, limit)
	walk := newWalk(p)
	for n := 1; n <= most && walk.total.Mean.Cmp(limit) < 0; n++ {
		w, err := walk.next()
		if err != nil {
			return 0, false, err
		}
		rough = rough || w.Rough
		for _, piece := range w.law {
			unit = divisor(unit, piece.From)
			if piece.Count > 1 {
				unit = divisor(unit, piece.Step)
			}
		}
	}
	return unit, rough, nil
}

func divisor(a, b time.Duration) time.Duration {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// chanceOf is what chance asks of both kinds of sums, left being the chance that they are below the span.
func chanceOf(t Total, span time.Duration, left func() float64) float64 {
	switch {
	case t.Min >= span:
		return 1
	case t.Max < span:
		return 0
	}
	return min(max(1-left(), 0), 1)
}

func (s *grid) chance(t Total) float64 { return chanceOf(t, s.span, s.left) }

func (s *grid) left() float64 {
	last := len(s.p) - 1
	short := 0.0
	for k := s.lo; k < min(s.hi, last); k++ {
		short += s.p[k]
	}
	if !s.exact {
		short += s.p[last] / 2 // what was shared with the end of the span lies on both sides of it
	}
	return short
}

func (s *grid) lasts(chance float64) time.Duration {
	return lastingOf(s.p, s.unit, s.exact, chance)
}

// lastingOf returns the longest time that is reached with at least a chance, given the chances of the points of a grid. Where
// sums lie between the points, so may it.
func lastingOf(p []float64, unit float64, exact bool, chance float64) time.Duration {
	below := 0.0 // of point k
	for k, mass := range p {
		if exact && below+mass > 1-chance {
			return time.Duration(float64(k) * unit)
		}
		if next := below + mass; !exact && next > 1-chance { // a point's chance is spread over the cell around it
			at := float64(k) - 0.5 + (1-chance-below)/mass
			return time.Duration(max(at, 0) * unit)
		}
		below += mass
	}
	return time.Duration(float64(len(p)-1) * unit)
}

func (s *grid) add(w Wait, limit time.Duration) (beyond float64) {
	law := w.law
	beyond = s.beyond(law, limit)
	clear(s.next)
	if len(law) > policy.FewPieces {
		s.convolve(law)
	} else {
		for i, share := range shares(law) {
			s.spread(law[i], share)
		}
	}
	reach := int(min(float64(law[len(law)-1].To())/s.unit+2, float64(len(s.p))))
	s.p, s.next = s.next, s.p
	s.lo, s.hi = max(s.lo-1, 0), min(s.hi+reach, len(s.p))
	for s.lo < s.hi && s.p[s.lo] < negligible {
		s.lo++
	}
	for s.hi > s.lo && s.p[s.hi-1] < negligible {
		s.hi--
	}
	return beyond
}

// shares returns the chance of each piece.
func shares(law policy.Law) []float64 {
	out := make([]float64, len(law))
	all := 0.0
	for i, piece := range law {
		out[i] = float64(float64(piece.Count) * piece.Each)
		all += out[i]
	}
	for i := range out {
		out[i] /= all
	}
	return out
}

// spread adds what the sums become with the waits of one piece.
func (s *grid) spread(piece policy.Piece, share float64) {
	from, step, to := float64(piece.From)/s.unit, float64(piece.Step)/s.unit, float64(piece.To())/s.unit
	if from >= float64(len(s.p)) {
		return
	}
	const few = 256 // waits so few and far apart are taken one by one
	onGrid := whole(from) && (piece.Count == 1 || whole(step))
	switch {
	case s.exact && onGrid:
		s.spreadExactly(int(from), step, piece.Count, share)
	case piece.Count == 1 || step > 1 && piece.Count <= few:
		for k := range piece.Count {
			s.shift(from+float64(step*float64(k)), share/float64(piece.Count))
		}
	default:
		s.smear(from-step/2, to+step/2, share)
	}
	s.exact = s.exact && onGrid
}

func whole(x float64) bool { return x == math.Trunc(x) }

// end returns the end of the points that p may come to with a wait of so many cells.
func (s *grid) end(cells float64) int { return int(min(float64(s.hi)+cells, float64(len(s.p)))) }

// spreadExactly adds the sums moved by from, from+step, …, count times, all of them points of the grid.
func (s *grid) spreadExactly(from int, step float64, count uint64, share float64) {
	stride := len(s.p) // nothing is moved that far
	if count > 1 && step < float64(stride) {
		stride = int(step)
	}
	end := s.end(float64(from) + float64(step*float64(count-1)))
	behind := s.sum[:len(s.p)] // of every stride-th point up to and including each
	for i := s.lo; i < end-from; i++ {
		behind[i] = s.p[i]
		if i-stride >= s.lo {
			behind[i] += behind[i-stride]
		}
	}
	window := len(s.p) // no sum has more points behind it
	if count <= uint64(len(s.p)/stride) {
		window = int(count) * stride
	}
	each := share / float64(count)
	for i := s.lo; i < end-from; i++ {
		sum := behind[i]
		if i-window >= s.lo {
			sum -= behind[i-window]
		}
		s.next[i+from] += float64(sum * each)
	}
}

// shift adds the sums moved by a number of cells that need not be whole.
func (s *grid) shift(by, share float64) {
	cells := math.Floor(by)
	if cells >= float64(len(s.p)) {
		return
	}
	upper := float64(share * (by - cells))
	lower := share - upper
	for i, k := s.lo, s.lo+int(cells); i < s.hi && k < len(s.p); i, k = i+1, k+1 {
		s.next[k] += float64(s.p[i] * lower)
		if k+1 < len(s.p) {
			s.next[k+1] += float64(s.p[i] * upper)
		}
	}
}

// smear adds the sums with a wait that is uniform over [from, to] cells: at each point the mean over a window of the line
// that joins the points of the grid.
func (s *grid) smear(from, to, share float64) {
	area := s.sum[:s.hi-s.lo+2] // under the line up to points lo-1, lo, …, hi
	area[0] = 0
	for i := s.lo; i <= s.hi; i++ {
		area[i-s.lo+1] = area[i-s.lo] + (s.at(i-1)+s.at(i))/2
	}
	density := share / (to - from)
	low, high := newWindow(to), newWindow(from)
	for k := max(s.lo+int(from)-1, 0); k < s.end(to+1); k++ {
		s.next[k] += float64((high.upTo(k, s, area) - low.upTo(k, s, area)) * density)
	}
}

func (s *grid) at(i int) float64 {
	if i < s.lo || i >= s.hi {
		return 0
	}
	return s.p[i]
}

// A window ends some cells before a point: whole ones, less a rest, and half the rest's square.
type window struct {
	cells      int
	rest, half float64
}

func newWindow(distance float64) window {
	up := math.Ceil(min(distance, 2*mostCells))
	rest := max(up-distance, 0)
	return window{int(up), rest, rest * rest / 2}
}

// upTo returns the area under the line up to the window's end before point k.
func (w window) upTo(k int, s *grid, area []float64) float64 {
	switch i := k - w.cells; {
	case i < s.lo-1:
		return 0
	case i >= s.hi:
		return area[len(area)-1]
	default:
		return area[i-s.lo+1] + float64(w.rest*s.at(i)) + float64(w.half*(s.at(i+1)-s.at(i)))
	}
}
