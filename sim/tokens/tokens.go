// Package tokens counts tokens that come by time or by parts, exactly: what is short of a token is kept.
package tokens

import (
	"math"
	"math/bits"
	"time"

	"herdsim/sim/clock"
)

// A Store holds whole tokens, and parts of one more. The zero value is empty and stays so.
type Store struct {
	Tokens uint64 // whole ones; whoever takes some subtracts them

	most        uint64
	unit, parts uint64     // parts that make a token; those there are
	each        uint64     // parts that every nanosecond brings
	at          clock.Time // up to which they have come
}

// Timed returns a full store of so many tokens that fills evenly at a rate.
func Timed(most uint64, r clock.Rate) Store {
	return Store{Tokens: most, most: most, unit: uint64(r.Per), each: uint64(r.Count)}
}

// Fed returns a store that holds so many of at most so many tokens, and gains parts of which unit, above 0, make one.
func Fed(tokens, most, unit uint64) Store { return Store{Tokens: tokens, most: most, unit: unit} }

// Add brings parts of a token. What the store cannot hold is lost.
func (s *Store) Add(parts uint64) { s.add(0, parts) }

// add brings hi·2^64 + lo parts.
func (s *Store) add(hi, lo uint64) {
	lo, carry := bits.Add64(lo, s.parts, 0)
	hi += carry
	gained := uint64(math.MaxUint64) // more than 64 bits hold
	if hi < s.unit {
		gained, s.parts = bits.Div64(hi, lo, s.unit)
	}
	if gained >= s.most-s.Tokens {
		s.Tokens, s.parts = s.most, 0
		return
	}
	s.Tokens += gained
}

// Refill brings what has come by itself until now; instants never go back. A store that is full loses what comes until
// something is taken, so it wants to be refilled before that.
func (s *Store) Refill(now clock.Time) {
	if s.each > 0 {
		s.add(bits.Mul64(uint64(now-s.at), s.each))
		s.at = now
	}
}

// Next returns the instant at which the next token will have come by itself; clock.End when none will.
func (s *Store) Next() clock.Time {
	if s.each == 0 {
		return clock.End
	}
	return s.at.Add(time.Duration((s.unit - s.parts + s.each - 1) / s.each))
}

// Drop takes a token, or what there is of one.
func (s *Store) Drop() {
	if s.Tokens == 0 {
		s.parts = 0
		return
	}
	s.Tokens--
}

// Above reports whether there is more than num/den of what the store can hold. num must be at most den.
func (s *Store) Above(num, den uint64) bool {
	hi, lo := bits.Mul64(s.most, num)
	whole, rest := bits.Div64(hi, lo, den)
	if s.Tokens != whole {
		return s.Tokens > whole
	}
	ahi, alo := bits.Mul64(s.parts, den)
	bhi, blo := bits.Mul64(rest, s.unit)
	return ahi > bhi || ahi == bhi && alo > blo
}
