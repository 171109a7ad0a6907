package metrics

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/clock"
)

// A Term names one number of a run: a metric and the arguments that narrow it. Terms are equal exactly when their texts
// are.
type Term struct {
	ID     string        // e.g. "retries.peak"
	Window time.Duration // of a peak; 0: the scenario's metrics.window
	After  clock.Time    // events at or after it; 0: from the start
	Before clock.Time    // events before it; 0: to the end
	Cohort string        // jobs of this cohort; "": of all
	Retry  int           // the k-th retry of each job; 0: every retry
}

// String returns the term in its normal form, e.g. "retries.peak(window=100ms, after=60s)": arguments in one order,
// those that narrow nothing left out, instants and spans in seconds where they reach one. ParseTerm reads it back.
func (t Term) String() string {
	var args []string
	if t.Window != 0 {
		args = append(args, "window="+spanText(t.Window))
	}
	if t.After != 0 {
		args = append(args, "after="+spanText(time.Duration(t.After)))
	}
	if t.Before != 0 {
		args = append(args, "before="+spanText(time.Duration(t.Before)))
	}
	if t.Retry != 0 {
		args = append(args, "retry="+strconv.Itoa(t.Retry))
	}
	if t.Cohort != "" {
		args = append(args, "cohort="+t.Cohort)
	}
	if len(args) == 0 {
		return t.ID
	}
	return t.ID + "(" + strings.Join(args, ", ") + ")"
}

// Dimension returns what the term's number measures. The term must be one that ParseTerm or Standard gave.
func (t Term) Dimension() Dimension { return mustFind(t.ID).dimension }

// spanText writes seconds from a second up, as results do, and below that the largest unit that makes an integer.
func spanText(d time.Duration) string {
	switch {
	case d >= time.Second:
		text := strconv.FormatInt(int64(d/time.Second), 10)
		if part := d % time.Second; part > 0 {
			text += strings.TrimRight(fmt.Sprintf(".%09d", part), "0")
		}
		return text + "s"
	case d%time.Millisecond == 0:
		return strconv.FormatInt(int64(d/time.Millisecond), 10) + "ms"
	case d%time.Microsecond == 0:
		return strconv.FormatInt(int64(d/time.Microsecond), 10) + "us"
	}
	return strconv.FormatInt(int64(d), 10) + "ns"
}
