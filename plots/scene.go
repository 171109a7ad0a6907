package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// No run of the simulation gives larger numbers; a result edited by hand may, and the libraries below would hang or panic on them.
const (
	maxSeconds = 9.2e9 // beyond the last instant of the simulation's clock
	maxAmount  = 1e24  // counts and rates: more than all events of a run within one nanosecond
)

// A scene is one case of a result with what all its pictures share, checked to be drawable.
type scene struct {
	result *result.Result
	set    *result.Case
	labels []string // one per policy, every character in the font
	world           // of policies that have none of their own
	worlds []world  // one per policy
}

// A world is what the jobs of a policy meet.
type world struct {
	outages  []outage // by start
	capacity float64  // per second, outside phases; 0: the dependency has none
	limits   []limit  // the capacity over time, from 0 on
}

func newWorld(w *result.World) (world, error) {
	var read world
	var err error
	if w.Capacity != nil {
		if read.capacity, err = bounded(*w.Capacity, maxAmount); err != nil {
			return world{}, fmt.Errorf("capacity_per_s: %w", err)
		}
	}
	if read.limits, err = readLimits(w.Steps, read.capacity); err != nil {
		return world{}, err
	}
	read.outages, err = readOutages(w.Outages)
	return read, err
}

func newScene(r *result.Result, c *result.Case) (*scene, error) {
	if err := drawablePolicies(len(c.Policies)); err != nil {
		return nil, err
	}
	s := &scene{result: r, set: c}
	var err error
	if s.world, err = newWorld(&c.World); err != nil {
		return nil, err
	}
	for i := range c.Policies {
		p := &c.Policies[i]
		s.labels = append(s.labels, printable(p.Label, p.Name))
		own := s.world
		if p.World != nil {
			if own, err = newWorld(p.World); err != nil {
				return nil, fmt.Errorf("policy %q: %w", p.Name, err)
			}
		}
		s.worlds = append(s.worlds, own)
	}
	return s, nil
}

// strangers names the policies that live in a world of their own; nothing when there is none.
func (s *scene) strangers() []string {
	var names []string
	for i := range s.set.Policies {
		if s.set.Policies[i].World != nil {
			names = append(names, s.labels[i])
		}
	}
	switch {
	case names == nil:
		return nil
	case len(names) > shownPhases:
		return []string{fmt.Sprintf("%d policies have a dependency of their own", len(names))}
	}
	return []string{"otherwise for " + strings.Join(names, ", ")}
}

// mostCapacity returns the highest capacity of any policy; 0 for none.
func (s *scene) mostCapacity() float64 {
	var most float64
	for _, w := range s.worlds {
		most = max(most, w.capacity)
	}
	return most
}

func sign(x float64) float64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// bounded returns the value of n, which must lie in [0, limit].
func bounded(n result.Number, limit float64) (float64, error) {
	x, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || !(x >= 0 && x <= limit) {
		return 0, fmt.Errorf("%s is not a number from 0 to %g", n, limit)
	}
	return x, nil
}

// recovered returns the end of the last outage that ends: from there on the herd's second rush counts. It is 0 without one.
func (s *scene) recovered() (float64, *result.Number) {
	var last float64
	var text *result.Number
	for _, o := range s.set.Outages {
		if o.End == nil {
			continue
		}
		if end, err := bounded(*o.End, maxSeconds); err == nil && (text == nil || end >= last) {
			last, text = end, o.End
		}
	}
	return last, text
}

// metric returns the mean of a metric for policy i; ok is false when the result does not hold it.
func (s *scene) metric(i int, key string) (mean float64, ok bool, err error) {
	m, ok := s.set.Policies[i].Metrics[key]
	if !ok {
		return 0, false, nil
	}
	if mean, err = bounded(m.Mean, maxAmount); err != nil {
		return 0, false, fmt.Errorf("policy %q: metric %s: %w", s.set.Policies[i].Name, key, err)
	}
	return mean, true, nil
}

// means says over how many replications a number is a mean; nothing for one.
func (s *scene) means(before string) string {
	if s.result.Replications > 1 {
		return fmt.Sprintf("%smeans of %d replications", before, s.result.Replications)
	}
	return ""
}

// A peakTerm is the metric that tells how high retries pile up, the part of the run that it covers, and words for that.
type peakTerm struct {
	key        string
	from       float64 // seconds
	lead, when string  // before the number in a strip; behind it in the title
}

// peak returns the metric that the case is judged by, with words for what it covers.
func (s *scene) peak() peakTerm {
	end, text := s.recovered()
	if text == nil || !strings.Contains(s.set.Herd, "after=") {
		return peakTerm{key: s.set.Herd, lead: "peak"}
	}
	after := peakTerm{s.set.Herd, end, "peak after " + exactly(end), " after the outage"}
	if len(s.outages) > 1 {
		after.when = " after the last outage"
	}
	return after
}

// workload says what the policies had to cope with.
func (s *scene) workload() []string {
	var parts []string
	if len(s.set.Set) > 0 {
		parts = append(parts, settingsText(s.set.Set, " = ", ", "))
	}
	parts = append(parts, s.set.Workload)
	switch n := len(s.outages); {
	case n == 1 && math.IsInf(s.outages[0].to, 1):
		parts = append(parts, fmt.Sprintf("dependency down%s from %s on", s.outages[0].whom, instant(s.outages[0].from)))
	case n == 1:
		from, to := instant(s.outages[0].from), instant(s.outages[0].to)
		if from == to {
			from, to = exactly(s.outages[0].from), exactly(s.outages[0].to)
		}
		parts = append(parts, "dependency down"+s.outages[0].whom+" "+from+"–"+to)
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d outages", n))
	}
	switch limit := printable(s.set.Limit, ""); {
	case limit != "":
		parts = append(parts, "capacity "+limit)
	case s.capacity > 0:
		parts = append(parts, "capacity "+rate(s.capacity))
	}
	return append(append(parts, s.phases()...), s.strangers()...)
}

// phases says when the dependency differs, and how.
func (s *scene) phases() []string {
	var parts []string
	for i, p := range s.set.Phases {
		if i == shownPhases {
			return append(parts, fmt.Sprintf("%d more phases", len(s.set.Phases)-shownPhases))
		}
		when := ""
		switch {
		case len(p.Spans) > 1:
			when = fmt.Sprintf(" (%d times)", len(p.Spans))
		case len(p.Spans) == 1 && p.Spans[0].End == nil:
			when = " from " + instant(p.Spans[0].Start.Float()) + " on"
		case len(p.Spans) == 1:
			when = " " + instant(p.Spans[0].Start.Float()) + "–" + instant(p.Spans[0].End.Float())
		}
		parts = append(parts, printable(p.Name, "phase")+when+": "+printable(p.Changes, "no change"))
	}
	return parts
}

// shownPhases is how many phases a subtitle lists.
const shownPhases = 3

// caption tells where the picture comes from and how to get it again.
func (s *scene) caption(more ...string) string {
	r := s.result
	parts := []string{printable(r.Scenario.Name, "scenario")}
	if sum := printable(r.Scenario.SHA256, ""); sum != "" {
		parts = append(parts, fmt.Sprintf("sha256 %.8s", sum))
	}
	parts = append(parts, fmt.Sprintf("seed %d", r.Seed))
	for _, m := range more {
		if m != "" {
			parts = append(parts, m)
		}
	}
	return strings.Join(parts, " · ")
}

// A score is one policy's value of a metric.
type score struct {
	label  string
	number int // of the policy, from 1
	value  float64
}

// extremes returns the policies with the lowest and the highest mean of a metric, the first of equals, and how many have one.
// Without zeros it passes over means of 0: a policy that has given up on all jobs retries the least, and is no model.
func (s *scene) extremes(key string, zeros bool) (low, high score, n int, err error) {
	for i := range s.set.Policies {
		mean, known, err := s.metric(i, key)
		if err != nil {
			return low, high, n, err
		}
		if !known || mean == 0 && !zeros {
			continue
		}
		this := score{s.labels[i], i + 1, mean}
		if n == 0 || mean < low.value {
			low = this
		}
		if n == 0 || mean > high.value {
			high = this
		}
		n++
	}
	return low, high, n, nil
}

// alike begins a sentence about n policies that do the same: "every policy peaks", "2 of 3 policies peak".
func (s *scene) alike(n int, verb string) string {
	if n == len(s.set.Policies) {
		return "every policy " + verb + "s"
	}
	return fmt.Sprintf("%d of %d policies %s", n, len(s.set.Policies), verb)
}
