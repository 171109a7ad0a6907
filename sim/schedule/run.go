package schedule

import (
	"cmp"
	"slices"

	"herdsim/sim/clock"
)

// A run is the slot being read. Its entries stay in the chunks in which they were filed, and only keys are sorted, which are small:
// an entry's distance from the start of the slot, and behind it in placeBits bits its place in the chunks. Keys are all
// different, and sorting them keeps the order of equal instants. Entries are fetched many at a time, so that the
// processor waits for all of them together rather than for each.
type run struct {
	first, past uint32 // front[first:past] come next
	front       [fetchLen + 1]Entry
	keys        []uint64   // of the entries behind them, sorted
	from        clock.Time // start of the slot

	chunks        []*chunk // of the entries
	head          uint32   // the first of them in the pool; 0 for none
	sorted, spare []uint64 // memory of the keys and of their sort
	counts        counts
}

const (
	fetchLen  = 64 // entries that are fetched together
	placeBits = 28
	placeMask = 1<<placeBits - 1
)

// open begins to read a slot that begins at from, and spans width bits of time. The one before must be over.
func (r *run) open(p *Pool, b bag, from clock.Time, width uint, byNumber bool) {
	r.close(p)
	r.from, r.head = from, b.head
	r.sorted = slices.Grow(r.sorted[:0], int(b.count))[:b.count]
	if !r.makeKeys(p) {
		r.sort(width)
	}
	if byNumber {
		r.sortTies()
	}
	r.keys = r.sorted
	r.fetch()
}

// close gives the chunks back and leaves nothing to read.
func (r *run) close(p *Pool) {
	for r.head != 0 {
		head := r.head
		r.head = p.next[head]
		p.put(head)
	}
	r.chunks, r.keys = r.chunks[:0], nil
	r.fetch()
}

// makeKeys makes a key for each entry and reports whether they are sorted as they are.
func (r *run) makeKeys(p *Pool) bool {
	ordered, last, id := true, r.from, r.head
	for i := 0; i < len(r.sorted); i += chunkLen {
		c := p.at(id)
		r.chunks = append(r.chunks, c)
		id = p.next[id]
		keys := r.sorted[i:min(i+chunkLen, len(r.sorted))]
		for j := range keys {
			at := c[j&(chunkLen-1)].At
			if at < last {
				ordered = false
			}
			last = at
			keys[j] = uint64(at-r.from)<<placeBits | uint64(i+j)
		}
	}
	return ordered
}

// fetch fetches the entries that come next. Behind them stands the instant of the next but those: clock.End when there is none.
func (r *run) fetch() {
	keys := r.keys[:min(fetchLen, len(r.keys))]
	for i, k := range keys {
		r.front[i&(fetchLen-1)] = *r.entry(k)
	}
	r.first, r.past, r.keys = 0, uint32(len(keys)), r.keys[len(keys):]
	r.front[len(keys)].At = clock.End
	if len(r.keys) > 0 {
		r.front[len(keys)].At = r.from + clock.Time(r.keys[0]>>placeBits)
	}
}

// entry returns the entry of a key.
func (r *run) entry(key uint64) *Entry {
	place := key & placeMask
	return &r.chunks[place/chunkLen][place%chunkLen]
}

// at returns the instant of the next entry; clock.End when there is none.
func (r *run) at() clock.Time { return r.front[r.first].At }

// over reports whether all entries have been read.
func (r *run) over() bool { return r.at() == clock.End }

// next returns the next entry, of which there is one.
func (r *run) next() *Entry {
	if r.first == r.past {
		r.fetch()
	}
	return &r.front[r.first&(fetchLen-1)]
}

// sortTies puts the jobs of each instant in the order of their numbers. They mostly are already.
func (r *run) sortTies() {
	keys, last := r.sorted, ^uint64(0)
	for i := 0; i < len(keys); i++ {
		distance := keys[i] >> placeBits
		if distance != last {
			last = distance
			continue
		}
		if r.byNumber(keys[i-1], keys[i]) < 0 {
			continue
		}
		from, to := i-1, i+1
		for from > 0 && keys[from-1]>>placeBits == distance {
			from--
		}
		for to < len(keys) && keys[to]>>placeBits == distance {
			to++
		}
		slices.SortFunc(keys[from:to], r.byNumber)
		i = to - 1
	}
}

func (r *run) byNumber(a, b uint64) int { return cmp.Compare(r.entry(a).Number(), r.entry(b).Number()) }
