package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"herdsim/sim/result"
)

func jsonOf(t *testing.T, r *result.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// brief is a result of two cases that is short enough to read.
func brief(t *testing.T) *result.Result {
	r := newResult(2, matrix(2, 2)...)
	for i := range r.Cases {
		for j := range r.Cases[i].Policies {
			track := result.NewTrack([][]int64{{0, 3, 1}, {2, 5}})
			r.Cases[i].Policies[j].Series = &result.Series{Bin: numberOf(t, "0.25"), Retries: track, Calls: result.NewTrack([][]int64{{1}, nil})}
			r.Cases[i].Policies[j].Layers = []result.LayerRow{{Tries: 3, Calls: numberOf(t, "20.5")}, {Tries: 2, Calls: numberOf(t, "0")}}
			r.Cases[i].Policies[j].Recovery = result.NewRecovery([]string{"recovered", "stuck"})
			if j == 0 {
				continue
			}
			r.Cases[i].Comparisons = append(r.Cases[i].Comparisons, result.Comparison{
				Policy: r.Cases[i].Policies[j].Name, Baseline: r.Cases[i].Policies[0].Name, Metric: "calls.total", Better: result.Lower,
				Difference: result.Difference{Diff: numberOf(t, "-12.5"), CI95: &result.Bounds{numberOf(t, "-13"), numberOf(t, "-12")}, P: number(0), Pairs: 2},
			})
		}
	}
	return r
}

func TestJSONGolden(t *testing.T) {
	golden(t, "brief.json", jsonOf(t, brief(t)))
}

// The layout is only white space: the same values in the same order as the plain encoding.
func TestJSONLayout(t *testing.T) {
	r := fixtures()["wide"]
	r.Cases[0].Workload = `a "quoted" [text], {with} <brackets> & \ slashes:, `
	var want, got bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		t.Fatal(err)
	}
	pretty := jsonOf(t, r)
	if err := json.Compact(&got, pretty); err != nil {
		t.Fatal(err)
	}
	if got.String()+"\n" != want.String() {
		t.Errorf("the layout changed the content:\n%s\nwant:\n%s", got.String(), want.String())
	}
	for line := range strings.Lines(string(pretty)) {
		if strings.TrimSpace(line) == "" || strings.HasSuffix(line, " \n") {
			t.Errorf("blank line, or spaces at the end of %q", line)
		}
	}
}

// What is written, read and written again is the same, and reads the same.
func TestJSONRoundTrip(t *testing.T) {
	for name, r := range fixtures() {
		first := jsonOf(t, r)
		back, err := ReadJSON(bytes.NewReader(first))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if second := jsonOf(t, back); !bytes.Equal(first, second) {
			t.Errorf("%s: wrote\n%s\nthen\n%s", name, first, second)
		}
		for _, o := range []TextOptions{{}, {Verbose: true}} {
			if textOf(t, r, o) != textOf(t, back, o) {
				t.Errorf("%s reads differently when it comes from a file", name)
			}
		}
	}
}

func TestChecksAreReadBack(t *testing.T) {
	r := fixtures()["wide"]
	r.Checks = checksOf(r)
	first := jsonOf(t, r)
	back, err := ReadJSON(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if second := jsonOf(t, back); !bytes.Equal(first, second) {
		t.Errorf("wrote\n%s\nthen\n%s", first, second)
	}
}

func TestReadJSONErrors(t *testing.T) {
	good := string(jsonOf(t, fixtures()["single"]))
	replace := func(old, by string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the result", old)
		}
		return strings.Replace(good, old, by, 1)
	}
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "the result is empty"},
		{"blank", " \n\t", "the result is empty"},
		{"binary", "\x89PNG\r\n\x1a\n\xff", "not UTF-8"},
		{"not JSON", "seed: 42\n", "not a herdsim result: line 1"},
		{"cut off", good[:len(good)/2], "unexpected end of JSON input"},
		{"two values", good + "{}", "line"},
		{"a list", "[]", "not a herdsim result"},
		{"no format", "{}", "it has no `format"},
		{"other format", replace(`"herdsim/1"`, `"herdsim/9"`), `format "herdsim/9" cannot be read`},
		{"unknown field", replace(`"seed"`, `"sead"`), `unknown field "sead"`},
		{"unknown field in a metric", replace(`{"mean"`, `{"average"`), `unknown field "average"`},
		{"version", replace(`"seed": 42`, `"seed": "x"`), `written by herdsim "1.2.3"`},
		{"kind", replace(`"seed": 42`, `"seed": "x"`), `line 5: field "seed" does not take a string`},
		{"negative seed", replace(`"seed": 42`, `"seed": -1`), `field "seed" does not take a number`},
		{"quoted number", replace(`{"mean": 1`, `{"mean": "1"`), "want a number"},
		{"replications", replace(`"replications": 1`, `"replications": 2`), "values holds 1 numbers, want one for each of 2"},
		{"no cases", `{"format": "herdsim/1", "replications": 1}`, "cases is empty"},
		{"null cases", `{"format": "herdsim/1", "replications": 1, "cases": [null]}`, "policies is empty"},
	} {
		_, err := ReadJSON(strings.NewReader(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// endless never ends; its reader has to.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadJSONIsBounded(t *testing.T) {
	e := &endless{}
	if _, err := readBounded(e, 1<<16); err == nil || !strings.Contains(err.Error(), "larger than") || e.read > 1<<20 {
		t.Errorf("error %v after %d bytes", err, e.read)
	}
	if _, err := ReadJSON(failing{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v hides what the reader said", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestCSVGoldens(t *testing.T) {
	files, err := CSV(brief(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		golden(t, f.Name, f.Data)
		rows, err := csv.NewReader(bytes.NewReader(f.Data)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, error %v", f.Name, len(rows), err)
		}
	}
	if got := strings.Join(names, " "); got != "metrics.csv series.csv retries.csv attempts.csv layers.csv comparisons.csv recovery.csv" {
		t.Errorf("files %s", got)
	}
}

func TestCSVFormulas(t *testing.T) {
	r := fixtures()["unfinished"]
	for i, name := range []string{"=cmd|' /C calc'!A0", "@sum"} {
		r.Cases[0].Policies[i].Name = name
	}
	files, err := CSV(r)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(files[0].Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	blank := 0
	for _, row := range rows[1:] {
		if row[1] != "'=cmd|' /C calc'!A0" && row[1] != "'@sum" {
			t.Errorf("a spreadsheet runs %q", row[1])
		}
		if row[4] == "" {
			blank++
		}
	}
	if blank != 1 {
		t.Errorf("%d empty cells, want one for the replication without a value", blank)
	}
}

// Any bytes are an error or a result that every report can show.
func FuzzReadJSON(f *testing.F) {
	small := newResult(2, oneCase(2, herd{name: "a", label: "b", size: 9, period: 2, waves: 3, dead: 1}))
	var b bytes.Buffer
	if err := JSON(&b, small); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format":"herdsim/1","replications":1,"cases":[{"outages":[{"start_s":1e300}],"policies":[{"name":"a","series":{"bin_s":1e-9,"retries":{"first":[1,2,3]}}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		first := jsonOf(t, r)
		back, err := ReadJSON(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second := jsonOf(t, back); !bytes.Equal(first, second) {
			t.Fatalf("wrote\n%s\nthen\n%s", first, second)
		}
		for _, o := range []TextOptions{{Width: 40, Verbose: true}, {Width: 200, ASCII: true}} {
			text := textOf(t, r, o)
			if o.ASCII && strings.ContainsFunc(text, func(c rune) bool { return c > '~' }) {
				t.Fatalf("not ASCII: %s", text)
			}
		}
		if _, err := CSV(r); err != nil {
			t.Fatal(err)
		}
		for _, f := range forms() {
			f.parse(t, formOf(t, f.write, r))
		}
	})
}

func TestLettersCSV(t *testing.T) {
	got, err := LettersCSV([]result.Letters{
		{Set: result.Settings{{Path: "a.b", Value: "{at: 1s, rate: 2/s}"}}, Policy: "full", Replication: 1, Letters: []result.Letter{
			{Job: 7, Attempts: 3, Cohort: "herd", Cause: "outage", Reason: "exhausted", Arrived: 1, Died: 2500 * time.Millisecond, Kept: true, Payload: 2048},
			{Job: 4_294_967_293, Attempts: 1, Cohort: "herd", Reason: "budget_empty", Died: time.Hour, Dropped: 2 * time.Hour},
		}},
		{Policy: "full", Replication: 2},
	})
	const want = `case,policy,replication,job,cohort,cause,reason,attempts,arrived_s,died_s,dropped_s,payload_bytes
"a.b={at: 1s, rate: 2/s}",full,1,7,herd,outage,exhausted,3,0.000000001,2.5,,2048
"a.b={at: 1s, rate: 2/s}",full,1,4294967293,herd,,budget_empty,1,0,3600,7200,
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
