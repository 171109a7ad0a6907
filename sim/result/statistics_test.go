package result

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// rats turns texts into values; "" is none.
func rats(t *testing.T, texts ...string) []*big.Rat {
	t.Helper()
	values := make([]*big.Rat, len(texts))
	for i, s := range texts {
		if s != "" {
			values[i] = ratOf(t, s)
		}
	}
	return values
}

func TestNewMetric(t *testing.T) {
	for _, c := range []struct {
		name           string
		in             []string
		exact          bool
		mean, min, max string
		low, high      string // "": no interval
	}{
		{"one exact value", []string{"244.877123456"}, true, "244.877123456", "244.877123456", "244.877123456", "", ""},
		{"one derived value", []string{"244.877123456"}, false, "244.877", "244.877", "244.877", "", ""},
		{"one value of three", []string{"", "7", ""}, true, "7", "7", "7", "", ""},
		{"all the same", []string{"1.23456789", "1.23456789"}, true, "1.23456789", "1.23456789", "1.23456789", "1.23456789", "1.23456789"},
		{"integer mean of large values", []string{"12345678", "12345680"}, true, "12345679", "12345678", "12345680", "12345700", "12345700"},
		// t(0.975, 1) = 12.7062047, s/√2 = 1/2: 1/2 ± 6.35310
		{"two values", []string{"0", "1"}, true, "0.5", "0", "1", "-5.8531", "6.8531"},
		// t(0.975, 4) = 2.77644511, s² = 5/2: 3 ± 1.96324
		{"one to five", []string{"1", "2", "3", "4", "5"}, true, "3", "1", "5", "1.03676", "4.96324"},
		{"one to five with gaps", []string{"1", "", "2", "3", "", "4", "5"}, true, "3", "1", "5", "1.03676", "4.96324"},
		// t(0.975, 2) = 4.30265273, s/√3 = 1/9: 4/9 ± 0.478073
		{"thirds", []string{"1/3", "1/3", "2/3"}, false, "0.444444", "0.333333", "0.666667", "-0.0336281", "0.922517"},
	} {
		values := rats(t, c.in...)
		m := NewMetric(values, c.exact)
		if m.Mean.String() != c.mean || m.Min.String() != c.min || m.Max.String() != c.max {
			t.Errorf("%s: mean %s, min %s, max %s; want %s, %s, %s", c.name, m.Mean, m.Min, m.Max, c.mean, c.min, c.max)
		}
		switch {
		case (m.CI95 == nil) != (c.low == ""):
			t.Errorf("%s: interval %v", c.name, m.CI95)
		case m.CI95 != nil && (m.CI95[0].String() != c.low || m.CI95[1].String() != c.high):
			t.Errorf("%s: interval %s..%s, want %s..%s", c.name, m.CI95[0], m.CI95[1], c.low, c.high)
		}
		for i, v := range m.Values {
			if (v == nil) != (values[i] == nil) {
				t.Errorf("%s: value %d is %v for %v", c.name, i, v, values[i])
			}
		}
	}
}

func TestNoValuePanics(t *testing.T) {
	for name, call := range map[string]func(){
		"NewMetric": func() { NewMetric([]*big.Rat{nil, nil}, true) },
		"MeanOf":    func() { MeanOf(nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			call()
		}()
	}
}

// The quantiles are from published tables of Student's t, to ten digits.
func TestStudentT(t *testing.T) {
	for freedom, want := range map[int64]float64{
		1: 12.70620474, 2: 4.302652730, 4: 2.776445105, 9: 2.262157163, 19: 2.093024054, 29: 2.045229642, 99: 1.984216952, 999: 1.962341461, 1e6: 1.959966357,
	} {
		if got, _ := studentT(freedom).Float64(); math.Abs(got-want) > 2e-9*want {
			t.Errorf("t(0.975, %d) = %.10f, want %.9f", freedom, got, want)
		}
	}
}

func TestMeanOf(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{[]string{"12345678"}, "12345678"},
		{[]string{"0", "", "1"}, "0.5"},
		{[]string{"1", "1", "2"}, "1.33333"},
		{[]string{"123.456789012"}, "123.456789012"},
		{[]string{"123.456789012", "123.456789012"}, "123.456789012"},
		{[]string{"123.456789012", "123.456789014"}, "123.457"},
		{[]string{"0.28867513459481288"}, "0.288675"},
	} {
		if got := MeanOf(rats(t, c.in...)).String(); got != c.want {
			t.Errorf("MeanOf(%v) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestNewTrack(t *testing.T) {
	single := NewTrack([][]int64{{0, 5, 0, 0}})
	if !slices.Equal(single.First, []int64{0, 5}) || single.P5 != nil || single.P50 != nil || single.P95 != nil {
		t.Errorf("one replication: %+v", single)
	}
	if empty := NewTrack([][]int64{nil}); empty.First == nil || len(empty.First) != 0 {
		t.Errorf("no bins: %#v, want an empty list", empty.First)
	}
	input := []int64{3, 0, 0}
	several := NewTrack([][]int64{input, {1, 4}, {2, 8, 1}})
	for name, c := range map[string]struct{ got, want []int64 }{
		"first": {several.First, []int64{3}},
		"p5":    {several.P5, []int64{1}},
		"p50":   {several.P50, []int64{2, 4}},
		"p95":   {several.P95, []int64{3, 8, 1}},
		"input": {input, []int64{3, 0, 0}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func TestRank(t *testing.T) {
	sorted := make([]int64, 20)
	for i := range sorted {
		sorted[i] = int64(i + 1)
	}
	for _, c := range []struct {
		n, percent int
		want       int64
	}{
		{1, 5, 1},
		{1, 95, 1},
		{2, 50, 1},
		{3, 50, 2},
		{19, 5, 1},
		{20, 5, 1},
		{20, 50, 10},
		{20, 95, 19},
	} {
		if got := rank(sorted[:c.n], c.percent); got != c.want {
			t.Errorf("quantile %d %% of 1..%d = %d, want %d", c.percent, c.n, got, c.want)
		}
	}
}
