package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/engine"
)

// files is a folder of texts by name.
func files(texts map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		text, ok := texts[name]
		if !ok {
			return nil, errors.New("no such file or directory")
		}
		return []byte(text), nil
	}
}

// traces are the files that testdata/right/everything.yaml names.
var traces = map[string]string{"traces/monday.csv": "2\n1.5\n"}

const listedYAML = "version: 1\ncohorts: {real: {arrivals: {csv: t.csv}}}\npolicies: {p: {max_attempts: 1}}\n"

func TestListing(t *testing.T) {
	for text, want := range map[string]string{
		"1\n2.5\n":                          "[{1s 0} {2.5s 1}]",
		"seconds\n\n 3 \r\n\n0.000000001":   "[{1ns 1} {3s 0}]",
		"\ufeff\"at (s)\"\n2\n1\n2\n":       "[{1s 1} {2s 0} {2s 2}]",
		"4611686017\n000.5\n":               "[{500ms 1} {1281023h53m37s 0}]",
		"# made by hand\n7\n\t8.123456789 ": "[{7s 0} {8.123456789s 1}]",
	} {
		f, list := Parse("dir/x.yaml", []byte(listedYAML), Overrides{Beside: files(map[string]string{"t.csv": text}), Sets: []Setting{{"stop.at", "4611686017s"}}})
		if f == nil {
			t.Fatalf("%q:\n%s", text, rendered(t, list))
		}
		if got := fmt.Sprint(f.Cases[0].Base.Cohorts[0].Offsets); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// What is said about files that are wrong.
func TestWrongListings(t *testing.T) {
	var b strings.Builder
	for _, text := range []string{
		"", "\n \n", "seconds\n", "seconds\nminutes\n1\n", "1\n  -2.5\n3,4\n1e3\n.5\n5.\n1.0000000001\n99999999999\n4611686018\n0x10\n+1\n12:30\n", "1\n\xff\n",
	} {
		_, list := Parse("dir/x.yaml", []byte(listedYAML), Overrides{Beside: files(map[string]string{"t.csv": text})})
		fmt.Fprintf(&b, "=== %q\n%s", text, rendered(t, list))
	}
	golden(t, "testdata/listings.golden", b.String())
}

// A file is read once, whatever the number of cases, and one axis may choose between files.
func TestListingsOfAMatrix(t *testing.T) {
	read := map[string]int{}
	texts := files(map[string]string{"t.csv": "1", "u.csv": "2\n3"})
	yaml := listedYAML + "matrix: {cohorts.real.arrivals.csv: [t.csv, u.csv], stop.at: [1h, 2h, 3h]}\n"
	f, list := Parse("x.yaml", []byte(yaml), Overrides{Beside: func(name string) ([]byte, error) {
		read[name]++
		return texts(name)
	}})
	if f == nil || len(f.Cases) != 6 || len(f.Cases[5].Base.Cohorts[0].Offsets) != 2 {
		t.Fatalf("not 6 cases, of which the last has two jobs:\n%s", rendered(t, list))
	}
	if !reflect.DeepEqual(read, map[string]int{"t.csv": 1, "u.csv": 1}) {
		t.Errorf("reads: %v", read)
	}
}

// However many names a matrix has for a file, what is read is bounded.
func TestListingsAreBounded(t *testing.T) {
	reads := 0
	large := append([]byte("1\n"), bytes.Repeat([]byte(" "), maxListed/10)...)
	yaml := listedYAML + "matrix: {cohorts.real.arrivals.csv: [" + strings.Repeat("./", 45) + "t.csv"
	for i := range 40 {
		yaml += ", " + strings.Repeat("./", i) + "t.csv"
	}
	_, list := Parse("x.yaml", []byte(yaml+"]}\n"), Overrides{Beside: func(string) ([]byte, error) {
		reads++
		return large, nil
	}})
	if text := rendered(t, list); reads > 11 || list.Count(diag.Error) != 1 || !strings.Contains(text, "more than 128 MiB in all") {
		t.Errorf("%d reads:\n%s", reads, text)
	}
}

// Overrides.Beside may be nil: then nothing beside the scenario can be read.
func TestNothingBeside(t *testing.T) {
	f, list := Parse("x.yaml", []byte(listedYAML), Overrides{})
	if f != nil || !strings.Contains(rendered(t, list), "there is no folder to read `t.csv` from") {
		t.Errorf("accepted, or refused otherwise:\n%s", rendered(t, list))
	}
}

// Jobs that wait for a delayed first run wait in memory; they count with those that arrive together.
func TestAtOnce(t *testing.T) {
	b := builder{stop: seconds(100)}
	second := clock.Rate{Count: 10, Per: time.Second}
	for i, c := range []struct {
		cohort engine.Cohort
		want   uint64
	}{
		{engine.Cohort{Count: 5}, 5},
		{engine.Cohort{Pattern: engine.Constant, Rate: second}, 0},
		{engine.Cohort{Pattern: engine.Constant, Rate: second, Delay: 7 * time.Second}, 71},
		{engine.Cohort{Pattern: engine.Constant, Rate: second, Delay: 7 * time.Second, For: 2 * time.Second}, 21},
		{engine.Cohort{Pattern: engine.Listed, Offsets: engine.InOrder(make([]time.Duration, 9)), Count: 4}, 4},
	} {
		if got := b.atOnce(c.cohort); got != c.want {
			t.Errorf("%d: %d jobs, want %d", i, got, c.want)
		}
	}
}
