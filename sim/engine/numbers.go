package engine

import "math/bits"

// numbers is a set of the numbers from 0 up to a limit whose least is found at once. Above the words that hold a bit for each
// number lie words with a bit for each word below that is not empty, and so on up to a single one.
type numbers [][]uint64

// allBelow returns the set of the numbers below n.
func allBelow(n int) numbers {
	var all numbers
	for {
		words := make([]uint64, (n+63)/64)
		for i := range words {
			words[i] = ^uint64(0) >> max(0, 64*(i+1)-n)
		}
		all = append(all, words)
		if len(words) <= 1 {
			return all
		}
		n = len(words)
	}
}

func (s numbers) has(i int) bool { return s[0][i/64]>>(i%64)&1 != 0 }

func (s numbers) add(i int) {
	for _, words := range s {
		words[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s numbers) remove(i int) {
	for _, words := range s {
		words[i/64] &^= 1 << (i % 64)
		if i /= 64; words[i] != 0 {
			return
		}
	}
}

// first returns the least number of the set; false when it is empty.
func (s numbers) first() (int, bool) {
	i := 0
	for level := len(s) - 1; level >= 0; level-- {
		word := s[level][i]
		if word == 0 {
			return 0, false
		}
		i = 64*i + bits.TrailingZeros64(word)
	}
	return i, true
}
