package metrics

import (
	"math/big"
	"math/bits"
)

// A sum128 adds up spans in nanoseconds. Events are counted in 32 bits and spans in 63, so it never overflows.
type sum128 struct{ hi, lo uint64 }

func (s *sum128) add(v uint64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, v, 0)
	s.hi += carry
}

func (s sum128) int() *big.Int { return wideInt(s.hi, s.lo) }

// A sum192 adds up squares of spans: 126 bits each, at most 2^32 of them.
type sum192 struct{ hi, mid, lo uint64 }

func (s *sum192) addSquare(v uint64) {
	hi, lo := bits.Mul64(v, v)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.mid, carry = bits.Add64(s.mid, hi, carry)
	s.hi += carry
}

func (s sum192) int() *big.Int { return wideInt(s.hi, s.mid, s.lo) }

// wideInt returns the number whose 64-bit digits are given, the highest first.
func wideInt(digits ...uint64) *big.Int {
	n := new(big.Int)
	for _, d := range digits {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(d))
	}
	return n
}
