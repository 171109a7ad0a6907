package schedule

import (
	"math/bits"

	"herdsim/sim/clock"
)

// The wheels: slots of level l span 2^(shift0 + l·slotBits) ns, so that five levels reach past every instant.
// Level 1 is where most waits land: 4096 slots of 16.8 ms, 69 s in all.
const (
	shift0   = 12
	slotBits = 12
	slots    = 1 << slotBits
	levels   = 5
)

func shift(level int) uint { return shift0 + uint(level)*slotBits }

// slotOf returns the slot of level that at falls into.
func slotOf(at clock.Time, level int) int { return int(at>>shift(level)) & (slots - 1) }

// levelOf returns the level on which an entry due at is filed while the wheels stand at pos: the one whose slots first
// tell the two apart.
func levelOf(at, pos clock.Time) int {
	return (max(bits.Len64(uint64(at^pos)), shift0+1) - shift0 - 1) / slotBits
}

// A bag is the entries of one slot, in the order in which they came. It is emptied as a whole.
type bag struct {
	head, tail uint32 // chunks
	count      uint32
}

// A wheel is one level: a bag per slot, and two layers of bits that find the next slot in use.
type wheel struct {
	bags  [slots]bag
	used  [slots / 64]uint64
	words uint64 // bit w: used[w] is not zero
}

func (w *wheel) push(p *Pool, slot int, e Entry) {
	b := &w.bags[slot]
	at := b.count % chunkLen
	if at == 0 {
		w.extend(p, slot)
	}
	b.count++
	p.at(b.tail)[at] = e
}

// extend adds a chunk to the bag of slot, all of whose chunks are full.
func (w *wheel) extend(p *Pool, slot int) {
	b := &w.bags[slot]
	id := p.take()
	if b.count == 0 {
		b.head = id
		w.used[slot/64] |= 1 << (slot % 64)
		w.words |= 1 << (slot / 64)
	} else {
		p.next[b.tail] = id
	}
	b.tail = id
}

// from returns the first slot in use at or after slot, or -1.
func (w *wheel) from(slot int) int {
	word := slot / 64
	if rest := w.used[word] >> (slot % 64); rest != 0 {
		return slot + bits.TrailingZeros64(rest)
	}
	later := w.words &^ (1<<(word+1) - 1)
	if later == 0 {
		return -1
	}
	word = bits.TrailingZeros64(later)
	return word*64 + bits.TrailingZeros64(w.used[word])
}

// drain appends the entries of slot to dst and empties the slot.
func (w *wheel) drain(p *Pool, slot int, dst []Entry) []Entry {
	b := &w.bags[slot]
	for b.count > 0 {
		n := min(b.count, chunkLen)
		dst = append(dst, p.at(b.head)[:n]...)
		head := b.head
		b.head, b.count = p.next[head], b.count-n
		p.put(head)
	}
	w.used[slot/64] &^= 1 << (slot % 64)
	if w.used[slot/64] == 0 {
		w.words &^= 1 << (slot / 64)
	}
	return dst
}
