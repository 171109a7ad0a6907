package dependency

import "slices"

// faces are a service as different cohorts meet it, because outages or phases concern some of them only. What is counted, they
// share.
type faces struct {
	named []*Service // by cohort, up to the last that an outage or a phase names
	rest  *Service   // for the others
}

// newFaces returns the faces of a service that is the one of those whom no outage or phase names; nil when those are all.
func newFaces(c *Config, rest *Service) *faces {
	count := c.named()
	if count == 0 {
		return nil
	}
	f := &faces{make([]*Service, count), newFace(c, rest.shared, everybody)}
	for cohort := range f.named {
		f.named[cohort] = newFace(c, rest.shared, func(cohorts []uint16) bool {
			return everybody(cohorts) || slices.Contains(cohorts, uint16(cohort))
		})
	}
	return f
}

// everybody reports whether something that concerns so many cohorts concerns all.
func everybody(cohorts []uint16) bool { return cohorts == nil }

// newFace returns the service as those meet it whom an outage or a phase of some cohorts concerns if concerns says so.
func newFace(c *Config, all *shared, concerns func(cohorts []uint16) bool) *Service {
	s := &Service{shared: all, special: all.special()}
	s.base = state{limit: all.usual, capacity: c.Capacity, errorRate: c.ErrorRate, perCall: c.PerCall, tells: c.Tells}
	s.base.setLatency(c.Latency)
	s.base.setFailAfter(c.FailAfter)
	var down []Window
	for _, o := range c.Outages {
		if concerns(o.Cohorts) {
			down = append(down, Window{o.From, o.To})
		}
	}
	s.outages = disjoint(down)
	for i := range c.Phases {
		p := &c.Phases[i]
		if !concerns(p.Cohorts) {
			continue
		}
		mine := phase{Phase: p, ahead: p.Windows}
		if all.limits != nil {
			mine.limit = all.limits[i]
		}
		s.phases = append(s.phases, mine)
	}
	return s
}

// named returns how many cohorts there are up to the last that an outage or a phase names.
func (c *Config) named() int {
	n := 0
	count := func(cohorts []uint16) {
		for _, cohort := range cohorts {
			n = max(n, int(cohort)+1)
		}
	}
	for i := range c.Outages {
		count(c.Outages[i].Cohorts)
	}
	for i := range c.Phases {
		count(c.Phases[i].Cohorts)
	}
	return n
}

// face returns the service as a cohort meets it.
func (s *Service) face(cohort uint16) *Service {
	switch {
	case s.faces == nil:
		return s
	case int(cohort) < len(s.faces.named):
		return s.faces.named[cohort]
	}
	return s.faces.rest
}
