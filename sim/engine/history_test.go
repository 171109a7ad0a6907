package engine

import (
	"fmt"
	"strings"
	"time"

	"herdsim/sim/clock"
)

// History writes events the way a person would tell them.
func History(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%v job %d ", time.Duration(e.At), e.Job)
		switch ref := time.Duration(e.Ref); e.Kind {
		case Arrived:
			fmt.Fprintf(&b, "arrives\n")
		case Scheduled:
			fmt.Fprintf(&b, "arrives and is scheduled, due %v\n", ref)
		case Promoted:
			fmt.Fprintf(&b, "is promoted for attempt %d, due %v\n", e.Attempt, ref)
		case Began:
			fmt.Fprintf(&b, "begins attempt %d, pending since %v\n", e.Attempt, ref)
		case Succeeded:
			fmt.Fprintf(&b, "succeeds, %v after it came\n", time.Duration(e.At-e.Ref))
		case Failed:
			fmt.Fprintf(&b, "fails by %s, due %v\n", causeName(e.Cause), ref)
		case Refused:
			fmt.Fprintf(&b, "makes no call for attempt %d, pending since %v\n", e.Attempt, ref)
		case Held:
			if e.Cause != NoCause {
				fmt.Fprintf(&b, "fails by %s and waits for a token, due %v\n", causeName(e.Cause), ref)
			} else {
				fmt.Fprintf(&b, "waits for a token for attempt %d\n", e.Attempt)
			}
		case Faltered:
			fmt.Fprintf(&b, "is failed by %s within attempt %d, layer %d calls again at %v\n", causeName(e.Cause), e.Attempt, e.Layer, ref)
		case Told:
			fmt.Fprintf(&b, "is told of capacity at %v\n", ref)
		case Duplicated:
			fmt.Fprintf(&b, "begins attempt %d once more, pending since %v\n", e.Attempt, ref)
		case Ignored:
			fmt.Fprintf(&b, "ends a further call of attempt %d%s\n", e.Attempt, bycause(e.Cause))
		case Lost:
			fmt.Fprintf(&b, "is lost in attempt %d%s\n", e.Attempt, leaseUntil(e.Ref))
		case Redelivered:
			fmt.Fprintf(&b, "is delivered again for attempt %d, due %v\n", e.Attempt, ref)
		case Called:
			fmt.Fprintf(&b, "calls again in attempt %d, layer %d\n", e.Attempt, e.Layer)
		case Released:
			fmt.Fprintf(&b, "has its token for attempt %d, due %v\n", e.Attempt, ref)
		case Replayed:
			fmt.Fprintf(&b, "is replayed after %d attempts, dead since %v\n", e.Attempt, ref)
		case Dropped:
			fmt.Fprintf(&b, "has its letter dropped after %d attempts, dead since %v\n", e.Attempt, ref)
		case Died:
			if e.Cause == NoCause {
				fmt.Fprintf(&b, "is dead (%s) after attempt %d\n", reasonName(e.Reason), e.Attempt)
				continue
			}
			fmt.Fprintf(&b, "fails by %s and is dead (%s) after attempt %d\n", causeName(e.Cause), reasonName(e.Reason), e.Attempt)
		}
	}
	return b.String()
}

func bycause(c Cause) string {
	if c == NoCause {
		return ""
	}
	return " by " + causeName(c)
}

func leaseUntil(at clock.Time) string {
	if at == 0 {
		return ""
	}
	return fmt.Sprintf(", its lease ends at %v", time.Duration(at))
}

func causeName(c Cause) string {
	switch c {
	case Outage:
		return "outage"
	case Overload:
		return "overload"
	case Poison:
		return "poison"
	case Errored:
		return "error"
	case Breaker:
		return "breaker"
	case Timeout:
		return "timeout"
	case Crash:
		return "crash"
	}
	return fmt.Sprintf("cause %d", c)
}

func reasonName(r Reason) string {
	switch r {
	case Exhausted:
		return "exhausted"
	case Expired:
		return "expired"
	case NotRetryable:
		return "not retryable"
	case BudgetEmpty:
		return "budget empty"
	case Stalled:
		return "stalled"
	}
	return fmt.Sprintf("reason %d", r)
}
