package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// The elements of JUnit's reports, as Jenkins and GitLab read them. There is no `time`: how long a run took is not a fact about
// the scenario, and the same results must give the same bytes.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		File       string          `xml:"file,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		Classname string        `xml:"classname,attr"`
		Failure   *junitFailure `xml:"failure"`
		Error     *junitFailure `xml:"error"`
		Out       string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Body    string `xml:",chardata"`
	}
)

// A Fault is a scenario that has no result, because it cannot be read or is wrong.
type Fault struct {
	Name, File string // the file as the user wrote it
	Title      string // what is wrong, on one line
	Text       string // all that is to be said about it
}

// JUnit writes the checks of the results as one report: a suite for each result, a case for each check, policy and combination of
// the matrix. A check of severity warn that does not hold is a case that passes and says so in its output. A suite for each
// fault follows, with one case that is an error.
func JUnit(w io.Writer, results []*result.Result, faults []Fault) error {
	all := junitSuites{Name: "herdsim"}
	for _, r := range results {
		s := junitSuiteOf(r)
		all.Suites = append(all.Suites, s)
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	for _, f := range faults {
		all.Suites = append(all.Suites, junitSuite{
			Name: f.Name, File: f.File, Tests: 1, Errors: 1,
			Cases: []junitCase{{Name: "scenario", Classname: f.Name, Error: &junitFailure{Type: "scenario", Message: f.Title, Body: f.Text}}},
		})
		all.Tests++
		all.Errors++
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitSuiteOf(r *result.Result) junitSuite {
	s := junitSuite{
		Name: r.Scenario.Name, File: r.Scenario.File, Tests: len(r.Checks),
		Properties: []junitProperty{
			{"seed", strconv.FormatUint(r.Seed, 10)},
			{"replications", strconv.Itoa(r.Replications)},
			{"digest", r.Digest},
		},
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		k := junitCase{Name: c.Name + " [" + c.Policy + "]", Classname: r.Scenario.Name + "." + c.Policy}
		if len(c.Set) > 0 {
			k.Name += " with " + settings(c.Set)
		}
		switch {
		case c.Status.Failed():
			s.Failures++
			e := Explain(c, r.Replications)
			k.Failure = &junitFailure{Type: string(c.Status), Message: e.Title + ": " + e.Finding, Body: told(c, e)}
		case c.Status == result.Warn:
			e := Explain(c, r.Replications)
			k.Out = e.Title + "\n" + told(c, e)
		}
		s.Cases = append(s.Cases, k)
	}
	return s
}

// told is an explanation without its title, on lines of its own.
func told(c *result.Check, e Explanation) string {
	s := newStyle(TextOptions{})
	lines := []string{fmt.Sprintf("%s  (%s:%d:%d)", s.clean(c.Expect), s.clean(c.File), c.Line, c.Column), e.Finding}
	return strings.Join(append(lines, e.Notes...), "\n")
}
