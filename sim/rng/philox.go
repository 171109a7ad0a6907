package rng

import "math/bits"

// Constants of Philox4x64-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11), table 2.
const (
	mul0  = 0xD2E7470EE14C6C93
	mul1  = 0xCA5A826395121157
	weyl0 = 0x9E3779B97F4A7C15
	weyl1 = 0xBB67AE8584CAA73B
)

// block returns the four words of Philox4x64-10 for a key and a counter. Two rounds at a time, on scalars rather than an
// array: the words then stay in registers, and half of the moves between them disappear.
func block(key0, key1, c0, c1, c2, c3 uint64) (uint64, uint64, uint64, uint64) {
	for range 5 {
		hi0, lo0 := bits.Mul64(mul0, c0)
		hi1, lo1 := bits.Mul64(mul1, c2)
		even0, even2 := hi1^c1^key0, hi0^c3^key1
		key0, key1 = key0+weyl0, key1+weyl1
		hi0, c3 = bits.Mul64(mul0, even0)
		hi1, c1 = bits.Mul64(mul1, even2)
		c0, c2 = hi1^lo1^key0, hi0^lo0^key1
		key0, key1 = key0+weyl0, key1+weyl1
	}
	return c0, c1, c2, c3
}
