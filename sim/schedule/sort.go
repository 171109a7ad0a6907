package schedule

import (
	"math/bits"
	"slices"
)

const (
	insertionSort = 32 // keys up to which insertion beats counting; measured by BenchmarkSort
	mostBits      = 14 // of a digit: the counts fit the second nearest cache
	crowd         = 32 // keys of one digit that insertion is not to sort
	lowBits       = 8  // of a digit when every bit is counted
)

// sort sorts the keys, whose distances have so many bits: by their highest digit, of which there are about as many as keys, and
// those of one digit by insertion. Where they crowd, by digits of all the bits.
func (r *run) sort(width uint) {
	if n := len(r.sorted); n > insertionSort {
		r.spare = slices.Grow(r.spare[:0], n)[:n]
		high := min(width, uint(bits.Len(uint(n))), mostBits)
		if r.pass(placeBits+width-high, high, crowd) {
			for low := uint(0); low < width; low += lowBits {
				r.pass(placeBits+low, min(lowBits, width-low), n)
			}
			return
		}
	}
	insertion(r.sorted)
}

func insertion(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		k := keys[i]
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// pass sorts the keys by the digit of so many bits at shift, and keeps the order of equal ones. It does nothing, and reports
// so, when more than most keys have the same.
func (r *run) pass(shift, bits uint, most int) (crowded bool) {
	c := &r.counts
	clear(c[:1<<bits])
	c.count(r.sorted, shift, 1<<bits-1)
	if c.sum(1<<bits) > most {
		return true
	}
	c.place(r.sorted, r.spare, shift, 1<<bits-1)
	r.sorted, r.spare = r.spare, r.sorted
	return false
}

// counts are how many keys have each value of a digit, then where the next of them goes. Each loop is a function of its own, so
// that all it works with stays in registers.
type counts [1 << mostBits]uint32

// mask tells the compiler that no digit lies outside the counts.
const mask = 1<<mostBits - 1

func (c *counts) count(keys []uint64, shift uint, digit uint64) {
	for _, k := range keys {
		c[k>>(shift&63)&digit&mask]++
	}
}

// sum returns the highest count.
func (c *counts) sum(n int) int {
	sum, most := uint32(0), uint32(0)
	for i, have := range c[:n] {
		c[i] = sum
		sum += have
		most = max(most, have)
	}
	return int(most)
}

func (c *counts) place(from, to []uint64, shift uint, digit uint64) {
	for _, k := range from {
		at := &c[k>>(shift&63)&digit&mask]
		to[*at] = k
		*at++
	}
}
