package result

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// small returns a valid result with one case, two policies and two replications.
func small() *Result {
	end := Integer(60)
	policy := func(name string) Policy {
		return Policy{
			Name: name, Label: name,
			Metrics:  map[string]Metric{"dead.total": NewMetric([]*big.Rat{big.NewRat(1, 1), nil}, true)},
			Attempts: []AttemptRow{{Attempt: 1}, {Attempt: 2}},
			Retries:  []RoundRow{{Retry: 1}, {Retry: 2}},
			Series:   &Series{Bin: Integer(1), Retries: NewTrack([][]int64{{0, 3}, {1}})},
		}
	}
	return &Result{
		Format: Format, Replications: 2,
		Cases: []Case{{
			Set:      Settings{{"b.<c>", "1"}, {"a", "x & y"}},
			World:    World{Outages: []Outage{{Start: Integer(0), End: &end}}},
			Herd:     "retries.peak",
			Policies: []Policy{policy("fixed"), policy("full")},
		}},
	}
}

func TestRoundTrip(t *testing.T) {
	first, err := json.Marshal(small())
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(&back)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("wrote\n%s\nread back and wrote\n%s", first, second)
	}
	if b, a := strings.Index(string(first), "b."), strings.Index(string(first), `"a"`); b < 0 || a < b {
		t.Errorf("the settings lost their order: %s", first)
	}
}

func TestValidate(t *testing.T) {
	if err := small().Validate(); err != nil {
		t.Fatal(err)
	}
	minus := Integer(-1)
	for _, c := range []struct {
		want  string
		spoil func(r *Result)
	}{
		{"format is", func(r *Result) { r.Format = "herdsim/2" }},
		{"replications is 0", func(r *Result) { r.Replications = 0 }},
		{"cases is empty", func(r *Result) { r.Cases = nil }},
		{"cases[0].policies is empty", func(r *Result) { r.Cases[0].Policies = nil }},
		{"cases[0].capacity_per_s is -1", func(r *Result) { r.Cases[0].Capacity = &minus }},
		{"cases[0].outages[0].start_s is missing", func(r *Result) { r.Cases[0].Outages[0].Start = Number{} }},
		{"cases[0].outages[0] ends before", func(r *Result) { r.Cases[0].Outages[0].Start = Integer(61) }},
		{"cases[0].phases[1].spans[0] has no start", func(r *Result) { r.Cases[0].Phases = []Phase{{}, {Spans: []Span{{}}}} }},
		{"phases[0].spans[1] has no start, ends before", func(r *Result) {
			r.Cases[0].Phases = []Phase{{Spans: []Span{{Start: Integer(1)}, {Start: Integer(61), End: &minus}}}}
		}},
		{"cases[0].steps[0].from_s is 1", func(r *Result) { r.Cases[0].Steps = []Step{{From: Integer(1)}} }},
		{"cases[0].steps[1].from_s is 0", func(r *Result) { r.Cases[0].Steps = []Step{{From: Integer(0)}, {From: Integer(0)}} }},
		{"cases[0].steps[0].capacity_per_s is -1", func(r *Result) { r.Cases[0].Steps = []Step{{From: Integer(0), Capacity: &minus}} }},
		{`cases[0].policies[1].name "fixed"`, func(r *Result) { r.Cases[0].Policies[1].Name = "fixed" }},
		{`cases[0].policies[0].name ""`, func(r *Result) { r.Cases[0].Policies[0].Name = "" }},
		{`metrics["dead.total"]: values holds 2 numbers`, func(r *Result) { r.Replications = 3 }},
		{`metrics["x"]: mean, min or max`, func(r *Result) { r.Cases[0].Policies[0].Metrics["x"] = Metric{Values: make([]*Number, 2)} }},
		{"attempts[1].attempt is 1", func(r *Result) { r.Cases[0].Policies[0].Attempts[1].Attempt = 1 }},
		{"attempts[0].attempt is 0", func(r *Result) { r.Cases[0].Policies[0].Attempts[0].Attempt = 0 }},
		{"retries[1].retry is 1", func(r *Result) { r.Cases[0].Policies[0].Retries[1].Retry = 1 }},
		{"layers[0].tries is 0", func(r *Result) { r.Cases[0].Policies[0].Layers = []LayerRow{{}} }},
		{"series.bin_s is 0", func(r *Result) { r.Cases[0].Policies[0].Series.Bin = Number{} }},
		{"series.retries: bin 1 holds -3", func(r *Result) { r.Cases[0].Policies[1].Series.Retries.First[1] = -3 }},
	} {
		r := small()
		c.spoil(r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestCapacityAt(t *testing.T) {
	base, low := Integer(50), Integer(5)
	c := World{Capacity: &base}
	if got := c.CapacityAt(7); got != &base {
		t.Errorf("without steps the capacity is %v", got)
	}
	c.Steps = []Step{{From: Integer(0), Capacity: &base}, {From: Integer(10), Capacity: &low}, {From: Integer(20)}}
	for at, want := range map[float64]*Number{0: &base, 9.9: &base, 10: &low, 19.9: &low, 20: nil, 1e9: nil} {
		if got := c.CapacityAt(at); got != want {
			t.Errorf("at %g the capacity is %v, want %v", at, got, want)
		}
	}
}

func TestMetricJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"mean": 1, "ci95": [1], "min": 1, "max": 1, "values": [1]}`, "ci95 holds 1 numbers"},
		{`{"mean": 1, "ci95": [1, 2, 3], "min": 1, "max": 1, "values": [1]}`, "ci95 holds 3 numbers"},
		{`{"mean": "1"}`, "want a number"},
		{`{"average": 1}`, "unknown field"},
		{`{"mean": 1, "ci95": [0.5, 1.5], "min": 1, "max": 1, "values": [1, null]}`, ""},
		{`{"mean": 1, "min": 1, "max": 1, "values": [1, null]}`, ""},
	} {
		var m Metric
		err := json.Unmarshal([]byte(c.in), &m)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.in, err, c.want)
		}
		if err == nil && (m.Mean.String() != "1" || len(m.Values) != 2 || m.Values[1] != nil || (m.CI95 != nil) != strings.Contains(c.in, "ci95")) {
			t.Errorf("%s became %+v", c.in, m)
		}
	}
}

func TestSettingsJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"z": "1", "a": "2"}`, ""},
		{`[]`, "want an object"},
		{`{"a": 1}`, `the value of "a" is not a string`},
		{`{"a": null}`, `the value of "a" is not a string`},
		{`{"a": "1", "a": "2"}`, `"a" comes twice`},
	} {
		var s Settings
		err := json.Unmarshal([]byte(c.in), &s)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.in, err, c.want)
		}
		if err == nil && (len(s) != 2 || s[0] != Setting{"z", "1"}) {
			t.Errorf("%s became %v", c.in, s)
		}
	}
}
