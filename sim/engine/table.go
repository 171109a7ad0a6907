package engine

import "herdsim/sim/clock"

// A job is what the engine reads of a live job at every attempt: 16 bytes, so that none lies across two cache lines. Its
// attempt number travels in its entry on the schedule, among the pending or among the calls.
type job struct {
	number uint32 // the order of arrival; in a free slot, the next free slot
	index  uint32 // in its cohort
	cohort uint16
	cause  Cause // of the call in flight
	_      uint32
}

// A table holds the live jobs in slots that are used again, so that memory follows the jobs alive.
type table struct {
	slots    []job
	arrivals []clock.Time // by slot; read once in a life
	free     uint32       // 1 + the first free slot; 0 for none
	arrived  uint32
	live     int
}

// add numbers j, which arrives at the instant at, and returns its slot.
func (t *table) add(j job, at clock.Time) uint32 {
	j.number = t.arrived
	t.arrived++
	t.live++
	if t.free == 0 {
		t.slots = append(t.slots, j)
		t.arrivals = append(t.arrivals, at)
		return uint32(len(t.slots) - 1)
	}
	slot := t.free - 1
	t.free = t.slots[slot].number
	t.slots[slot], t.arrivals[slot] = j, at
	return slot
}

func (t *table) remove(slot uint32) {
	t.live--
	t.slots[slot].number = t.free
	t.free = slot + 1
}

func (t *table) at(slot uint32) *job { return &t.slots[slot] }

func (t *table) number(slot uint32) uint32 { return t.slots[slot].number }
