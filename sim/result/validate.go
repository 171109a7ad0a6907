package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// UnmarshalJSON reads a metric; ci95 must hold two numbers, which an array of two would not insist on.
func (m *Metric) UnmarshalJSON(b []byte) error {
	type plain Metric // without this method
	shadow := struct {
		*plain
		CI95 []Number `json:"ci95"`
	}{plain: (*plain)(m)}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&shadow); err != nil {
		return err
	}
	switch len(shadow.CI95) {
	case 0:
		m.CI95 = nil
	case 2:
		m.CI95 = (*[2]Number)(shadow.CI95)
	default:
		return fmt.Errorf("ci95 holds %d numbers, want 2", len(shadow.CI95))
	}
	return nil
}

// Validate reports the first thing that no experiment can have written: a wrong format, a size that does not fit the
// number of replications, a name that is missing or comes twice. Whoever reads a result from outside calls it once, so
// that the code that shows results need not doubt them.
func (r *Result) Validate() error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("format is %.40q, want %q", r.Format, Format)
	case r.Replications < 1:
		return fmt.Errorf("replications is %d, want at least 1", r.Replications)
	case len(r.Cases) == 0:
		return errors.New("cases is empty")
	}
	for i := range r.Cases {
		if err := r.Cases[i].validate(r.Replications); err != nil {
			return fmt.Errorf("cases[%d].%w", i, err)
		}
	}
	return r.validateChecks()
}

func (c *Case) validate(replications int) error {
	if len(c.Policies) == 0 {
		return errors.New("policies is empty")
	}
	if c.Herd == "" {
		return errors.New("herd is empty")
	}
	if err := c.World.validate(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range c.Policies {
		p := &c.Policies[i]
		if p.Name == "" || seen[p.Name] {
			return fmt.Errorf("policies[%d].name %q is empty or comes twice", i, p.Name)
		}
		seen[p.Name] = true
		if err := p.validate(replications); err != nil {
			return fmt.Errorf("policies[%d].%w", i, err)
		}
	}
	return c.validateComparisons(replications)
}

func (w *World) validate() error {
	if w.Capacity != nil && w.Capacity.Float() < 0 {
		return fmt.Errorf("capacity_per_s is %s, want 0 or more", *w.Capacity)
	}
	for i, o := range w.Outages {
		if o.Start.text == "" {
			return fmt.Errorf("outages[%d].start_s is missing", i)
		}
		if o.Start.Float() < 0 || o.End != nil && o.End.Float() < o.Start.Float() {
			return fmt.Errorf("outages[%d] ends before it begins, or begins before 0", i)
		}
	}
	if err := w.validatePhases(); err != nil {
		return err
	}
	if r := w.Replay; r != nil && (r.At.Float() < 0 || r.Every != nil && r.Every.Float() <= 0) {
		return errors.New("replay comes before 0, or again after no time")
	}
	return nil
}

func (w *World) validatePhases() error {
	for i, p := range w.Phases {
		for k, s := range p.Spans {
			if s.Start.text == "" || s.Start.Float() < 0 || s.End != nil && s.End.Float() < s.Start.Float() {
				return fmt.Errorf("phases[%d].spans[%d] has no start, ends before it begins, or begins before 0", i, k)
			}
		}
	}
	for i, s := range w.Steps {
		if s.From.text == "" || i == 0 && s.From.Float() != 0 || i > 0 && s.From.Float() <= w.Steps[i-1].From.Float() {
			return fmt.Errorf("steps[%d].from_s is %s, want 0 in the first step and more in each that follows", i, s.From)
		}
		if s.Capacity != nil && s.Capacity.Float() < 0 {
			return fmt.Errorf("steps[%d].capacity_per_s is %s, want 0 or more", i, *s.Capacity)
		}
	}
	return nil
}

func (p *Policy) validate(replications int) error {
	if p.World != nil {
		if err := p.World.validate(); err != nil {
			return fmt.Errorf("world.%w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Metrics)) {
		if err := p.Metrics[name].validate(replications); err != nil {
			return fmt.Errorf("metrics[%q]: %w", name, err)
		}
	}
	for i, row := range p.Attempts {
		if row.Attempt < 1 || i > 0 && row.Attempt <= p.Attempts[i-1].Attempt {
			return fmt.Errorf("attempts[%d].attempt is %d, want 1 or more, ascending", i, row.Attempt)
		}
	}
	for i, row := range p.Retries {
		if row.Retry < 1 || i > 0 && row.Retry <= p.Retries[i-1].Retry {
			return fmt.Errorf("retries[%d].retry is %d, want 1 or more, ascending", i, row.Retry)
		}
	}
	for i, row := range p.Layers {
		if row.Tries < 1 {
			return fmt.Errorf("layers[%d].tries is %d, want 1 or more", i, row.Tries)
		}
	}
	if p.Recovery != nil {
		if err := p.Recovery.validate(replications); err != nil {
			return err
		}
	}
	if p.Series == nil {
		return nil
	}
	return p.Series.validate()
}

func (m Metric) validate(replications int) error {
	if len(m.Values) != replications {
		return fmt.Errorf("values holds %d numbers, want one for each of %d replications", len(m.Values), replications)
	}
	if m.Mean.text == "" || m.Min.text == "" || m.Max.text == "" {
		return errors.New("mean, min or max is missing")
	}
	if m.Share != nil {
		if err := m.Share.validate(); err != nil {
			return err
		}
	}
	return m.validateClumps()
}

func (s *Series) validate() error {
	if bin := s.Bin.Float(); bin < 1e-9 || bin > 1e9 {
		return fmt.Errorf("series.bin_s is %s, want 1e-9 to 1e9", s.Bin)
	}
	for _, t := range s.Tracks() {
		for _, counts := range [][]int64{t.First, t.P5, t.P50, t.P95} {
			if i := slices.IndexFunc(counts, func(n int64) bool { return n < 0 }); i >= 0 {
				return fmt.Errorf("series.%s: bin %d holds %d, want 0 or more", t.Name, i, counts[i])
			}
		}
	}
	return nil
}
