package result

import (
	"errors"
	"fmt"
	"slices"
)

// A Status says how a check ended.
type Status string

// Statuses. All but Pass and Warn are failures.
const (
	Pass         Status = "pass"
	Fail         Status = "fail"
	Inconclusive Status = "inconclusive" // the interval lies on both sides of the limit
	NoData       Status = "no_data"      // something that the check speaks of has no value
	Warn         Status = "warn"         // it does not hold, and its severity is warn
)

// Failed reports whether a run with such a check fails.
func (s Status) Failed() bool { return s != Pass && s != Warn }

// A Check is what a scenario demands of one policy in one case, and whether that holds.
type Check struct {
	Name   string   `json:"name"`
	Set    Settings `json:"set"`    // of the case
	Policy string   `json:"policy"` // its name
	Expect string   `json:"expect"` // as written, on one line
	Over   string   `json:"over"`   // how replications are judged: every, mean, p95 or ci
	Status Status   `json:"status"`

	// The comparison that decides: Observed Sign Limit. They are absent where a side of it has no value.
	Observed *Number    `json:"observed,omitempty"` // a count, a ratio, seconds, or a rate per second
	Sign     string     `json:"sign,omitempty"`     // <=, <, >=, >, == or !=
	Limit    *Number    `json:"limit,omitempty"`
	Unit     string     `json:"unit,omitempty"` // of both: "s", "/s", or nothing
	Mean     *Number    `json:"mean,omitempty"` // of what is observed, over the replications that have a value
	CI95     *[2]Number `json:"ci95,omitempty"` // of that mean
	Held     *int       `json:"held,omitempty"` // replications in which the check holds, where they are judged one by one

	File   string `json:"file"` // where Expect is written: line and column from 1, and the characters of it on that line
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Length int    `json:"length"`

	Hint  string   `json:"hint,omitempty"` // what the scenario's author says about a failure
	Why   []string `json:"why,omitempty"`  // of a check that does not hold, one sentence each
	Fixes []Fix    `json:"fixes,omitempty"`
	Tried int      `json:"tried,omitempty"` // changes that were simulated in search of fixes
}

// A Fix is a change of the scenario with which a failed check holds on the same seeds, and no other check breaks.
type Fix struct {
	Path   string  `json:"path"`  // as --set takes it
	Value  string  `json:"value"` // as YAML
	Prices []Price `json:"prices"`
}

// A Price is what a fix does to a metric of the policy: means over the replications, nil where none has a value.
type Price struct {
	Metric string  `json:"metric"` // a key of Policy.Metrics
	Before *Number `json:"before"`
	After  *Number `json:"after"`
}

// Failed reports whether any check failed.
func (r *Result) Failed() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Status.Failed() })
}

// validateChecks reports a check that does not fit the cases, or says what no check can.
func (r *Result) validateChecks() error {
	for i := range r.Checks {
		if err := r.Checks[i].validate(r.Cases); err != nil {
			return fmt.Errorf("checks[%d]: %w", i, err)
		}
	}
	return nil
}

func (c *Check) validate(cases []Case) error {
	i := slices.IndexFunc(cases, func(k Case) bool { return slices.Equal(k.Set, c.Set) })
	switch {
	case !slices.Contains([]Status{Pass, Fail, Inconclusive, NoData, Warn}, c.Status):
		return fmt.Errorf("status is %.40q", c.Status)
	case i < 0:
		return errors.New("set is that of no case")
	case !slices.ContainsFunc(cases[i].Policies, func(p Policy) bool { return p.Name == c.Policy }):
		return fmt.Errorf("policy %.40q is none of its case", c.Policy)
	case c.Name == "" || c.Expect == "":
		return errors.New("name or expect is empty")
	case c.Line < 1 || c.Column < 1:
		return fmt.Errorf("place is %d:%d, want 1:1 or later", c.Line, c.Column)
	}
	return nil
}
