package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const head = "version: 1\ncohorts: {h: {count: 1}}\npolicies: {p: {max_attempts: 1}}\n"

// keys returns n keys, each on a line of its own.
func keys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  k%d: {max_attempts: 1}\n", i)
	}
	return b.String()
}

// axes returns a matrix of n axes with so many values each.
func axesText(n, values int) string {
	var b strings.Builder
	b.WriteString("version: 1\ncohorts:\n")
	for i := range n {
		fmt.Fprintf(&b, "  c%d: {count: 1}\n", i)
	}
	b.WriteString("policies: {p: {max_attempts: 1}}\nmatrix:\n")
	for i := range n {
		fmt.Fprintf(&b, "  cohorts.c%d.count: [%s1]\n", i, strings.Repeat("1, ", values-1))
	}
	return b.String()
}

// hostile holds texts made to hurt, and a part of what must be said about each; "" when it is right.
func hostile() map[string]struct{ text, want string } {
	const mega = 1 << 20
	type c = struct{ text, want string }
	return map[string]c{
		"too long":           {head + "# " + strings.Repeat("x", mega), "the most are 1048576"},
		"all brackets":       {strings.Repeat("[", mega), "not YAML"},
		"all braces":         {strings.Repeat("{", mega), "not YAML"},
		"deep":               {"x-a: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "more than 32 deep"},
		"deep enough":        {head + "x-a: " + strings.Repeat("[", 30) + strings.Repeat("]", 30), ""},
		"too deep by one":    {head + "x-a: " + strings.Repeat("[", 32) + strings.Repeat("]", 32), "more than 32 deep"},
		"deep block":         {strings.Repeat("- ", 9000), "more than 32 deep"},
		"spaces":             {strings.Repeat(" ", mega), "empty"},
		"newlines":           {strings.Repeat("\n", mega), "empty"},
		"comments":           {strings.Repeat("#\n", mega/2), "comments"},
		"colons":             {strings.Repeat(":", mega), "not YAML"},
		"documents":          {strings.Repeat("---\n", mega/4), "second document"},
		"40000 keys":         {"policies:\n" + strings.ReplaceAll(keys(40_000), "{max_attempts: 1}", "1"), "more than 256 keys"},
		"257 policies":       {"version: 1\ncohorts: {h: {count: 1}}\npolicies:\n" + keys(257), "more than 256 keys"},
		"256 policies":       {"version: 1\ncohorts: {h: {count: 1}}\npolicies:\n" + keys(256), ""},
		"merged keys":        {"version: 1\ncohorts: {h: {count: 1}}\nx-a: &a\n" + strings.ReplaceAll(keys(100), "k", "m") + "policies:\n  <<: *a\n" + keys(200), "more than 256 keys, merged"},
		"one line of items":  {head + "x-a: [" + strings.Repeat("a, ", mega/3-50) + "]", "more than 20000 values"},
		"20000 on one line":  {"x-a: [" + strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, ", 19_000) + "]\n" + head, ""},
		"long text, aliased": {"x-a: &a " + strings.Repeat("y", mega/2) + "\nx-b: [" + strings.Repeat("*a, ", 19_000) + "]\n" + head, ""},
		"quotes":             {"x-a: [" + strings.Repeat("\"\\\\\", ", 19_000) + "]\n" + head, ""},
		"errors on one line": {"{" + strings.Repeat("\"\": 1, ", 9_000) + "}", "a key is empty"},
		"half a megabyte":    {head + "stop: {at: " + strings.Repeat("9", mega/2) + "s}", "is not a duration"},
		"long description":   {head + "description: " + strings.Repeat("d", 10_001), "more than 10000 characters"},
		"long key":           {head + strings.Repeat("k", 900) + ": 1\n", "unknown field"},
		"million cases":      {axesText(6, 10), "1000000 combinations"},
		"2^250 cases":        {axesText(250, 2), "more than 4294967296 combinations"},
		"10000 cases":        {axesText(4, 10), ""},
		"10001 cases":        {axesText(1, 10_001), "10001 combinations"},
		"large cases":        {"version: 1\ncohorts: {h: {count: 1}}\npolicies:\n" + keys(250) + "matrix:\n  stop.at: [" + strings.Repeat("1s, ", 3000) + "]\n", "combinations of a document of"},
		"checks of cases":    {axesText(4, 10) + "checks:\n" + strings.Repeat("  - jobs.dead <= 1\n", 6), "6 checks in 10000 cases: the most are 50000 in all"},
		"many checks":        {head + "checks:\n" + strings.Repeat("  - jobs.dead <= 1\n", 19_000), ""},
		"brackets of checks": {head + "checks: [\"" + strings.Repeat("(", 2000) + "\"]\n", "missing at the end"},
		"a chain of checks":  {head + "checks: [\"" + strings.Repeat("jobs.dead<1 and ", 124) + "jobs.dead<1\"]\n", ""},
		"an endless check":   {head + "checks: [\"" + strings.Repeat("(", mega/2) + "\"]\n", "more than 2000 characters"},
		"flutter":            {head + "dependency: {outages: {f: {for: 1ns, every: 1ns, times: 100000}}}\nmatrix: {stop.at: [1d, 2d]}\n", "come more than 100000 times in all"},
		"1e18 jobs":          {"version: 1\ncohorts: {h: {count: 1000000000000000000}}\npolicies: {p: {max_attempts: 1}}\n", "lower `count`"},
		"1e18 jobs, spaced":  {"version: 1\ncohorts: {h: {count: 1000000000000000000, arrivals: {every: 1ns}}}\npolicies: {p: {max_attempts: 1}}\n", "lower `count`"},
		"no end of jobs":     {"version: 1\ncohorts: {h: {arrivals: {every: 1ns}}}\nstop: {at: 4611686018427387904ns}\npolicies: {p: {max_attempts: 1}}\n", "lower `count`"},
		"capacity":           {head + "dependency: {capacity: {rate: 9223372036854775807/ns}}\n", "`rate` must be at most 1000000000/s"},
		"largest capacity":   {head + "dependency: {capacity: {rate: 4611686018427387904/4611686018427387904ns}}\n", ""},
		"self merge":         {"x-a: &a {<<: *a}\n", "holds the alias"},
		"merge of a list":    {"x-a: {<<: []}\n" + head, ""},
		"spaces, quotes":     {"{" + strings.Repeat(" ", mega/2) + strings.Repeat("'\":", mega/8), "not YAML"},
		"yaml directive":     {"%YAML 1.2\n---\n" + head, " 1 | %YAML 1.2\n   | ^^^^^^^^^\n   = leave the line that begins with `%` out"},
		"other directive":    {"# a\n%HERD 1\n---\n" + head, "leave the line that begins with `%` out"},
		"key of 1025":        {head + strings.Repeat("k", 1025) + ": 1\n", "a key has more than 1024 bytes\n  --> hostile.yaml:4:1"},
		"flow key of 1025":   {head + "x-a: {b: 1,\n " + strings.Repeat("k", 1025) + ": 1}\n", "a key has more than 1024 bytes\n  --> hostile.yaml:5:2"},
		"quoted key of 1025": {head + "x-a: {\"a,b" + strings.Repeat("k", 1025) + "\": 1}\n", "a key has more than 1024 bytes\n  --> hostile.yaml:4:1"},
		"flow key of 1024":   {head + "x-a: {b: 1, " + strings.Repeat("k", 1024) + ": 1}\n", ""},
		"colons in a text":   {head + "description: a" + strings.Repeat("k", 1025) + ": 1\n", "quote a text that holds"},
		"nul":                {head + "name: a\x00b\n", "U+0000"},
		"utf-16":             {"v\x00e\x00r\x00", "UTF-16"},
		"utf-16 be":          {"\xfe\xff\x00v", "UTF-16"},
		"surrogate":          {head + "name: \xed\xa0\x80\n", "not UTF-8"},
		"bom and crlf":       {"\xef\xbb\xbf" + strings.ReplaceAll(head, "\n", "\r\n"), ""},
		"second bom":         {"\xef\xbb\xbf\xef\xbb\xbf" + head, "U+FEFF"},
		"carriage returns":   {strings.ReplaceAll(head, "\n", "\r"), ""},
		"a picture":          {"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8"},
	}
}

// Every hostile text is judged with the right words. A second is what each may take where the machine has nothing else to
// do; the limit here is for what never ends, or grows with the square of the text.
func TestHostile(t *testing.T) {
	for name, c := range hostile() {
		start := time.Now()
		f, list := Parse("hostile.yaml", []byte(c.text), Overrides{})
		text := rendered(t, list)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if len(text) > 100_000 {
			t.Errorf("%s: %d bytes of diagnostics", name, len(text))
		}
		if text = text[:min(len(text), 2000)]; c.want == "" && (f == nil || text != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: want %q, got\n%s", name, c.want, text)
		}
	}
}

func TestTooManyErrors(t *testing.T) {
	_, list := Parse("many.yaml", []byte("{"+strings.Repeat("\"\": 1, ", 300)+"}"), Overrides{})
	text := rendered(t, list)
	if !strings.Contains(text, "error: more than 200 errors: the others are left out\n") || len(list) != maxProblems+1 {
		t.Errorf("%d diagnostics:\n%s", len(list), text[max(0, len(text)-500):])
	}
}

func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"scenarios/outage-herd.yaml": "outage-herd", "a.b.yml": "a.b", "plain": "plain", "-": "scenario", "": "scenario", ".yaml": "scenario",
	} {
		if got := nameOf(path); got != want {
			t.Errorf("nameOf(%q) = %q, want %q", path, got, want)
		}
	}
}

// FuzzParse feeds bytes to the reader: it never panics, says why whenever it refuses, and what it accepts is within the
// limits.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.yaml", "../../scenarios/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	for _, c := range hostile() {
		if len(c.text) < 10_000 {
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		start := time.Now()
		file, list := Parse("fuzz.yaml", data, Overrides{})
		rendered(t, list)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if file == nil {
			if !list.HasErrors() {
				t.Error("refused without a word")
			}
			return
		}
		checkLimits(t, file)
	})
}

// checkLimits holds an accepted file against what the rest of the program relies on.
func checkLimits(t *testing.T, f *File) {
	t.Helper()
	if len(f.Cases) == 0 || len(f.Cases) > maxCases {
		t.Fatalf("%d cases", len(f.Cases))
	}
	for _, c := range f.Cases {
		if c.Replications < 1 || c.Base.Stop <= 0 || len(c.Base.Cohorts) == 0 || len(c.Policies) == 0 || c.Metrics.Window <= 0 || c.Workload == "" {
			t.Fatalf("%+v", c.Scenario)
		}
		jobs := uint64(0)
		for _, cohort := range c.Base.Cohorts {
			jobs = sum(jobs, expected(cohort, c.Base.Stop))
		}
		for _, p := range c.Policies {
			if p.Budget.Tries < 1 || p.Policy == nil && p.Budget.Tries > 1 || p.Label == "" {
				t.Fatalf("%+v", p)
			}
		}
		if jobs > 1<<32 || len(c.Outages) > maxWindows || len(c.Outages) != len(c.Dependency.Outages) {
			t.Fatalf("%d jobs, %d outages", jobs, len(c.Outages))
		}
		for _, o := range c.Outages {
			if o.From < 0 || o.To < o.From {
				t.Fatalf("%+v", o)
			}
		}
	}
}
