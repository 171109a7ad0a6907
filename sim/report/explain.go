package report

import (
	"fmt"
	"strings"

	"herdsim/sim/result"
)

// An Explanation is all that is to be said of a check that does not hold.
type Explanation struct {
	Title   string   // e.g. "check `dlq` failed for policy `full`"
	Finding string   // e.g. "observed 41 ± 2.9, limit 10"
	Notes   []string // the cause, the author's hint, fixes with their price; a note may have several lines
}

// Explain puts a check that does not hold, of a result of so many replications, into words.
func Explain(c *result.Check, replications int) Explanation {
	s := newStyle(TextOptions{})
	verb := map[result.Status]string{
		result.Fail: "failed", result.Warn: "does not hold", result.NoData: "has no data", result.Inconclusive: "is inconclusive",
	}[c.Status]
	e := Explanation{
		Title:   fmt.Sprintf("check `%s` %s for policy `%s`%s", s.clean(c.Name), verb, s.clean(c.Policy), s.withSet(c.Set)),
		Finding: strings.ReplaceAll(s.observation(c, replications), hard, " "),
	}
	causes := c.Why
	if e.Finding == "" && len(causes) > 0 { // nothing was observed: that is why
		e.Finding, causes = s.clean(causes[0]), causes[1:]
	}
	if len(causes) > 0 {
		e.Notes = append(e.Notes, "why: "+strings.Join(s.cleaned(causes), "\n     "))
	}
	if c.Hint != "" {
		e.Notes = append(e.Notes, "hint: "+s.clean(c.Hint))
	}
	if note := s.fixes(c); note != "" {
		e.Notes = append(e.Notes, note)
	}
	return e
}

// observation says what the check saw.
func (s style) observation(c *result.Check, replications int) string {
	if c.Observed == nil || c.Limit == nil {
		return ""
	}
	observed, limit := s.amounts(c)
	limit = ", limit " + limit
	if c.Over == "mean" || c.Over == "ci" {
		return "observed " + s.spread(c) + s.across(c, replications) + limit
	}
	if replications == 1 {
		return "observed " + observed + limit
	}
	text := map[string]string{"every": "observed at worst ", "p95": "observed at the 95th percentile "}[c.Over] + observed
	if c.Mean != nil {
		text += ", mean " + s.spread(c)
	}
	text += limit
	if c.Held != nil {
		text += fmt.Sprintf("; holds in %d of %d replications", *c.Held, replications)
	}
	return text
}

// across says which interval a spread shows.
func (s style) across(c *result.Check, replications int) string {
	if c.CI95 == nil {
		return ""
	}
	return fmt.Sprintf(" (95 %% CI over %s)", plural(replications, "replication", "replications"))
}

// fixes lists the fixes with their price.
func (s style) fixes(c *result.Check) string {
	switch {
	case c.Tried == 0:
		return ""
	case len(c.Fixes) == 0:
		return fmt.Sprintf("no single change of %d that were simulated makes it hold without breaking another check", c.Tried)
	}
	width := 0
	for _, f := range c.Fixes {
		width = max(width, columns(f.Path+": "+f.Value))
	}
	lines := []string{"fixes, simulated on the same seeds; none breaks another check:"}
	for _, f := range c.Fixes {
		line := "  " + pad(s.clean(f.Path+": "+f.Value), width, false)
		for _, p := range f.Prices {
			line += "   " + s.price(p)
		}
		lines = append(lines, line)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), hard, " ")
}

// price says what a metric was and becomes.
func (s style) price(p result.Price) string {
	cell := func(n *result.Number) string {
		if n == nil {
			return s.absent
		}
		return s.mean(result.Metric{Mean: *n}, unitOf(p.Metric))
	}
	return p.Metric + " " + cell(p.Before) + " -> " + cell(p.After)
}

// cleaned makes several texts safe to print.
func (s style) cleaned(texts []string) []string {
	safe := make([]string, len(texts))
	for i, text := range texts {
		safe[i] = s.clean(text)
	}
	return safe
}
