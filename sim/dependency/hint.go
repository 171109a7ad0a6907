package dependency

import (
	"slices"

	"herdsim/sim/clock"
)

// TellsAny reports whether a refused caller is ever told when there is capacity again.
func (c *Config) TellsAny() bool {
	return c.Tells || slices.ContainsFunc(c.Phases, func(p Phase) bool { return p.Tells != nil && *p.Tells })
}

// Hint returns the instant at which there is capacity again, as a call of the cohort is told that has just been refused; now
// when it is told nothing: because the service does not tell, because that hangs on calls that end, or because there never is
// any. A service that is to be down then does not know it.
func (s *Service) Hint(now clock.Time, cohort uint16) clock.Time {
	face := s.face(cohort)
	if !face.tells {
		return now
	}
	if at := face.limit.next(now); at < face.changeAt {
		return at
	}
	ahead := *face
	s.scratch = append(s.scratch[:0], face.phases...)
	ahead.phases = s.scratch
	for ahead.changeAt < clock.End {
		at := ahead.changeAt
		ahead.turn(at)
		if ahead.limit == nil {
			return at
		}
		if at = ahead.limit.next(at); at < ahead.changeAt {
			return at
		}
	}
	return now
}
