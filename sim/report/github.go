package report

import (
	"fmt"
	"io"
	"strings"

	"herdsim/sim/result"
)

// mostAnnotations is how many annotations GitHub shows of one step.
const mostAnnotations = 10

// GitHub writes workflow commands that put checks that do not hold beside the lines of the scenarios: at most ten, failures
// first. When there are more, the last one says how many.
func GitHub(w io.Writer, results []*result.Result) error {
	var errors, warnings []string
	for _, r := range results {
		for i := range r.Checks {
			switch c := &r.Checks[i]; {
			case c.Status.Failed():
				errors = append(errors, annotation("error", c, r.Replications))
			case c.Status == result.Warn:
				warnings = append(warnings, annotation("warning", c, r.Replications))
			}
		}
	}
	level := "error"
	if len(errors) < mostAnnotations {
		level = "warning"
	}
	lines := append(errors, warnings...)
	if n := len(lines); n > mostAnnotations {
		more := wholes(int64(n - mostAnnotations + 1)) // two or more
		lines = append(lines[:mostAnnotations-1], fmt.Sprintf("::%s::%s more checks do not hold that are not shown here", level, more))
	}
	for _, l := range lines {
		if _, err := io.WriteString(w, l+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// annotation is the command about one check. A scenario that is no file of the repository has no place in it.
func annotation(level string, c *result.Check, replications int) string {
	e := Explain(c, replications)
	place := ""
	if c.File != "" && c.File != "-" && !strings.HasPrefix(c.File, "@") {
		place = fmt.Sprintf("file=%s,line=%d,col=%d,", property(c.File), c.Line, c.Column)
		if c.Length > 0 {
			place += fmt.Sprintf("endColumn=%d,", c.Column+c.Length)
		}
	}
	body := strings.Join(append([]string{e.Finding}, e.Notes...), "\n")
	return fmt.Sprintf("::%s %stitle=%s::%s", level, place, property(e.Title), data(body))
}

// data escapes what stands behind the second pair of colons of a workflow command.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes the value of a parameter of a workflow command.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}
