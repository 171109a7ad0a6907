package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The manual page has a section for every command and a paragraph for every flag.
func TestManualIsComplete(t *testing.T) {
	page := string(manual())
	for _, c := range commands() {
		_, section, found := strings.Cut(page, "\n.SS "+roff(c.name))
		if !found {
			t.Errorf("no section on %s", c.name)
		}
		section, _, _ = strings.Cut(section, "\n.S")
		flags, _ := c.prepare(new(app))
		flags.VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(section, `\-\-`+roff(f.Name)+`\fR`) {
				t.Errorf("%s: nothing about --%s", c.name, f.Name)
			}
		})
	}
	for _, e := range exitMeanings() {
		if !strings.Contains(page, "\n"+roff(e.text)+".\n") {
			t.Errorf("nothing about exit code %d", e.code)
		}
	}
}

// Every line that begins with a control character is a request or macro that is meant.
func TestManualIsEscaped(t *testing.T) {
	meant := regexp.MustCompile(`^\.(TH HERDSIM|SH [A-Z"]|SS [a-z]|TP$|PP$|EX$|EE$|B \d|B herdsim$|I COMMAND$)`)
	for _, line := range strings.Split(string(manual()), "\n") {
		if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !meant.MatchString(line) {
			t.Errorf("a line that troff takes for a request: %s", line)
		}
	}
	for text, want := range map[string]string{
		".x\n'y'":  `\&.x` + "\n" + `\&\(aqy\(aq`,
		`a\b-c "…`: `a\eb\-c \(dq\[u2026]`,
		"^`~":      `\(ha\(ga\(ti`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
