package report

import (
	"fmt"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// demanding is a result with a check of every status.
func demanding() *result.Result {
	r := newResult(20, oneCase(20, fixedHerd(), fullHerd()))
	r.Checks = checksOf(r)
	return r
}

func TestChecksGolden(t *testing.T) {
	r := demanding()
	var b strings.Builder
	for i := range r.Checks {
		if r.Checks[i].Status == result.Pass {
			continue
		}
		e := Explain(&r.Checks[i], r.Replications)
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n", e.Title, e.Finding, strings.Join(e.Notes, "\n"))
	}
	_, checks, _ := strings.Cut(textOf(t, r, TextOptions{}), "CHECKS")
	golden(t, "checks.txt", []byte("CHECKS"+checks+b.String()))
}

// Checks that hold share a line; of many lines only those of failures are shown.
func TestManyChecks(t *testing.T) {
	r := newResult(20, oneCase(20, fixedHerd(), fullHerd()))
	for i := range mostChecks + 1 {
		for p, status := range []result.Status{result.Pass, result.Pass} {
			if i == 3 && p == 1 {
				status = result.Fail
			}
			c := checksOf(r)[0]
			c.Name, c.Policy, c.Status = fmt.Sprintf("c%d", i), r.Cases[0].Policies[p].Name, status
			r.Checks = append(r.Checks, c)
		}
	}
	text := textOf(t, r, TextOptions{ASCII: true})
	if !strings.Contains(text, "CHECKS  41 passed, 1 failed\n  x c3  jobs.dead <= 10  [full]  41 > 10\n\n") {
		t.Errorf("the failed check is not alone:\n%s", text)
	}
	r.Checks = r.Checks[:6]
	if text := textOf(t, r, TextOptions{}); !strings.Contains(text, "✓ c1  jobs.dead <= 10  [2 policies]\n") {
		t.Errorf("checks of one kind do not share a line:\n%s", text)
	}
}

// What is observed and the limit are told apart.
func TestFinding(t *testing.T) {
	for _, c := range []struct {
		observed, limit, sign, unit, want string
	}{
		{"41", "10", "<=", "", "41 > 10"},
		{"10", "10", "<", "", "10 = 10"},
		{"10", "10", "<=", "", "10 <= 10"},
		{"59.9", "60", ">=", "s", "59.9s < 60s"},
		{"60.000001", "60", "<=", "s", "60.000001s > 60s"},
		{"1000.04", "1000", "<=", "/s", "1000.04/s > 1000/s"},
		{"3", "4", "==", "", "3 < 4"},
		{"4", "4", "!=", "", "4 = 4"},
	} {
		observed, limit := numberOf(t, c.observed), numberOf(t, c.limit)
		check := result.Check{Over: "every", Observed: &observed, Limit: &limit, Sign: c.sign, Unit: c.unit}
		if got := strings.ReplaceAll(newStyle(TextOptions{}).finding(&check), hard, " "); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.observed, c.sign, c.limit, got, c.want)
		}
	}
}
