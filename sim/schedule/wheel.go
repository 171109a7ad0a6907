package schedule

import (
	"math/bits"

	"herdsim/sim/clock"
)

// The wheels: each level has 64 slots, and a slot of level l spans 2^(shift0 + 6·l) ns: 4 µs, 262 µs, 17 ms, 1.07 s, 69 s
// and so on past every instant. Few slots per level keep the places that are written to at any time within reach of the
// nearest caches and page tables; that is worth a second move of every entry.
const (
	shift0   = 12
	slotBits = 6
	slots    = 1 << slotBits
	levels   = 9
)

func shift(level int) uint { return (shift0 + uint(level)*slotBits) & 63 }

// slotOf returns the slot of level that at falls into.
func slotOf(at clock.Time, level int) int { return int(at>>shift(level)) & (slots - 1) }

// levelOf returns the level on which an entry due at is filed while the wheels stand at pos: the one whose slots first
// tell the two apart.
func levelOf(at, pos clock.Time) int {
	return int(uint32(max(bits.Len64(uint64(at^pos)), shift0+1)-shift0-1) / slotBits)
}

// A bag is the entries of one slot, in the order in which they came. It is emptied as a whole.
type bag struct {
	last       *chunk // where the next entry goes, unless it is full
	head, tail uint32 // chunks; tail is last
	count      uint32
}

// A wheel is one level: a bag per slot, and a bit per slot in use.
type wheel struct {
	bags [slots]bag
	used uint64
}

// bag returns the bag of slot, with room for an entry.
func (w *wheel) bag(p *Pool, slot int) *bag {
	b := &w.bags[slot]
	if b.count%chunkLen == 0 {
		w.extend(p, slot)
	}
	return b
}

// place returns the place of a further entry, for which there is room.
func (b *bag) place() *Entry {
	at := b.count % chunkLen
	b.count++
	return &b.last[at]
}

// extend adds a chunk to the bag of slot, all of whose chunks are full.
func (w *wheel) extend(p *Pool, slot int) {
	b := &w.bags[slot]
	id := p.take()
	if b.count == 0 {
		b.head = id
		w.used |= 1 << slot
	} else {
		p.next[b.tail] = id
	}
	b.tail, b.last = id, p.at(id)
}

// from returns the first slot in use at or after slot, or -1.
func (w *wheel) from(slot int) int {
	rest := w.used >> slot
	if rest == 0 {
		return -1
	}
	return slot + bits.TrailingZeros64(rest)
}

// take empties a slot and returns what it held.
func (w *wheel) take(slot int) bag {
	b := w.bags[slot]
	w.bags[slot] = bag{}
	w.used &^= 1 << slot
	return b
}

// first returns the first entries, in the order in which they came.
func (b *bag) first(p *Pool) []Entry { return p.at(b.head)[:min(b.count, chunkLen)] }

// drop drops what first returns.
func (b *bag) drop(p *Pool) {
	head := b.head
	b.head, b.count = p.next[head], b.count-min(b.count, chunkLen)
	p.put(head)
}
