package plan

import (
	"fmt"
	"time"

	"herdsim/sim/engine"
	"herdsim/sim/policy"
)

// Unforeseen says why the waits alone do not tell when a job's tries fall; "" when they do, as long as calls that succeed are no
// matter, and only outages make calls fail.
func Unforeseen(c *engine.Config) string {
	switch most := Most(c.Policy); {
	case c.Budget.Tries == policy.Unlimited || c.Budget.Tries-1 <= most:
	case most < MostRetries:
		return fmt.Sprintf("its budget has more than %d retries, and each wait depends on the one before", most)
	default:
		return fmt.Sprintf("its budget has more than %d retries", most)
	}
	for _, why := range []string{ofDiscipline(&c.Discipline), ofQueue(&c.Queue), ofWorkers(c)} {
		if why != "" {
			return why
		}
	}
	for i := range c.Cohorts {
		switch k := &c.Cohorts[i]; {
		case k.Rule != nil:
			return "cohorts have rules of their own"
		case k.Key != "":
			return "jobs of one key wait for each other"
		}
	}
	return ""
}

func ofDiscipline(d *engine.Discipline) string {
	switch {
	case d.Layers != nil:
		return "layers of tries inside an attempt decide besides the waits"
	case d.Breaker != nil:
		return "a breaker decides besides the waits"
	case d.RetryBudget != nil:
		return "a budget that jobs share decides besides the waits"
	case d.Uncharged != 0:
		return "failures by " + d.Uncharged.String() + " spend no budget"
	case d.NotRetryable != 0:
		return "failures by " + d.NotRetryable.String() + " are not retried"
	}
	return ""
}

func ofQueue(q *engine.Queue) string {
	switch {
	case q.Sweeps():
		return "sweeps of the schedule lengthen the waits"
	case q.Resolution > 1:
		return "the schedule floors due instants to " + q.Resolution.String()
	case q.Visibility > 0 && q.LeaseFails:
		return "the end of a lease is a failure, whatever the call does"
	case q.Visibility > 0:
		return "a lease that ends delivers a job once more"
	}
	return ""
}

func ofWorkers(c *engine.Config) string {
	failing := c.Dependency.FailAfter
	for _, p := range c.Dependency.Phases {
		if p.FailAfter != nil {
			failing = max(failing, *p.FailAfter)
		}
	}
	switch {
	case len(c.Workers.Crashes) > 0:
		return "workers crash"
	case c.Workers.Count > 0:
		return "the number of workers is limited, and jobs that are due wait for one"
	case failing > 0:
		return "calls that fail take up to " + failing.Round(time.Microsecond).String()
	}
	return ""
}
