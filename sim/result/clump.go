package result

import (
	"fmt"
	"math/big"
	"slices"
)

// A Clump is a part of the replications whose values lie near each other and far from all others.
type Clump struct {
	Replications int    `json:"replications"`
	CI95         Bounds `json:"ci95"` // of the share of replications in the clump, 0..1, by Wilson
	Mean         Number `json:"mean"`
	Min          Number `json:"min"`
	Max          Number `json:"max"`
}

// When values count as two clumps.
const (
	fewestToClump = 10 // replications with a value; fewer lie apart by chance too often
	fewestInClump = 3
	clumpShare    = 10 // a clump holds at least one in so many
	countSpreads  = 4  // standard deviations of a count, as if it were Poisson's, that a gap must be wide
)

// Clumps returns the lower and the upper clump that the values fall into, or nothing when they do not: their mean is then
// as good a summary as any. Values that are nil are left out. grain is what one more thing adds to a count or a rate of
// things; 0 for numbers that count nothing.
//
// The values fall in two clumps when there are at least ten, and the widest gap between neighbours that leaves at least
// three, and a tenth, on either side
//
//   - takes half of the way from the least to the greatest: the middle is empty;
//   - is at least half of the largest magnitude: 1000 and 1001 are one thing;
//   - is at least four times the root of the greatest count: 0 and 1 jobs, or 3 and 12, differ by the luck of few.
//
// All is decided on exact values, so that the answer is the same everywhere.
func Clumps(values []*big.Rat, grain *big.Rat) []Clump {
	known := make([]*big.Rat, 0, len(values))
	for _, v := range values {
		if v != nil {
			known = append(known, v)
		}
	}
	if len(known) < fewestToClump {
		return nil
	}
	slices.SortFunc(known, (*big.Rat).Cmp)
	at, gap := widestGap(known)
	least, most := known[0], known[len(known)-1]
	scale := new(big.Rat).Abs(least)
	if m := new(big.Rat).Abs(most); m.Cmp(scale) > 0 {
		scale = m
	}
	twice := new(big.Rat).Add(gap, gap)
	noise := new(big.Rat).Mul(grain, scale)
	noise.Mul(noise, big.NewRat(countSpreads*countSpreads, 1)) // the square of what the gap must be
	if gap.Sign() == 0 || twice.Cmp(new(big.Rat).Sub(most, least)) < 0 || twice.Cmp(scale) < 0 ||
		new(big.Rat).Mul(gap, gap).Cmp(noise) < 0 {
		return nil
	}
	return []Clump{newClump(known[:at], len(known)), newClump(known[at:], len(known))}
}

// widestGap returns the position before which sorted values leave the widest gap, and the gap; 0 when none is allowed.
func widestGap(sorted []*big.Rat) (at int, gap *big.Rat) {
	gap = new(big.Rat)
	least := max(fewestInClump, (len(sorted)+clumpShare-1)/clumpShare)
	for i := least; i <= len(sorted)-least; i++ {
		if g := new(big.Rat).Sub(sorted[i], sorted[i-1]); g.Cmp(gap) > 0 {
			at, gap = i, g
		}
	}
	return at, gap
}

func newClump(sorted []*big.Rat, of int) Clump {
	z, n := normalZ(), new(big.Rat).SetInt64(int64(of))
	return Clump{
		Replications: len(sorted),
		CI95:         wilson(big.NewRat(int64(len(sorted)), int64(of)), z.Quo(z.Mul(z, z), n)),
		Mean:         MeanOf(sorted), Min: MeanOf(sorted[:1]), Max: MeanOf(sorted[len(sorted)-1:]),
	}
}

// validateClumps reports clumps that are not two, or hold other than the replications with a value.
func (m Metric) validateClumps() error {
	if len(m.Clumps) == 0 {
		return nil
	}
	known := 0
	for _, v := range m.Values {
		if v != nil {
			known++
		}
	}
	held := 0
	for _, c := range m.Clumps {
		if c.Replications < 1 {
			return fmt.Errorf("a clump holds %d replications, want 1 or more", c.Replications)
		}
		held += c.Replications
	}
	if len(m.Clumps) != 2 || held != known {
		return fmt.Errorf("%d clumps hold %d replications, want 2 with the %d that have a value", len(m.Clumps), held, known)
	}
	return nil
}
