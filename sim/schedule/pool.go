package schedule

const (
	chunkLen   = 128 // entries; 4 KiB, a page
	slabChunks = 32  // chunks taken from the allocator at once
)

type chunk [chunkLen]Entry

// A Pool lends chunks of entries to lists. It never moves a chunk and holds no pointer into one, so growth copies
// nothing and the collector has nothing to scan. Lists that fill while others empty share their memory through it.
type Pool struct {
	slabs []*[slabChunks]chunk
	next  []uint32 // by chunk: the chunk behind it in its list, or in the free list
	free  uint32   // first free chunk; 0 for none
}

func (p *Pool) at(id uint32) *chunk { return &p.slabs[id/slabChunks][id%slabChunks] }

// take returns a chunk that is in no list. Chunk 0 is never lent: its number means "none".
func (p *Pool) take() uint32 {
	if p.free == 0 {
		p.grow()
	}
	id := p.free
	p.free = p.next[id]
	p.next[id] = 0
	return id
}

func (p *Pool) put(id uint32) {
	p.next[id] = p.free
	p.free = id
}

func (p *Pool) grow() {
	from := uint32(len(p.slabs)) * slabChunks
	p.slabs = append(p.slabs, new([slabChunks]chunk))
	p.next = append(p.next, make([]uint32, slabChunks)...)
	for id := from + slabChunks - 1; id > from; id-- {
		p.put(id)
	}
	if from > 0 {
		p.put(from)
	}
}

// A list is a first-in first-out list of entries in chunks of a Pool. The zero value is empty.
type list struct {
	head, tail uint32 // chunks
	first      uint32 // position of the first entry in head
	count      uint32
}

// push appends e.
func (l *list) push(p *Pool, e Entry) {
	at := (l.first + l.count) % chunkLen
	if at == 0 {
		l.extend(p)
	}
	p.at(l.tail)[at] = e
	l.count++
}

func (l *list) extend(p *Pool) {
	id := p.take()
	if l.count == 0 {
		l.head = id
	} else {
		p.next[l.tail] = id
	}
	l.tail = id
}

// pop removes and returns the first entry. The list must not be empty.
func (l *list) pop(p *Pool) Entry {
	e := p.at(l.head)[l.first]
	l.first++
	l.count--
	if l.first == chunkLen || l.count == 0 {
		head := l.head
		l.head, l.first = p.next[head], 0
		p.put(head)
	}
	return e
}

// A Queue is a first-in first-out queue of entries. A short one lives in an array that stays in the cache, a long one in
// chunks of the pool.
type Queue struct {
	pool        *Pool
	front       [queueFront]Entry
	first, past int // front[first:past] are the first entries
	rest        list
}

const queueFront = 64

// NewQueue returns an empty queue whose entries live in pool.
func NewQueue(pool *Pool) *Queue { return &Queue{pool: pool} }

// Len returns the number of entries.
func (q *Queue) Len() int { return q.past - q.first + int(q.rest.count) }

// First returns the first entry. The queue must not be empty.
func (q *Queue) First() Entry {
	if q.first == q.past {
		return q.pool.at(q.rest.head)[q.rest.first]
	}
	return q.front[q.first]
}

// Push appends e.
func (q *Queue) Push(e Entry) {
	if q.past < queueFront && q.rest.count == 0 {
		q.front[q.past] = e
		q.past++
		return
	}
	q.rest.push(q.pool, e)
}

// Pop removes and returns the first entry. The queue must not be empty.
func (q *Queue) Pop() Entry {
	if q.first == q.past {
		return q.rest.pop(q.pool)
	}
	e := q.front[q.first]
	q.first++
	if q.first == q.past {
		q.first, q.past = 0, 0
	}
	return e
}
