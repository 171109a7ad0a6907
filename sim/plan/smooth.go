package plan

import (
	"math"
	"time"

	"gonum.org/v1/gonum/dsp/fourier"

	"herdsim/sim/policy"
)

// A kernel is a law at the points of a grid, transformed.
type kernel struct {
	law       policy.Law
	points    int
	exact     bool // all waits are points
	transform *fourier.FFT
	of        []complex128
}

// noise is what a transform makes of nothing, some 1e-17; what lies below is taken for that.
const noise = 1e-15

// convolve makes next what the sums become with the waits of a law of many pieces: the product of the two transforms.
func (s *grid) convolve(law policy.Law) {
	window := s.hi - s.lo
	k := s.kernel
	if k == nil || len(k.law) != len(law) || &k.law[0] != &law[0] || k.transform.Len() < window+k.points {
		k = s.newKernel(law, window)
		s.kernel = k
	}
	s.exact = s.exact && k.exact
	padded := make([]float64, k.transform.Len())
	copy(padded, s.p[s.lo:s.hi])
	product := k.transform.Coefficients(nil, padded)
	for i := range product {
		product[i] *= k.of[i]
	}
	k.transform.Sequence(padded, product)
	for i := range min(len(s.next)-s.lo, len(padded)) {
		if mass := padded[i] / float64(len(padded)); mass > noise {
			s.next[s.lo+i] = mass
		}
	}
}

// newKernel transforms a law for sums that lie in a window of so many points.
func (s *grid) newKernel(law policy.Law, window int) *kernel {
	chances, exact := s.sample(law)
	n := 1
	for n < window+len(chances) {
		n *= 2
	}
	k := &kernel{law: law, points: len(chances), exact: exact, transform: fourier.NewFFT(n)}
	k.of = k.transform.Coefficients(nil, append(chances, make([]float64, n-len(chances))...))
	return k
}

// sample returns the chances of a law at the points of the grid, up to its longest wait or the end of the span. Waits
// between two points are shared among them so that their mean stays. exact says that there are none.
func (s *grid) sample(law policy.Law) (chances []float64, exact bool) {
	longest := float64(law[len(law)-1].To()) / s.unit
	chances = make([]float64, int(min(longest+3, float64(len(s.p)))))
	put := func(k int, chance float64) {
		if k >= 0 && k < len(chances) {
			chances[k] += chance
		}
	}
	exact = true
	for i, share := range shares(law) {
		piece := law[i]
		from, to := float64(piece.From)/s.unit, float64(piece.To())/s.unit
		if from >= float64(len(chances)) {
			break
		}
		step := float64(piece.Step) / s.unit
		aligned := whole(from) && (piece.Count == 1 || whole(step))
		exact = exact && aligned
		switch {
		case s.exact && aligned:
			for k, at := uint64(0), from; k < piece.Count && at < float64(len(chances)); k, at = k+1, at+step {
				put(int(at), share/float64(piece.Count))
			}
		case piece.Count == 1:
			k := math.Floor(from)
			put(int(k), float64(share*(1-(from-k))))
			put(int(k)+1, float64(share*(from-k)))
		default:
			from, to = from-step/2, to+step/2
			for k := math.Floor(from); k < min(to+1, float64(len(chances))); k++ {
				put(int(k), float64(share/(to-from)*(tent(to-k)-tent(from-k))))
			}
		}
	}
	return chances, exact
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
