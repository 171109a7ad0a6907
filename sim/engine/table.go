package engine

import (
	"herdsim/sim/clock"
	"herdsim/sim/schedule"
)

// A job is what the engine knows of a live job, in 24 bytes. Its attempt number travels in its entry on the schedule, among
// the pending or among the calls.
type job struct {
	arrival clock.Time
	number  uint32 // the order of arrival; in a free slot, the next free slot
	index   uint32 // in its cohort
	cohort  uint16
	cause   Cause // of the call in flight
}

// A table holds the live jobs in slots that are used again, so that memory follows the jobs alive.
type table struct {
	slots   []job
	free    uint32 // 1 + the first free slot; 0 for none
	arrived uint32
	live    int
	fetched uint64 // keeps the compiler from dropping what Fetch reads
}

// add numbers j and returns its slot.
func (t *table) add(j job) uint32 {
	j.number = t.arrived
	t.arrived++
	t.live++
	if t.free == 0 {
		t.slots = append(t.slots, j)
		return uint32(len(t.slots) - 1)
	}
	slot := t.free - 1
	t.free = t.slots[slot].number
	t.slots[slot] = j
	return slot
}

func (t *table) remove(slot uint32) {
	t.live--
	t.slots[slot].number = t.free
	t.free = slot + 1
}

func (t *table) at(slot uint32) *job { return &t.slots[slot] }

// Number implements schedule.Jobs.
func (t *table) Number(slot uint32) uint32 { return t.slots[slot].number }

// Fetch implements schedule.Jobs. It reads both ends of the records, as some lie across two cache lines.
func (t *table) Fetch(entries []schedule.Entry) {
	var sum uint64
	for i := range entries {
		j := &t.slots[entries[i].Job]
		sum += uint64(j.arrival) + uint64(j.cohort)
	}
	t.fetched += sum
}
