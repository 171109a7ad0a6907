package schedule

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"herdsim/sim/clock"
)

// oracle is the sorted set as a slice: obviously right, and slow.
type oracle struct {
	items    []Entry
	byNumber bool
}

func (o *oracle) add(e Entry) {
	i, _ := slices.BinarySearchFunc(o.items, e, func(have, e Entry) int {
		if c := cmp.Compare(have.At, e.At); c != 0 {
			return c
		}
		if o.byNumber {
			return cmp.Compare(have.Number(), e.Number())
		}
		return -1 // behind its equals
	})
	o.items = slices.Insert(o.items, i, e)
}

func (o *oracle) popDue(now clock.Time) (Entry, bool) {
	if len(o.items) == 0 || o.items[0].At > now {
		return Entry{}, false
	}
	e := o.items[0]
	o.items = o.items[1:]
	return e, true
}

func (o *oracle) first() clock.Time {
	if len(o.items) == 0 {
		return clock.End
	}
	return o.items[0].At
}

// popDue removes the first entry of set if it is due at now or before.
func popDue(set *Set, now clock.Time) (Entry, bool) {
	set.Find(now)
	if set.Head > now {
		return Entry{}, false
	}
	return set.Pop(), true
}

// scramble is a permutation of the 32-bit numbers: job numbers that do not follow the order of insertion.
func scramble(i uint32) uint32 { return i * 2654435761 }

// converse drives a set and the oracle with one random history and compares every answer.
func converse(t *testing.T, rnd *rand.Rand, byNumber bool, steps int) {
	t.Helper()
	set, want := New(new(Pool), byNumber), &oracle{byNumber: byNumber}
	var now clock.Time
	var job uint32
	spans := []int64{1, 100, 1 << 12, 1 << 20, 1 << 25, 1 << 33, 1 << 40, 1 << 50}
	for range steps {
		for range rnd.IntN(8) {
			at := now + clock.Time(rnd.Int64N(spans[rnd.IntN(len(spans))]))
			if rnd.IntN(10) == 0 {
				at -= min(at, clock.Time(rnd.Int64N(1<<22)))
			}
			for range 1 + rnd.IntN(3) {
				e := Entry{At: at, Job: NewJob(0, scramble(job), rnd.Uint32(), 0)}
				job++
				set.Add(e)
				want.add(e)
			}
		}
		now += clock.Time(rnd.Int64N(spans[rnd.IntN(len(spans)-2)]))
		bound := set.Bound()
		set.Find(now)
		if first := want.first(); bound > first || set.Head != first && (first <= now || set.Head != clock.End) {
			t.Fatalf("at %d: bound %d, head %d; the first is %d", now, bound, set.Head, first)
		}
		for range rnd.IntN(12) {
			got, gotOK := popDue(set, now)
			e, ok := want.popDue(now)
			if got != e || gotOK != ok {
				t.Fatalf("PopDue(%d) = %v, %v; want %v, %v", now, got, gotOK, e, ok)
			}
		}
		if set.Len() != len(want.items) {
			t.Fatalf("Len = %d, want %d", set.Len(), len(want.items))
		}
	}
	for {
		got, gotOK := popDue(set, clock.End-1)
		e, ok := want.popDue(clock.End)
		if got != e || gotOK != ok {
			t.Fatalf("draining: %v, %v; want %v, %v", got, gotOK, e, ok)
		}
		if !ok {
			return
		}
	}
}

func TestSetAgainstSortedSlice(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		converse(t, rnd, true, 300)
		converse(t, rnd, false, 300)
	}
}

func FuzzSet(f *testing.F) {
	f.Add(uint64(1), true)
	f.Add(uint64(2), false)
	f.Fuzz(func(t *testing.T, seed uint64, byNumber bool) {
		converse(t, rand.New(rand.NewPCG(seed, 2)), byNumber, 100)
	})
}

// Many entries in one slot, at one instant, and added to the slot being read: the splits and the radix sort.
func TestSetDense(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		name  string
		n     int
		width int64
		late  int
	}{
		{"one instant", 100_000, 1, 0},
		{"one slot, split", 70_000, 1 << 24, 0},
		{"one slot, radix", 5_000, 1 << 24, 9_000},
		{"low bits only", 3_000, 1 << 9, 3_000},
		{"late at one instant", 10, 1, 9_000},
	} {
		for _, byNumber := range []bool{false, true} {
			set, want := New(new(Pool), byNumber), []Entry{}
			const base = clock.Time(3 << 40)
			add := func(job int) {
				e := Entry{At: base + clock.Time(rnd.Int64N(c.width)), Job: NewJob(0, scramble(uint32(job)), 0, 0)}
				set.Add(e)
				want = append(want, e)
			}
			for i := range c.n {
				add(i)
			}
			set.Find(clock.End - 1) // begins to read the slot
			if set.Head < base || set.Head == clock.End {
				t.Fatalf("%s: head %d", c.name, set.Head)
			}
			for i := range c.late {
				add(c.n + i)
			}
			slices.SortStableFunc(want, func(a, b Entry) int {
				if a.At != b.At || !byNumber {
					return cmp.Compare(a.At, b.At)
				}
				return cmp.Compare(a.Number(), b.Number())
			})
			for i, e := range want {
				if got, ok := popDue(set, clock.End-1); !ok || got != e {
					t.Fatalf("%s: entry %d is %v, %v; want %v", c.name, i, got, ok, e)
				}
			}
		}
	}
}

func TestQueueReusesItsChunks(t *testing.T) {
	var p Pool
	q := NewQueue(&p)
	for round := range 1000 {
		for i := range 300 {
			q.Push(Entry{Job: NewJob(0, uint32(i), uint32(round), 0)})
		}
		for i := range 300 {
			if i%3 == 0 { // one more behind, so that the ends meet in every way
				q.Push(Entry{Job: NewJob(0, uint32(300+i/3), uint32(round), 0)})
			}
			if e := q.Pop(); e.Number() != uint32(i) || e.Index() != uint32(round) {
				t.Fatalf("round %d: popped %v, want job %d", round, e, i)
			}
		}
		for i := 300; i < 400; i++ {
			if e := q.Pop(); e.Number() != uint32(i) {
				t.Fatalf("round %d: popped %v, want job %d", round, e, i)
			}
		}
	}
	if q.Len() != 0 || len(p.slabs) != 1 {
		t.Errorf("%d entries, %d slabs; want 0 and 1: chunks are not reused", q.Len(), len(p.slabs))
	}
}

// BenchmarkHold is the classic hold model: the set keeps its size, each pop adds one entry up to 30 s later.
func BenchmarkHold(b *testing.B) {
	for _, c := range []struct {
		name string
		jobs int
	}{{"1k", 1_000}, {"100k", 100_000}, {"1M", 1_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			set := New(new(Pool), true)
			state := uint64(1)
			wait := func() clock.Time {
				state = state*6364136223846793005 + 1442695040888963407
				return clock.Time(state >> 30 % 30_000_000_000)
			}
			for i := range c.jobs {
				set.Add(Entry{At: wait(), Job: NewJob(0, uint32(i), 0, 0)})
			}
			for b.Loop() {
				set.Find(clock.End - 1)
				e := set.Pop()
				e.At += wait()
				set.Add(e)
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{16, 32, 64, 256, 1024, 4096, 16384} {
		from := make([]uint64, n)
		rnd := rand.New(rand.NewPCG(1, 1))
		for i := range from {
			from[i] = rnd.Uint64N(1<<24)<<placeBits | uint64(i)
		}
		for name, way := range map[string]func(*run){
			"insertion": func(r *run) { insertion(r.sorted) },
			"counting":  func(r *run) { r.sort(24) },
			"crowded": func(r *run) {
				r.sorted = append(r.sorted[:0], from...)
				for i := range r.sorted {
					r.sorted[i] &^= 1<<(placeBits+23) - 1<<(placeBits+7)
				}
				r.sort(24)
			},
		} {
			if name == "insertion" && n > 1024 {
				continue
			}
			b.Run(name+"/"+strconv.Itoa(n), func(b *testing.B) {
				var r run
				for b.Loop() {
					r.sorted = append(r.sorted[:0], from...)
					way(&r)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entry")
			})
		}
	}
}
