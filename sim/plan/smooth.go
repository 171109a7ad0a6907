package plan

import (
	"math"
	"time"

	"gonum.org/v1/gonum/dsp/fourier"

	"herdsim/sim/policy"
)

// convolve makes next what the sums become with the waits of a law of many pieces: the product of the two transforms.
func (s *grid) convolve(law policy.Law) {
	kernel := s.sample(law)
	n := 1
	for n < s.hi+len(kernel) {
		n *= 2
	}
	transform := fourier.NewFFT(n)
	padded := make([]float64, n)
	copy(padded, s.p[:s.hi])
	a := transform.Coefficients(nil, padded)
	clear(padded)
	copy(padded, kernel)
	b := transform.Coefficients(nil, padded)
	for i := range a {
		a[i] *= b[i]
	}
	transform.Sequence(padded, a)
	for k := range min(len(s.next), n) {
		s.next[k] = max(padded[k]/float64(n), 0)
	}
}

// sample returns the chances of a law at the points of the grid, up to its longest wait or the end of the span. Waits
// between two points are shared among them so that their mean stays.
func (s *grid) sample(law policy.Law) []float64 {
	longest := float64(law[len(law)-1].To()) / s.unit
	kernel := make([]float64, int(min(longest+3, float64(len(s.p)))))
	put := func(k int, chance float64) {
		if k >= 0 && k < len(kernel) {
			kernel[k] += chance
		}
	}
	onGrid := true
	for i, share := range shares(law) {
		piece := law[i]
		from, to := float64(piece.From)/s.unit, float64(piece.To())/s.unit
		if from >= float64(len(kernel)) {
			break
		}
		step := float64(piece.Step) / s.unit
		aligned := whole(from) && (piece.Count == 1 || whole(step))
		onGrid = onGrid && aligned
		switch {
		case s.exact && aligned:
			for k, at := uint64(0), from; k < piece.Count && at < float64(len(kernel)); k, at = k+1, at+step {
				put(int(at), share/float64(piece.Count))
			}
		case piece.Count == 1:
			k := math.Floor(from)
			put(int(k), float64(share*(1-(from-k))))
			put(int(k)+1, float64(share*(from-k)))
		default:
			from, to = from-step/2, to+step/2
			for k := math.Floor(from); k < min(to+1, float64(len(kernel))); k++ {
				put(int(k), float64(share/(to-from)*(tent(to-k)-tent(from-k))))
			}
		}
	}
	s.exact = s.exact && onGrid
	return kernel
}

// tent returns the area left of x under the tent over [−1, 1] whose top is 1.
func tent(x float64) float64 {
	switch {
	case x <= -1:
		return 0
	case x <= 0:
		return float64((1+x)*(1+x)) / 2
	case x < 1:
		return 1 - float64((1-x)*(1-x))/2
	}
	return 1
}

// beyond returns the chance that a wait takes a sum from below the span beyond a limit.
func (s *grid) beyond(law policy.Law, limit time.Duration) float64 {
	longest := law[len(law)-1].To()
	if sum(time.Duration(s.span), longest) <= limit {
		return 0
	}
	chances := shares(law)
	beyond, above := 0.0, 0.0 // above: of the pieces from i on
	i := len(law)
	for k := s.lo; k < min(s.hi, len(s.p)-1); k++ {
		room := limit - time.Duration(float64(k)*s.unit) // the sum may grow by so much
		for i > 0 && law[i-1].From > room {
			i--
			above += chances[i]
		}
		part := 0.0 // of the piece in which the room ends
		if i > 0 && law[i-1].To() > room {
			within := uint64((room-law[i-1].From)/law[i-1].Step) + 1
			part = float64(chances[i-1] * (float64(law[i-1].Count-within) / float64(law[i-1].Count)))
		}
		beyond += float64(s.p[k] * (above + part))
	}
	return beyond
}
