package engine

import "strings"

// A Discipline is what a policy says beside its waits and its budget. The zero value says nothing.
type Discipline struct {
	Uncharged    CauseSet // failures by these spend no tries
	NotRetryable CauseSet // a failure by one of these is a job's last
	RetryBudget  *RetryBudget
	Breaker      *BreakerRule
	Layers       []Layer // of tries inside each attempt, the outermost first; nil for none
}

// Plain reports whether the discipline says nothing: then the number of the attempt tells what a job has spent.
func (d *Discipline) Plain() bool {
	return d.Uncharged|d.NotRetryable == 0 && d.RetryBudget == nil && d.Breaker == nil && d.Layers == nil
}

// PerWorker reports whether the discipline tells workers apart.
func (d *Discipline) PerWorker() bool {
	return d.RetryBudget != nil && d.RetryBudget.PerWorker || d.Breaker != nil && d.Breaker.PerWorker
}

// A CauseSet is a set of causes.
type CauseSet uint16

// With returns the set with a cause in it.
func (s CauseSet) With(c Cause) CauseSet { return s | 1<<c }

// Has reports whether a cause is in the set.
func (s CauseSet) Has(c Cause) bool { return s>>c&1 != 0 }

// String names the causes: "outage, overload".
func (s CauseSet) String() string {
	var names []string
	for c := NoCause + 1; c < Causes; c++ {
		if s.Has(c) {
			names = append(names, c.String())
		}
	}
	return strings.Join(names, ", ")
}

// disciplines returns those of all policies of the run.
func (c *Config) disciplines() []*Discipline {
	all := []*Discipline{&c.Discipline}
	for i := range c.Cohorts {
		if own := c.Cohorts[i].Rule; own != nil {
			all = append(all, &own.Discipline)
		}
	}
	return all
}

// uncharged returns the causes that any policy of the run leaves uncharged.
func (c *Config) uncharged() CauseSet {
	var all CauseSet
	for _, d := range c.disciplines() {
		all |= d.Uncharged
	}
	return all
}
