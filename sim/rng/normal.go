package rng

import "math/bits"

// A standard normal number is counted in units of 2^−58, as unit exponentials are.

// unitNormal inverts the standard normal distribution function at (w + 1/2)/2^64, as a magnitude and whether it is
// negative: the words w and ^w give a number and its opposite. The largest magnitude is 9.18.
//
// For a magnitude z, twice the tail beyond it is m/2^64 with an odd m, and z is a smooth function of −ln(m/2^64), which
// the polynomials of normalRows approximate.
func unitNormal(w uint64) (magnitude uint64, negative bool) {
	negative = w < 1<<63
	if !negative {
		w = ^w
	}
	return halfNormal(unitExponential(-(2*w + 1))), negative
}

// halfNormal returns z ≥ 0 such that 2·(1 − Φ(z)) = exp(−e), for e up to 48, to within 2^−47. A row belongs to a
// sixteenth of [0, 1), of [1, 2), of [2, 4) and so on; its polynomial runs in the place x in that sixteenth.
func halfNormal(e uint64) uint64 {
	octave := max(bits.Len64(e>>ExponentialBits), 1)
	shift := ExponentialBits - 5 + octave
	row := &normalRows[e>>shift+uint64(16*(octave-1))]
	x := e << (64 - shift)
	sum := row[len(row)-1]
	for i := len(row) - 2; i >= 0; i-- {
		sum = row[i] + timesFraction(sum, x)
	}
	return uint64(max(sum, 0))
}

// timesFraction returns ⌊a·x/2^64⌋.
func timesFraction(a int64, x uint64) int64 {
	hi, _ := bits.Mul64(uint64(a), x)
	if a < 0 {
		hi -= x
	}
	return int64(hi)
}
