package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// A form is a report for a tool, and what stands in for that tool: it fails the test where the tool would not take the report.
type form struct {
	name  string
	write func(io.Writer, []*result.Result) error
	parse func(t *testing.T, data []byte)
}

func forms() []form {
	return []form{
		{"checks.xml", junitOf, func(t *testing.T, data []byte) { junitRead(t, data) }},
		{"checks.github", GitHub, func(t *testing.T, data []byte) { githubRead(t, data) }},
		{"checks.md", Markdown, markdownRead},
	}
}

func formOf(t *testing.T, write func(io.Writer, []*result.Result) error, results ...*result.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, results); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostileChecks is a result whose every text tries to break out of where it stands.
func hostileChecks() *result.Result {
	const evil = "]]></failure>|`x` ``` & <b> @all *x* [y](z) %0A::error::\u202e\x1b[2J\ufffe\"':,"
	r := demanding()
	r.Scenario.Name, r.Scenario.File = evil, evil
	for i := range r.Cases[0].Policies {
		r.Cases[0].Policies[i].Label = evil
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		c.Name, c.Policy, c.Expect, c.File, c.Hint, c.Why = evil, evil, evil, evil, evil, []string{evil, evil}
		c.Set = result.Settings{{Path: evil, Value: evil}}
	}
	return r
}

func TestForms(t *testing.T) {
	for _, f := range forms() {
		r := demanding()
		data := formOf(t, f.write, r)
		golden(t, f.name, data)
		f.parse(t, data)
		f.parse(t, formOf(t, f.write, hostileChecks()))
		f.parse(t, formOf(t, f.write, r, r, fixtures()["single"]))
		for _, other := range fixtures() {
			f.parse(t, formOf(t, f.write, other))
		}
	}
}

// The counts of a report are those of its cases; a warning is no failure.
func TestJUnitCounts(t *testing.T) {
	r := demanding()
	all := junitRead(t, formOf(t, junitOf, r, r))
	if len(all.Suites) != 2 || all.Tests != 2*len(r.Checks) || all.Errors != 0 {
		t.Errorf("%d suites, %d tests, %d errors", len(all.Suites), all.Tests, all.Errors)
	}
	failures := 0
	for _, s := range all.Suites {
		if s.Tests != len(s.Cases) || s.Name != "outage-herd" || s.File != r.Scenario.File || len(s.Properties) != 3 {
			t.Errorf("suite %+v", s)
		}
		of := 0
		for i, c := range s.Cases {
			status := r.Checks[i].Status
			if (c.Failure != nil) != status.Failed() || (c.Out != "") != (status == result.Warn) {
				t.Errorf("%s is shown as %+v", status, c)
			}
			if c.Failure != nil {
				of++
				if !strings.Contains(c.Failure.Body, r.Checks[i].Expect) || c.Failure.Type != string(status) {
					t.Errorf("failure %+v", c.Failure)
				}
			}
		}
		if s.Failures != of {
			t.Errorf("%d failures, want %d", s.Failures, of)
		}
		failures += of
	}
	if all.Failures != failures || failures == 0 {
		t.Errorf("%d failures, want %d", all.Failures, failures)
	}
}

var command = regexp.MustCompile(`^::(error|warning)(?: ((?:[a-zA-Z]+=[^:,\r\n]*)(?:,[a-zA-Z]+=[^:,\r\n]*)*))?::([^\r\n]*)$`)

// githubRead reads workflow commands as a runner does, and returns the parameters of each with its level and message.
func githubRead(t *testing.T, data []byte) []map[string]string {
	t.Helper()
	var all []map[string]string
	decode := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(string(data)) {
		parts := command.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil {
			t.Fatalf("not a command: %s", line)
		}
		if stray := regexp.MustCompile(`%(25|0D|0A|3A|2C)?`).FindAllString(line, -1); slices.Contains(stray, "%") {
			t.Fatalf("a sign of percent is not escaped: %s", line)
		}
		c := map[string]string{"level": parts[1], "message": decode.Replace(parts[3])}
		for p := range strings.SplitSeq(parts[2], ",") {
			name, value, _ := strings.Cut(p, "=")
			c[name] = decode.Replace(value)
		}
		all = append(all, c)
	}
	if len(all) > 10 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

func TestGitHub(t *testing.T) {
	r := demanding()
	c := r.Checks[slices.IndexFunc(r.Checks, func(c result.Check) bool { return c.Status == result.Fail })]
	c.File, c.Line, c.Column, c.Length, c.Hint = "a,b:50%.yaml", 7, 13, 5, "one\ntwo"
	r.Checks = []result.Check{c}
	got := githubRead(t, formOf(t, GitHub, r))[0]
	if got["level"] != "error" || got["file"] != c.File || got["line"] != "7" || got["col"] != "13" || got["endColumn"] != "18" || !strings.Contains(got["message"], "hint: one?two") {
		t.Errorf("%q", got)
	}
	for _, file := range []string{"-", "@outage-herd"} {
		r.Checks[0].File = file
		if got := githubRead(t, formOf(t, GitHub, r))[0]; got["file"] != "" || got["line"] != "" || got["title"] == "" {
			t.Errorf("%s: %q", file, got)
		}
	}
	for n, last := range map[int]string{10: "observed", 11: "2 more checks do not hold", 50: "41 more checks do not hold"} {
		r.Checks = nil
		for i := range n {
			c.Name = "c" + strconv.Itoa(i)
			r.Checks = append(r.Checks, c)
		}
		all := githubRead(t, formOf(t, GitHub, r))
		if len(all) != 10 || !strings.Contains(all[9]["message"], last) {
			t.Errorf("%d checks: %d commands, the last %q", n, len(all), all[9])
		}
	}
}

// markdownRead holds that every table has rows of one length, that blocks are closed, and that nothing outside of blocks and code
// spans can come from the user.
func markdownRead(t *testing.T, data []byte) {
	t.Helper()
	span := regexp.MustCompile(`<code>[^<>|*_@\[\]` + "`" + `\\]*</code>`)
	ours := regexp.MustCompile(`^[-+A-Za-z0-9 .,:;~%/×±–→*\\|#<>/()✅❌❔⚠️📈µs]*$`)
	fenced, columns := "", 0
	for n, line := range strings.Split(string(data), "\n") {
		switch {
		case fenced != "":
			if line == fenced {
				fenced = ""
			}
			continue
		case strings.HasPrefix(line, "```"):
			fenced = line
			continue
		}
		rest := span.ReplaceAllString(line, "x")
		if !ours.MatchString(rest) {
			t.Fatalf("line %d: %s", n+1, line)
		}
		cells := strings.Count(rest, "|")
		if cells > 0 && columns > 0 && cells != columns {
			t.Fatalf("line %d has %d cells, the one before %d: %s", n+1, cells, columns, line)
		}
		columns = cells
	}
	if fenced != "" {
		t.Fatal("a block is not closed")
	}
}

// Of many failures the first are explained, and the others counted.
func TestMarkdownIsBounded(t *testing.T) {
	r := demanding()
	c := r.Checks[slices.IndexFunc(r.Checks, func(c result.Check) bool { return c.Status == result.Fail })]
	r.Checks = nil
	for i := range 2000 {
		c.Name = fmt.Sprint("c", i)
		r.Checks = append(r.Checks, c)
	}
	data := formOf(t, Markdown, r)
	markdownRead(t, data)
	if len(data) > 60_000 || !bytes.Contains(data, []byte("1990 more are left out")) || !bytes.Contains(data, []byte("1900 more are left out")) {
		t.Errorf("%d bytes", len(data))
	}
}
