package report

import (
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// mostChecks is the number of lines up to which checks that hold are shown too.
const mostChecks = 20

// checks shows how every check ended: those that hold in one line for all their policies, the others one by one.
func (t *text) checks() {
	all := t.result.Checks
	if len(all) == 0 {
		return
	}
	t.line("")
	t.titled("CHECKS", CheckCounts(all))
	lines := t.checkLines(all)
	for _, l := range lines {
		if len(lines) > mostChecks && l.holds {
			continue
		}
		t.wrapped(l.text, 6)
		for _, why := range l.why {
			t.wrapped("      "+why, 8)
		}
	}
}

// A checkLine is a line of the list of checks.
type checkLine struct {
	text  string
	why   []string // it does not hold
	holds bool
}

func (t *text) checkLines(all []result.Check) []checkLine {
	var lines []checkLine
	for of := range runs(all, func(a, b *result.Check) bool { return a.Name == b.Name && slices.Equal(a.Set, b.Set) }) {
		lines = append(lines, t.linesOf(of)...)
	}
	return lines
}

// withSet tells the case of what a sentence speaks of, where there are several.
func (s style) withSet(set result.Settings) string {
	if len(set) == 0 {
		return ""
	}
	return " with " + s.clean(settings(set))
}

// linesOf returns the lines of one check in one case.
func (t *text) linesOf(checks []result.Check) []checkLine {
	var held []result.Check
	var lines []checkLine
	for _, c := range checks {
		if c.Status == result.Pass {
			held = append(held, c)
			continue
		}
		why := t.behind(&c)
		lines = append(lines, checkLine{text: t.checkLine(c, t.clean(c.Policy)), why: why})
	}
	switch len(held) {
	case 0:
		return lines
	case 1:
		return append(lines, checkLine{text: t.checkLine(held[0], t.clean(held[0].Policy)), holds: true})
	}
	c := held[0]
	c.Observed = nil // each policy has its own
	return append(lines, checkLine{text: t.checkLine(c, plural(len(held), "policy", "policies")), holds: true})
}

// behind returns what is to be said below the line of a check that does not hold.
func (t *text) behind(c *result.Check) []string {
	why := c.Why
	if c.Observed == nil && len(why) > 0 {
		why = why[1:] // in the line itself
	}
	lines := t.cleaned(why)
	if c.Hint != "" {
		lines = append(lines, "hint: "+t.clean(c.Hint))
	}
	if fixes := t.fixes(c); fixes != "" {
		lines = append(lines, strings.Split(fixes, "\n")...)
	}
	return lines
}

func (t *text) checkLine(c result.Check, who string) string {
	line := "  " + t.mark(c.Status) + " " + t.clean(c.Name) + "  " + t.clean(c.Expect) + "  " + "[" + together(who) + "]" + t.withSet(c.Set)
	if found := t.finding(&c); found != "" {
		line += "  " + found
	}
	return line
}

func (t *text) mark(s result.Status) string {
	switch s {
	case result.Pass:
		return t.paint(t.passed, "32")
	case result.Warn:
		return t.paint("!", "33")
	case result.Inconclusive:
		return t.paint("?", "31")
	}
	return t.paint(t.failed, "31")
}

// CheckCounts returns how checks ended, e.g. "3 passed, 1 failed, 1 warning".
func CheckCounts(checks []result.Check) string {
	counts := map[result.Status]int{}
	for _, c := range checks {
		counts[c.Status]++
	}
	parts := []string{fmt.Sprintf("%d passed", counts[result.Pass])}
	for _, s := range []struct {
		status    result.Status
		one, many string
	}{
		{result.Fail, "failed", "failed"},
		{result.Inconclusive, "inconclusive", "inconclusive"},
		{result.NoData, "without data", "without data"},
		{result.Warn, "warning", "warnings"},
	} {
		if n := counts[s.status]; n > 0 {
			parts = append(parts, plural(n, s.one, s.many))
		}
	}
	return strings.Join(parts, ", ")
}

// finding says what was observed beside the limit, or why nothing was.
func (s style) finding(c *result.Check) string {
	if c.Observed == nil || c.Limit == nil {
		if c.Status == result.Pass || len(c.Why) == 0 {
			return ""
		}
		return s.clean(c.Why[0])
	}
	observed, limit := s.amounts(c)
	if c.Over == "mean" || c.Over == "ci" {
		observed = s.spread(c)
	}
	if c.Status == result.Inconclusive || c.Over == "ci" && c.Status != result.Pass {
		return together(observed + ", limit " + limit)
	}
	return together(observed + " " + relation(c) + " " + limit)
}

// relation is the check's sign where it holds between the numbers, and what does hold where it does not.
func relation(c *result.Check) string {
	a, b := c.Observed.Float(), c.Limit.Float()
	holds := map[string]bool{"<=": a <= b, "<": a < b, ">=": a >= b, ">": a > b, "==": a == b, "!=": a != b}
	switch {
	case holds[c.Sign]:
		return c.Sign
	case a < b:
		return "<"
	case a > b:
		return ">"
	}
	return "="
}

// spread is the mean of what is observed, with half its interval.
func (s style) spread(c *result.Check) string {
	if c.Mean == nil {
		observed, _ := s.amounts(c)
		return observed
	}
	return s.interval(result.Metric{Mean: *c.Mean, CI95: c.CI95}, unitNamed(c.Unit))
}

// amounts writes what is observed and the limit, with as many digits as it takes to tell them apart.
func (s style) amounts(c *result.Check) (observed, limit string) {
	u := unitNamed(c.Unit)
	observed, limit = s.mean(result.Metric{Mean: *c.Observed}, u), s.mean(result.Metric{Mean: *c.Limit}, u)
	switch {
	case observed != limit || *c.Observed == *c.Limit:
	case u == seconds:
		return s.exactSpan(*c.Observed), s.exactSpan(*c.Limit)
	default:
		return c.Observed.String() + suffix(u), c.Limit.String() + suffix(u)
	}
	return observed, limit
}

func unitNamed(name string) unit {
	switch name {
	case "s":
		return seconds
	case "/s":
		return rate
	}
	return plain
}
