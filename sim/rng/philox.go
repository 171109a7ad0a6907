package rng

import "math/bits"

// Constants of Philox4x64-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11), table 2.
const (
	mul0  = 0xD2E7470EE14C6C93
	mul1  = 0xCA5A826395121157
	weyl0 = 0x9E3779B97F4A7C15
	weyl1 = 0xBB67AE8584CAA73B
)

// A schedule holds the keys of the ten rounds, one pair a round.
type schedule [20]uint64

func newSchedule(key0, key1 uint64) *schedule {
	var k schedule
	for i := 0; i < len(k); i += 2 {
		k[i], k[i+1] = key0, key1
		key0 += weyl0
		key1 += weyl1
	}
	return &k
}

// word returns word 0 of the block of a counter; nobody needs the other three. The rounds are written out, two a line, for
// the words to stay in registers; the last one computes what word 0 depends on.
func (k *schedule) word(c0, c1, c2, c3 uint64) uint64 {
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[0], k[1])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[2], k[3])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[4], k[5])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[6], k[7])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[8], k[9])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[10], k[11])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[12], k[13])
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k[14], k[15])
	_, c1, c2, _ = round(c0, c1, c2, c3, k[16], k[17])
	hi, _ := bits.Mul64(mul1, c2)
	return hi ^ c1 ^ k[18]
}

func round(c0, c1, c2, c3, key0, key1 uint64) (uint64, uint64, uint64, uint64) {
	hi0, lo0 := bits.Mul64(mul0, c0)
	hi1, lo1 := bits.Mul64(mul1, c2)
	return hi1 ^ c1 ^ key0, lo1, hi0 ^ c3 ^ key1, lo0
}
