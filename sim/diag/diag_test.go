package diag

import (
	"errors"
	"strings"
	"testing"
)

const file = "version: 1\npolicies:\n  full:\n    max_atempts: 10\n\twide: 日本 x\n"

func render(t *testing.T, l List, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := l.Render(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRender(t *testing.T) {
	src := NewSource("scenarios/broken.yaml", []byte(file))
	check(t, render(t, List{
		{
			Message: "unknown field `max_atempts` in policy `full`", Pos: Pos{src, 4, 5}, Length: 11,
			Label: "did you mean `max_attempts`?", Notes: []string{"allowed here: delay, jitter", "why: two\n     lines"},
		},
		{Message: "both are set", Pos: Pos{src, 3, 3}, Notes: []string{"a note"}},
		{Message: "nowhere"},
		{Severity: Warning, Message: "cap 60s is never reached", Pos: Pos{src, 1, 1}},
	}, Options{}), `
error: unknown field `+"`max_atempts`"+` in policy `+"`full`"+`
  --> scenarios/broken.yaml:4:5
   |
 4 |     max_atempts: 10
   |     ^^^^^^^^^^^ did you mean `+"`max_attempts`"+`?
   = allowed here: delay, jitter
   = why: two
          lines

error: both are set
  --> scenarios/broken.yaml:3:3
   = a note

error: nowhere

warning: cap 60s is never reached
  --> scenarios/broken.yaml:1:1

3 errors, 1 warning
`)
	check(t, render(t, nil, Options{}), "")
	check(t, render(t, List{{Severity: Warning, Message: "m"}}, Options{}), "warning: m\n\n1 warning\n")
}

func TestRenderWideAndTabs(t *testing.T) {
	src := NewSource("f", []byte(file))
	check(t, render(t, List{{Message: "m", Pos: Pos{src, 5, 8}, Length: 2, Label: "here"}}, Options{}), `
error: m
  --> f:5:8
   |
 5 |     wide: 日本 x
   |           ^^^^ here

1 error
`)
	check(t, render(t, List{{Message: "m", Pos: Pos{src, 5, 11}, Length: 1}}, Options{}), `
error: m
  --> f:5:11
   |
 5 |     wide: 日本 x
   |                ^

1 error
`)
}

func TestRenderOddPlaces(t *testing.T) {
	src := NewSource("f\x1b[2J", []byte(strings.Repeat("\n", 999)+"a: \x1b[31m\xff\rb\u0085c"))
	check(t, render(t, List{
		{Message: "bad \x1b text", Pos: Pos{src, 1000, 4}, Length: 99},
		{Message: "past the end", Pos: Pos{src, 1002, 9}, Length: 3},
		{Message: "no such line", Pos: Pos{src, 5000, 1}, Length: 1},
	}, Options{}), "error: bad \ufffd text\n"+
		"    --> f\ufffd[2J:1000:4\n"+
		"     |\n"+
		"1000 | a: \ufffd[31m\ufffd\n"+
		"     |    ^^^^^^\n"+
		"\nerror: past the end\n"+
		"    --> f\ufffd[2J:1002:9\n"+
		"     |\n"+
		"1002 | c\n"+
		"     |  ^\n"+
		"\nerror: no such line\n"+
		"    --> f\ufffd[2J:5000:1\n"+
		"     |\n"+
		"5000 |\n"+
		"     | ^\n"+
		"\n3 errors\n")
}

func TestRenderCutsLongLines(t *testing.T) {
	src := NewSource("f", []byte(strings.Repeat("abcdefghij", 1000)))
	for col, want := range map[int]string{
		1:      " 1 | abcdefghijabcdefghijabcdefghij…\n   | ^^^ here\n",
		501:    " 1 | …abcdefghijabcdefghijabcdefghij…\n   |            ^^^ here\n",
		10_000: " 1 | …abcdefghijabcdefghijabcdefghij\n   |                               ^ here\n",
	} {
		got := render(t, List{{Message: "m", Pos: Pos{src, 1, col}, Length: 3, Label: "here"}}, Options{Width: 30})
		if !strings.Contains(got, want) {
			t.Errorf("column %d:\n%s\nwant\n%s", col, got, want)
		}
	}
}

func TestRenderColor(t *testing.T) {
	src := NewSource("f", []byte("a: b"))
	check(t, render(t, List{{Message: "m", Pos: Pos{src, 1, 4}, Length: 1, Notes: []string{"n"}}}, Options{Color: true}),
		"\x1b[1;31merror\x1b[0m\x1b[1m: m\x1b[0m\n"+
			"  \x1b[1;34m-->\x1b[0m f:1:4\n"+
			"   \x1b[1;34m|\x1b[0m\n"+
			"\x1b[1;34m 1\x1b[0m \x1b[1;34m|\x1b[0m a: b\n"+
			"   \x1b[1;34m|\x1b[0m \x1b[1;31m   ^\x1b[0m\n"+
			"   \x1b[1;34m=\x1b[0m n\n"+
			"\n1 error\n")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRenderReportsWriteErrors(t *testing.T) {
	if err := (List{{Message: "m"}}).Render(full{}, Options{}); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v, want the writer's error", err)
	}
}

func TestSortAndCount(t *testing.T) {
	file, flag := NewSource("file", nil), NewSource("--set", nil)
	l := List{
		{Message: "d", Pos: Pos{file, 2, 7}},
		{Message: "e", Pos: Pos{flag, 1, 1}, Severity: Warning},
		{Message: "a", Pos: Pos{file, 1, 9}},
		{Message: "b", Pos: Pos{file, 2, 1}},
		{Message: "c", Pos: Pos{file, 2, 1}},
	}
	l.Sort()
	order := ""
	for _, d := range l {
		order += d.Message
	}
	if order != "abcde" {
		t.Errorf("order %q, want abcde", order)
	}
	if l.Count(Error) != 4 || l.Count(Warning) != 1 || !l.HasErrors() || l[4:].HasErrors() {
		t.Errorf("%d errors, %d warnings, want 4 and 1", l.Count(Error), l.Count(Warning))
	}
}

func TestNearest(t *testing.T) {
	fields := []string{"delay", "jitter", "max_attempts", "max_retries", "label"}
	for word, want := range map[string]string{
		"max_atempts": "max_attempts", "max_attempst": "max_attempts", "MaxAttempts": "max_attempts", "jiter": "jitter", "lable": "label",
		"retries": "", "x": "", "": "", "delays": "delay", "maxretries": "max_retries",
	} {
		if got, ok := Nearest(word, fields); got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", word, got, ok, want)
		}
	}
	if got, _ := Nearest("ac", []string{"ab", "ad"}); got != "ab" {
		t.Errorf("Nearest(ac) = %q, want the first of equals, ab", got)
	}
}

func TestConcise(t *testing.T) {
	src := NewSource("a.yaml", []byte("x: 1\ny: 日本\t2\n"))
	list := List{
		{Message: "unknown field `y`", Pos: Pos{src, 2, 1}, Length: 1, Label: "did you mean `x`?", Notes: []string{"allowed here: x"}},
		{Severity: Warning, Message: "two\nlines \x1b[2J", Pos: Pos{src, 2, 4}},
		{Message: "no file"},
	}
	var b strings.Builder
	if err := list.Render(&b, Options{Concise: true}); err != nil {
		t.Fatal(err)
	}
	want := "a.yaml:2:1: error: unknown field `y`: did you mean `x`?\na.yaml:2:4: warning: two lines �[2J\nerror: no file\n"
	if b.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := list[2:].Render(&b, Options{NoTotal: true}); err != nil || b.String() != "error: no file\n\n" {
		t.Errorf("without a total: %q, %v", b.String(), err)
	}
}
