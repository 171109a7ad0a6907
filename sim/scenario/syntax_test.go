package scenario

import (
	"fmt"
	"strings"
	"testing"
)

const wellFormed = `version: 1
cohorts:
  herd: {count: 1000}
  background:
    arrivals: {poisson: 10/s}
    for: 4m
dependency:
  capacity: {rate: 50/s}
  outages:
    main: {at: 0s, for: 60s}
policies:
  # what is compared
  full:
    delay: {exponential: {base: 1s, cap: 60s}}
    jitter: full
    max_attempts: 10
metrics:
  also:
    - retries.peak(after=60s)
    - jobs.dead
checks:
  - jobs.dead <= 10
  - {name: x, expect: jobs.dead <= 5}
`

// A slip of syntax on any line is reported on that line, whatever line the parser names.
func TestSyntaxErrorsHaveTheirLine(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(wellFormed, "\n"), "\n")
	for i, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		slips := map[string]string{
			"a tab":            strings.Replace(line, indent, "\t"+indent, 1),
			"a stray @":        indent + "@" + strings.TrimLeft(line, " "),
			"an open quote":    indent + "key: \"never closed",
			"an extra bracket": line + "}",
		}
		if strings.HasSuffix(line, "}") {
			slips["an open bracket"] = strings.TrimSuffix(line, "}")
			slips["a lost bracket"] = strings.Replace(line, "{", "", 1)
		}
		if strings.Contains(line, ": ") && !strings.Contains(line, "- ") && !strings.Contains(line, "#") {
			slips["no space"] = strings.Replace(line, ": ", ":", 1)
			slips["two values"] = line + ": 3"
		}
		for name, slip := range slips {
			if strings.Contains(line, "#") {
				continue
			}
			text := strings.Join(append(append(append([]string{}, lines[:i]...), slip), lines[i+1:]...), "\n") + "\n"
			f, list := Parse("x.yaml", []byte(text), Overrides{})
			if f != nil {
				t.Errorf("%s in line %d is accepted: %s", name, i+1, slip)
				continue
			}
			if got := list[0].Pos.Line; got != i+1 {
				t.Errorf("%s in line %d is reported in line %d: %s\n%s", name, i+1, got, list[0].Message, around(text, i+1))
			}
		}
	}
}

func around(text string, line int) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		if i+1 >= line-1 && i+1 <= line+1 {
			fmt.Fprintf(&b, "\t%3d  %s\n", i+1, l)
		}
	}
	return b.String()
}
