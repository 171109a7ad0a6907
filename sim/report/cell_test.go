package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// metric reads a metric as JSON has it.
func metric(t *testing.T, text string) result.Metric {
	t.Helper()
	var m result.Metric
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInterval(t *testing.T) {
	s := newStyle(TextOptions{})
	for _, c := range []struct {
		in   string
		unit unit
		want string
	}{
		{`{"mean": 41.0, "ci95": [38.1, 43.9]}`, plain, "41.0 ± 2.9"},
		{`{"mean": 808.6, "ci95": [808.2, 809]}`, plain, "808.6 ± 0.4"},
		{`{"mean": 1043, "ci95": [1039, 1047]}`, rate, "1043 ± 4/s"},
		{`{"mean": 15286.4, "ci95": [15166.4, 15406.4]}`, plain, "15 286 ± 120"},
		{`{"mean": 15286, "ci95": [15286, 15286]}`, plain, "15 286 ± 0"},
		{`{"mean": 15286}`, plain, "15 286"},
		{`{"mean": 0.123456, "ci95": [0.122, 0.125]}`, plain, "0.1235 ± 0.0015"},
		{`{"mean": 244.87, "ci95": [241.9, 247.84]}`, seconds, "244.9 ± 3.0s"},
		{`{"mean": 4500, "ci95": [4470, 4530]}`, seconds, "1h15m ± 30s"},
		{`{"mean": 0.0105, "ci95": [0.0101, 0.0109]}`, seconds, "10.5 ± 0.4ms"},
		{`{"mean": 244.87}`, seconds, "245s"},
	} {
		if got := s.interval(metric(t, c.in), c.unit); got != c.want {
			t.Errorf("%s: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	s, ascii := newStyle(TextOptions{}), newStyle(TextOptions{ASCII: true})
	for v, want := range map[float64]string{
		0: "0s", 1e-9: "0.001µs", 0.00025: "250µs", 0.0005: "500µs", 0.1: "100ms", 0.999999: "1s", 0.001: "1ms", 0.9994: "999.4ms", 1: "1s", 1.5: "1.5s",
		59.26: "59.3s", 99.96: "100s", 100: "100s", 244.877: "245s", 599.4: "599s", 599.6: "10m", 600: "10m", 1100: "18m20s",
		3599.7: "1h", 4500: "1h15m", 4529: "1h15m", 18180: "5h3m", 99305: "1d3h35m", 48 * 3600: "2d", 273600: "3d4h", 2e9: "2e+09s", -4500: "-1h15m",
	} {
		if got := s.span(v); got != want {
			t.Errorf("span(%v) = %q, want %q", v, got, want)
		}
	}
	if got := ascii.span(0.00025); got != "250us" {
		t.Errorf("in ASCII 250 µs are %q", got)
	}
}

func TestSensibleAndGroup(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 1043: "1043", 15286: "15 286", 1234567: "1 234 567", -15286: "-15 286", 15286.5: "15 286", 1043.5: "1044",
		99.96: "100", 3.14159: "3.14", 0.5: "0.5", 0.02: "0.02", 0.0000012: "1.2e-06", 123.456: "123.5", 123.01: "123", 1e15: "1e+15", 12345.25: "12 345",
	} {
		if got := group(sensible(v)); got != want {
			t.Errorf("%v is shown as %q, want %q", v, got, want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	for key, want := range map[string]unit{
		"retries.peak": rate, "retries.peak(after=60s)": rate, "calls.peak(window=100ms)": rate, "retries.peak_at": seconds,
		"retries.drained_at": seconds, "dead.first_at": seconds, "drain.time": seconds, "retries.spread(retry=3)": seconds, "recovery.lag": seconds,
		"latency.p99": seconds, "fresh.wait.max": seconds, "promotion.lag.mean": seconds, "dead.total": plain, "calls.per_job": plain, "backlog.peak": plain, "attempts.mean": plain,
	} {
		if got := unitOf(key); got != want {
			t.Errorf("unit of %s is %d, want %d", key, got, want)
		}
	}
}

func TestShortenAll(t *testing.T) {
	s := newStyle(TextOptions{})
	for _, c := range []struct {
		width    int
		in, want []string
	}{
		{9, []string{"fixed", "full jitter"}, []string{"fixed", "full jit…"}},
		{9, []string{"exponential none", "exponential full"}, []string{"expo…none", "expo…full"}},
		{7, []string{"aaaaaaaaa-xbbb", "aaaaaaaaa-ybbb", "aaaaaaaaa-xbbb"}, []string{"aaaaa…1", "aaaaa…2", "aaaaa…1"}},
		{6, []string{"指数退避", "指数", "固定"}, []string{"指数…", "指数", "固定"}},
	} {
		got := s.shortenAll(c.in, c.width)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns: %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	s := newStyle(TextOptions{Width: 40})
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", []string{""}},
		{"short", []string{"short"}},
		{"  keeps its  spaces", []string{"  keeps its  spaces"}},
		{"thirty-nine columns and then some more w", []string{"thirty-nine columns and then some more w"}},
		{"thirty-nine columns and then some more wo", []string{"thirty-nine columns and then some more", "  wo"}},
		{"a 指数退避指数退避指数退避指数退避指数退避指数退避", []string{"a", "  指数退避指数退避指数退避指数退避指数退", "  避指数退避"}},
	} {
		if got := s.wrap(c.in, 2); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ascii    bool
	}{
		{"\x1b[31mred\x07\n", "?[31mred??", false},
		{"a\u202eb\u200bc\u2028d\ufeff", "a?b?c?d?", false},
		{"naïve ±", "naïve ±", false},
		{"naïve ±", "na?ve ?", true},
	} {
		if got := newStyle(TextOptions{ASCII: c.ascii}).clean(c.in); got != c.want {
			t.Errorf("clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTail(t *testing.T) {
	paths := []string{"policies.full.delay.fixed", "policies.half.delay.fixed", "seed", "dependency.capacity"}
	for path, want := range map[string]string{
		"policies.full.delay.fixed": "full.delay.fixed", "seed": "seed", "dependency.capacity": "capacity",
	} {
		if got := tail(path, paths); got != want {
			t.Errorf("tail(%s) = %s, want %s", path, got, want)
		}
	}
}

func TestExactSpans(t *testing.T) {
	for seconds, want := range map[string]string{
		"0": "0s", "1e-9": "1ns", "0.0000015": "1.5µs", "0.25": "250ms", "0.2500001": "250.0001ms", "3": "3s", "99.991": "99.991s", "100": "100s",
		"599": "599s", "600": "10m", "3661": "1h1m1s", "3661.5": "1h1m1.5s", "1000.000000001": "16m40.000000001s", "3600": "1h", "4e9": "4e+09s",
	} {
		if got := newStyle(TextOptions{}).exactSpan(numberOf(t, seconds)); got != want {
			t.Errorf("%s seconds are %q, want %q", seconds, got, want)
		}
	}
}

// Ends that would round to the same are written in full.
func TestHeadTellsInstantsApart(t *testing.T) {
	c := oneCase(1, fixedHerd())
	end := numberOf(t, "1000.000000001")
	c.Outages = []result.Outage{{Name: "m", Start: result.Integer(1000), End: &end}}
	c.Herd = "retries.peak(after=1000.000000001s)"
	text := textOf(t, newResult(1, c), TextOptions{Width: 120})
	if !strings.Contains(text, "dependency down 16m40s-16m40.000000001s") {
		t.Errorf("the outage has no length in\n%s", text)
	}
	if !strings.Contains(text, "PEAK AFTER 16m40.000000001s") {
		t.Errorf("the peak begins at another instant in\n%s", text)
	}
}

// The head lists the spans of each group together.
func TestHeadTellsForWhomItIsDown(t *testing.T) {
	c := oneCase(1, fixedHerd())
	c.Outages = []result.Outage{
		{Name: "a", Start: result.Integer(5), End: number(10), Cohorts: []string{"acme", "bolt"}},
		{Name: "b", Start: result.Integer(0), End: number(60)},
		{Name: "c", Start: result.Integer(70), Cohorts: []string{"acme", "bolt"}},
	}
	text := textOf(t, newResult(1, c), TextOptions{Width: 160})
	if want := "dependency down for acme, bolt 5s-10s, from 70s on, down 0s-60s,"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
