package report

import (
	"bytes"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"herdsim/sim/result"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

// golden compares output with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

func textOf(t *testing.T, r *result.Result, o TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGoldens(t *testing.T) {
	all := fixtures()
	for name, r := range all {
		golden(t, name+".txt", []byte(textOf(t, r, TextOptions{})))
	}
	for _, width := range []int{40, 60, 100, 200} {
		golden(t, fmt.Sprintf("twenty-%d.txt", width), []byte(textOf(t, all["twenty"], TextOptions{Width: width})))
	}
	golden(t, "matrix-six-40.txt", []byte(textOf(t, all["matrix-six"], TextOptions{Width: 40})))
	golden(t, "matrix-six-120.txt", []byte(textOf(t, all["matrix-six"], TextOptions{Width: 120})))
	golden(t, "flapping-verbose.txt", []byte(textOf(t, all["flapping"], TextOptions{Verbose: true})))
	golden(t, "twelve-ascii.txt", []byte(textOf(t, all["twelve"], TextOptions{ASCII: true, Width: 100})))
	golden(t, "twelve-color.txt", []byte(textOf(t, all["twelve"], TextOptions{Color: true})))
	golden(t, "clumps-verbose.txt", []byte(textOf(t, all["clumps"], TextOptions{Verbose: true, Width: 100})))
	golden(t, "twenty-quiet.txt", []byte(textOf(t, all["twenty"], TextOptions{Quiet: true})))
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever the result and the options, lines keep to the width, and the text holds only what the terminal can show.
func TestTextProperties(t *testing.T) {
	for name, r := range fixtures() {
		for _, width := range []int{40, 60, 80, 100, 200} {
			for bits := range 16 {
				o := TextOptions{Width: width, Color: bits&1 > 0, ASCII: bits&2 > 0, Quiet: bits&4 > 0, Verbose: bits&8 > 0}
				checkText(t, fmt.Sprintf("%s %+v", name, o), textOf(t, r, o), o)
			}
		}
	}
}

func checkText(t *testing.T, name, text string, o TextOptions) {
	t.Helper()
	if o.Color != strings.Contains(text, "\x1b") {
		t.Errorf("%s: colour is %v in the text", name, !o.Color)
	}
	text = escapes.ReplaceAllString(text, "")
	if !strings.HasSuffix(text, "\n") || strings.HasPrefix(text, "\n") || strings.Contains(text, "\n\n\n") {
		t.Errorf("%s: blank lines at an end or two in a row", name)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if columns(line) > o.Width {
			t.Errorf("%s: %d columns: %q", name, columns(line), line)
		}
		if line != strings.TrimRight(line, " ") {
			t.Errorf("%s: spaces at the end of %q", name, line)
		}
		for _, r := range line {
			if r < ' ' || o.ASCII && r > '~' || r == 0x202e {
				t.Errorf("%s: %q in %q", name, r, line)
			}
		}
	}
}

func TestWidthIsBounded(t *testing.T) {
	r := fixtures()["twenty"]
	for _, c := range []struct{ asked, same int }{{0, 80}, {-5, 40}, {1, 40}, {39, 40}, {401, 400}, {1 << 30, 400}} {
		if textOf(t, r, TextOptions{Width: c.asked}) != textOf(t, r, TextOptions{Width: c.same}) {
			t.Errorf("width %d is not treated as %d", c.asked, c.same)
		}
	}
}

// What a text says must follow from the numbers, not from the fixture at hand.
func TestTextSays(t *testing.T) {
	all := fixtures()
	for _, c := range []struct {
		fixture    string
		says, omit []string
	}{
		{"single", []string{"1 replication,", "1043/s", "20.9×", "-n 1"}, []string{"±", "confidence", "first replication"}},
		{"twenty", []string{"20 replications, 2 policies", "1045.0 ± 0.7/s", "PEAK AFTER", "fastest drain", "note: with full jitter", "result 9f2c41d7 "}, nil},
		{"no-outage", []string{"dependency never down", "PEAK "}, []string{"AFTER", "x CAP", "capacity", "^", "─"}},
		{"open-outage", []string{"from 200s on", "PEAK "}, []string{"PEAK AFTER"}},
		{"no-retries", []string{"none in the first replication", "– under drained: no call failed"}, []string{"fastest"}},
		{"no-series", []string{"PEAK AFTER"}, []string{"RETRIES PER SECOND"}},
		{"unfinished", []string{"FINISHED", "– under drained: jobs were still unfinished", "* mean of the replications that have a value"}, []string{"fastest"}},
		{"matrix-two", []string{"CASE 1 of 2  policies.full.delay.exponential.base=1s", "CASE 2 of 2"}, nil},
		{"matrix-six", []string{"6 cases", "base  for  POLICY", "PEAK AFTER"}, []string{"RETRIES PER SECOND"}},
		{"flapping", []string{"and 7 times more", "METRICS", "success.total(after=240s, before=300s)", "– no value: nothing of the kind happened"}, nil},
		{"phases", []string{
			"capacity 100/2s with", "squeezed 100s-200s: capacity 2/s,", "crowded from 200s on: capacity 5 calls at a time",
			"x cap: peak / capacity outside phases",
		}, nil},
		{"long-horizon", []string{"20h", "2h    4h"}, nil},
	} {
		text := textOf(t, all[c.fixture], TextOptions{})
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s does not say %q:\n%s", c.fixture, s, text)
			}
		}
		for _, s := range c.omit {
			if strings.Contains(text, s) {
				t.Errorf("%s says %q:\n%s", c.fixture, s, text)
			}
		}
	}
}

func TestRepeatIsACommand(t *testing.T) {
	r := fixtures()["single"]
	r.Scenario.File = "my dir/it's.yaml"
	r.Scenario.Args = []string{"--set", "policies.full.max_attempts=12", "--policy", "f*", "--no-series"}
	const want = `herdsim run 'my dir/it'\''s.yaml' --set policies.full.max_attempts=12 --policy 'f*' --no-series --seed 42 -n 1`
	if text := textOf(t, r, TextOptions{Width: 200}); !strings.Contains(text, "repeat with: "+want+"\n") {
		t.Errorf("want %s in:\n%s", want, text)
	}
	_, command, ok := strings.Cut(textOf(t, r, TextOptions{Width: 40}), "repeat with:\n")
	if joined := strings.Join(strings.Fields(strings.ReplaceAll(command, "\\\n", "")), " "); !ok || joined != want {
		t.Errorf("broken over lines it reads %s, want %s", joined, want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrors(t *testing.T) {
	r := fixtures()["single"]
	if err := Text(broken{}, r, TextOptions{}); err == nil {
		t.Error("Text hides that it could not write")
	}
	if err := JSON(broken{}, r); err == nil {
		t.Error("JSON hides that it could not write")
	}
}

// A file whose name begins with a dash is no flag when the run is repeated; standard input stays what it is.
func TestRepeatNamesTheFile(t *testing.T) {
	for file, want := range map[string]string{
		"-dash.yaml": "herdsim run ./-dash.yaml", "--x y.yaml": "herdsim run './--x y.yaml'", "-": "herdsim run - ", "a/-b.yaml": "herdsim run a/-b.yaml",
	} {
		r := newResult(1, oneCase(1, fixedHerd()))
		r.Scenario.File = file
		if text := textOf(t, r, TextOptions{Width: 200}); !strings.Contains(text, "repeat with: "+want) {
			t.Errorf("%s: want %q in\n%s", file, want, text)
		}
	}
}

// With long names and large numbers the metrics of a policy still have their least and greatest value on one line of 80 columns.
func TestVerboseFits(t *testing.T) {
	r := fixtures()["flapping"]
	key := "success.first_at(after=1234567s, before=12345678s, cohort=a-long-name)"
	m := metric(t, `{"mean": 123456789.5, "ci95": [123456780, 123456799], "min": 123456780, "max": 123456799, "values": [123456780, 123456799]}`)
	for i := range r.Cases[0].Policies {
		r.Cases[0].Policies[i].Metrics[key] = m
		r.Cases[0].Policies[i].Metrics["calls.total"] = m
	}
	_, text, _ := strings.Cut(textOf(t, r, TextOptions{Verbose: true}), "ALL METRICS")
	text, _, _ = strings.Cut(text, "ALL DIFFERENCES")
	if strings.Count(text, "MAX") != len(r.Cases[0].Policies) || strings.Contains(text, "METRIC  MAX") {
		t.Errorf("MAX stands in a table of its own:\n%s", text)
	}
	for _, line := range strings.Split(text, "\n") {
		if columns(line) > 80 {
			t.Errorf("%d columns: %s", columns(line), line)
		}
		if strings.HasPrefix(line, "METRIC") && !strings.HasSuffix(line, "MAX") {
			t.Errorf("no MAX in %q", line)
		}
	}
}

// A policy that drains late in some replications is not marked as the fastest because its mean is low.
func TestFastestDrainOfClumps(t *testing.T) {
	for late, want := range map[int64]bool{130: true, 200: false} {
		r := newResult(20, oneCase(20, fixedHerd(), fullHerd()))
		values := make([]*big.Rat, 20)
		for i := range values {
			values[i] = rat(10, 1)
			if i%3 == 2 {
				values[i] = rat(late, 1)
			}
		}
		m := result.NewMetric(values, true)
		m.Clumps = result.Clumps(values, new(big.Rat))
		p := r.Cases[0].Policies
		p[1].Metrics["retries.drained_at"] = m
		p[0].Metrics["retries.drained_at"] = result.NewMetric([]*big.Rat{rat(150, 1), rat(150, 1)}, true)
		if m.Clumps == nil || m.Mean.Float() > 100 {
			t.Fatalf("%d: mean %s, clumps %v", late, m.Mean, m.Clumps)
		}
		if text := textOf(t, r, TextOptions{}); strings.Contains(text, "fastest drain") != want {
			t.Errorf("late at %d, against 150: marked is %v\n%s", late, !want, text)
		}
	}
}
