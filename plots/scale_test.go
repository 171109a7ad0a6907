package plots

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"herdsim/sim/result"
)

func texts(ticks plot.ConstantTicks) string {
	var all string
	for _, t := range ticks {
		all += t.Label + " "
	}
	return all
}

func TestScaleKeepsTheDetailVisible(t *testing.T) {
	for _, tc := range []struct {
		top, detail float64
		kind        scaleKind
		ticks       string
	}{
		{0, 0, linear, "0 0.2 0.4 0.6 0.8 1 "},
		{200, 50, linear, "0 50 100 150 200 "},
		{1043, 50, root, "0 1000 500 200 50 "},
		{1043, 0, linear, "0 200 400 600 800 1000 "},
		{1e9, 50, logarithmic, "0 1G 10M 100 000 1000 "},
		{0.00002, 0.00002, linear, "0 0.000005 0.00001 0.000015 0.00002 "},
	} {
		s := newScale(tc.top, tc.detail)
		if s.kind != tc.kind {
			t.Errorf("scale of %v beside %v is of kind %d, want %d", tc.top, tc.detail, s.kind, tc.kind)
		}
		if got := texts(s.ticks(0.14)); got != tc.ticks {
			t.Errorf("ticks of %v beside %v are %q, want %q", tc.top, tc.detail, got, tc.ticks)
		}
		if at := s.Normalize(0, 0, tc.detail); tc.detail > 0 && at < 0.04 {
			t.Errorf("%v beside %v lies at %.3f of the height", tc.detail, tc.top, at)
		}
		if bottom, top := s.Normalize(0, 0, 0), s.Normalize(0, 0, s.top); bottom != 0 || math.Abs(top-headroom) > 1e-12 {
			t.Errorf("scale of %v runs from %v to %v, want 0 to %v", tc.top, bottom, top, headroom)
		}
	}
}

func TestNoBarIsClipped(t *testing.T) {
	for _, v := range variants() {
		s, err := newScene(v.result, &v.result.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kinds() {
			sheet, err := k.compose(s)
			if err != nil {
				t.Fatal(err)
			}
			for i, policy := range v.result.Cases[0].Policies {
				p := sheet.panels[min(i, len(sheet.panels)-1)]
				for _, x := range highest(policy, k.id) {
					if at := p.plot.Y.Norm(x); at > headroom+1e-9 {
						t.Errorf("%s: %s: a bar of policy %d reaches %.3f of the height", v.name, k.id, i, at)
					}
				}
			}
		}
	}
}

// highest returns the heights of the bars that a panel must hold.
func highest(p result.Policy, id string) []float64 {
	var all []float64
	switch id {
	case "dead":
		var sum float64
		for _, n := range p.Series.Dead.First {
			sum += float64(n)
		}
		return []float64{sum}
	case "rounds":
		for _, row := range p.Retries {
			all = append(all, row.P95.Float()-row.P5.Float())
			if len(p.Retries) <= toyTries { // of many rounds some share a bar, and one of them its mark
				all = append(all, row.Mean.Float())
			}
		}
		return all
	case "attempts":
		for _, row := range p.Attempts {
			all = append(all, row.Jobs.Float())
		}
		return all
	}
	for _, n := range append(p.Series.Retries.First, p.Series.Retries.P95...) {
		all = append(all, float64(n)/p.Series.Bin.Float())
	}
	return all
}

func TestTimeTicksAreRoundAndFew(t *testing.T) {
	for end, want := range map[float64]string{
		1:       "0s 100ms 200ms 300ms 400ms 500ms 600ms 700ms 800ms 900ms 1s ",
		252:     "0s 30s 60s 90s 120s 150s 180s 210s 240s ",
		2000:    "0s 5m 10m 15m 20m 25m 30m ",
		5000:    "0s 10m 20m 30m 40m 50m 1h 1h10m 1h20m ",
		2592000: "0s 5d 10d 15d 20d 25d 30d ",
		9.2e9:   "0s 20000d 40000d 60000d 80000d 100000d ",
	} {
		if got := texts(timeTicks(end, 10)); got != want {
			t.Errorf("ticks to %v are %q, want %q", end, got, want)
		}
	}
}

func TestAttemptTicksAreWhole(t *testing.T) {
	for _, tc := range []struct {
		last, group, n int
		want           string
	}{
		{1, 1, 10, "1 "},
		{10, 1, 10, "1 2 3 4 5 6 7 8 9 10 "},
		{25, 1, 10, "1 5 10 15 20 25 "},
		{21000, 500, 10, "1 5000 10000 15000 20000 "},
	} {
		if got := texts(attemptTicks(tc.last, tc.group, tc.n)); got != tc.want {
			t.Errorf("ticks for %d attempts in groups of %d are %q, want %q", tc.last, tc.group, got, tc.want)
		}
	}
}

func TestNumbersReadWell(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{amount(0), "0"},
		{amount(0.03), "0.03"},
		{amount(0.0001), "<0.001"},
		{amount(1.04), "1"},
		{amount(40.64), "40.6"},
		{amount(808.6), "809"},
		{amount(9999.6), "10 000"},
		{amount(15286), "15 286"},
		{amount(1234567), "1 234 567"},
		{amount(9.9999e6), "9 999 900"},
		{amount(1e7), "10M"},
		{amount(123456789), "123M"},
		{amount(999e12), "999T"},
		{amount(2e15), "2P"},
		{amount(1e18), "1E"},
		{amount(4.3e18), "4.3E"},
		{amount(1e24), "1000Z"},
		{rate(2e15), "2P/s"},
		{rate(88.2), "88/s"},
		{rate(1.85), "1.9/s"},
		{rate(1.0 / 3600), "1/h"},
		{rate(0), "0/s"},
		{perSecond(1.0 / 3600), "0.00028/s"},
		{perSecond(0.009), "0.009/s"},
		{perSecond(88.2), "88/s"},
		{times(20.86), "20.9×"},
		{times(131.2), "131×"},
		{share(1.8), "= 1.8×"},
		{share(0.001), "< 0.1×"},
		{share(0), "= 0×"},
		{instant(0), "0s"},
		{instant(0.25), "250ms"},
		{instant(0.000012345), "12.3µs"},
		{instant(1e-12), "0s"},
		{instant(63), "63s"},
		{instant(63.456), "63.46s"},
		{instant(5400), "1h30m"},
		{instant(3605), "1h"},
		{instant(9.2e9), "106481d11h"},
		{exactly(0), "0s"},
		{exactly(1e-9), "1ns"},
		{exactly(0.25), "250ms"},
		{exactly(60), "60s"},
		{exactly(99.991), "99.991s"},
		{exactly(1000.000000001), "16m40.000000001s"},
		{exactly(3661), "1h1m1s"},
		{exactly(90000), "1d1h"},
		{exactly(86401), "1d1s"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

func TestLabelsLeaveOutWhatTheFontLacks(t *testing.T) {
	for _, tc := range []struct{ label, name, want string }{
		{"full jitter", "full", "full jitter"},
		{"Zurücknahme größer × 2 …", "z", "Zurücknahme größer × 2 …"},
		{"指数バックオフ 60s", "exponential", "exponential"},
		{"two 🐃🐃 herds", "herd", "two ? herds"},
		{"a\nb\tc\x00d\u202ee", "x", "a b cde"},
		{"\xff\xfe", "bytes", "bytes"},
		{"", "name", "name"},
		{"🐃", "", "?"},
	} {
		if got := printable(tc.label, tc.name); got != tc.want {
			t.Errorf("label %q became %q, want %q", tc.label, got, tc.want)
		}
	}
}

func TestColumnsKeepTheHighestBin(t *testing.T) {
	b := newBars(1, result.Track{First: []int64{1, 9, 2, 3, 4}, P5: []int64{5, 0, 1}, P95: []int64{5, 9}}, 6, 3)
	if b.group != 2 {
		t.Fatalf("%d bins to a column, want 2", b.group)
	}
	for i, tc := range []struct{ got, want []float64 }{{b.first, []float64{9, 3, 4}}, {b.low, []float64{0, 0}}, {b.high, []float64{9}}} {
		if len(tc.got) != len(tc.want) {
			t.Fatalf("track %d has columns %v, want %v", i, tc.got, tc.want)
		}
		for k := range tc.got {
			if tc.got[k] != tc.want[k] {
				t.Errorf("track %d has columns %v, want %v", i, tc.got, tc.want)
			}
		}
	}
	if got := b.between(-5, 1e300); got != 9 {
		t.Errorf("highest column is %v, want 9", got)
	}
	if got := b.between(4, 5); got != 4 {
		t.Errorf("highest column from 4s to 5s is %v, want 4", got)
	}
}
