package check

import (
	"fmt"

	"herdsim/sim/metrics"
)

// A dimension is what a number measures: things to a power, times seconds to a power. Things count among plain numbers alone,
// to tell 25 jobs from 25 %: a time for each job is a time. A bare number, such as 10, has a free power of things.
type dimension struct {
	things, seconds int
	free            bool
}

// What numbers are.
var (
	bare  = dimension{free: true}
	share = dimension{}
	count = dimension{things: 1}
	span  = dimension{seconds: 1}
	rate  = dimension{things: 1, seconds: -1}
)

func dimensionOf(d metrics.Dimension) dimension {
	return map[metrics.Dimension]dimension{
		metrics.Count: count, metrics.Ratio: share, metrics.Rate: rate, metrics.Span: span, metrics.Instant: span,
	}[d]
}

// agrees reports whether numbers of the dimensions can be compared and added.
func (d dimension) agrees(e dimension) bool {
	return d.seconds == e.seconds && (d.seconds != 0 || d.free || e.free || d.things == e.things)
}

// sum returns the dimension of a sum of two that agree.
func (d dimension) sum(e dimension) dimension {
	if d.free {
		return e
	}
	return d
}

func (d dimension) product(e dimension) dimension {
	return dimension{d.things + e.things, d.seconds + e.seconds, d.free && e.free}
}

// quotient keeps the freedom of what is divided: 5 / 60s is a rate.
func (d dimension) quotient(e dimension) dimension {
	return dimension{d.things - e.things, d.seconds - e.seconds, d.free}
}

// String names the dimension for a message.
func (d dimension) String() string {
	switch {
	case d.seconds == 1:
		return "a time"
	case d.seconds == -1:
		return "a rate"
	case d.seconds != 0:
		return fmt.Sprintf("in seconds to the power of %d", d.seconds)
	case d.free:
		return "a number"
	case d.things == 0:
		return "a ratio"
	case d.things == 1:
		return "a count"
	}
	return fmt.Sprintf("a count to the power of %d", d.things)
}

// unit is how a result writes the dimension of what is compared.
func (d dimension) unit() string {
	switch d.seconds {
	case 1:
		return "s"
	case -1:
		return "/s"
	}
	return ""
}
