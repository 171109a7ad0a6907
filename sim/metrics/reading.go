package metrics

import (
	"math/big"
	"time"
)

// A Direction says which numbers of a metric are the better ones for who runs the queue.
type Direction int

// Directions.
const (
	Neither Direction = iota
	Lower
	Higher
)

// Better returns the direction of a metric by its id. Most metrics count or time something unwanted: less is better. That
// holds for calls too, which are load; what is neither good nor bad, or both, is listed here.
func Better(id string) Direction {
	switch id {
	case "jobs.succeeded", "success.total", "retries.spread":
		return Higher
	case "jobs.total", "calls.first", "retries.instants", "retries.peak_at", "calls.peak_at", "success.first_at",
		"dead.first_at", "dead.last_at", "dead.replayed":
		return Neither
	}
	return Lower
}

// ShareOf returns the term of the jobs of which t counts some, if it counts each job at most once: only of such a number
// is it sensible to speak as a share.
func (t Term) ShareOf() (Term, bool) {
	switch t.ID {
	case "jobs.succeeded", "jobs.dead", "jobs.unfinished":
		return Term{ID: "jobs.total", Cohort: t.Cohort}, true
	}
	return Term{}, false
}

// Grain returns what one more thing adds to the term's number: 1 to a count, to a peak one in its window, which is the
// given one where the term has none. It is 0 where the number does not count things.
func (t Term) Grain(window time.Duration) *big.Rat {
	switch t.Dimension() {
	case Count:
		return big.NewRat(1, 1)
	case Rate:
		if t.Window != 0 {
			window = t.Window
		}
		return big.NewRat(int64(time.Second), int64(window))
	}
	return new(big.Rat)
}
