package result

import "math/big"

// Interval returns Student's 95 % interval for the mean of the values: exact sums and a root of 200 bits, nothing rounded.
// With a single value both ends are that value, and known is false.
func Interval(values []*big.Rat) (low, high *big.Rat, known bool) {
	mean := meanOf(values)
	if len(values) < 2 {
		return mean, mean, false
	}
	half := halfWidth(values, mean)
	return new(big.Rat).Sub(mean, half), new(big.Rat).Add(mean, half), true
}
