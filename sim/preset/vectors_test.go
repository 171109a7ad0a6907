package preset

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A vector summarises waits sampled from a library's own function, in ms.
type vector struct {
	preset, params  string
	n               int // number of the failure
	draws, distinct int
	low, high       float64
	mean, sd        float64
	quantiles       []float64 // at levels
}

// levels are those of the quantiles in the vectors.
var levels = [...]float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}

func readVectors(t *testing.T) []vector {
	f, err := os.Open("testdata/vectors.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for _, row := range rows[1:] {
		x := make([]float64, len(row))
		for i := 5; i < len(row); i++ {
			if x[i], err = strconv.ParseFloat(row[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, vector{
			preset: row[0], params: row[3], n: int(x[5]), draws: int(x[6]), distinct: int(x[7]),
			low: x[8], quantiles: x[9:16], high: x[16], mean: x[17], sd: x[18],
		})
	}
	return all
}

// options translates the parameters of a vector into options of its preset.
func (v vector) options(t *testing.T) Value {
	words := strings.FieldsFunc(v.params, func(r rune) bool { return strings.ContainsRune(" =,:{}[];", r) })
	switch {
	case v.preset == "bullmq": // type=exponential delay=1000 jitter=0.2
		return object("backoff", object("type", words[1], "delay", words[3], "jitter", words[5]))
	case v.preset == "flexiq": // base=1000 max=60000 custom=[2000;7000]
		options := []any{"retry_backoff", seconds(t, words[1]), "max_retry_delay", seconds(t, words[3])}
		if len(words) > 4 {
			options = append(options, "retry_delays", list(seconds(t, words[5]), seconds(t, words[6])))
		}
		return object(append(options, "max_retries", "20")...)
	case words[0] == "jitter": // {:jitter,{:exponential,100,10000}}
		return object("policy", object("jitter", object(words[1], argument(words[2:]))))
	default:
		return object("policy", object(words[0], argument(words[1:])))
	}
}

func argument(words []string) Value {
	if len(words) == 1 {
		return value(words[0])
	}
	return list(words[0], words[1])
}

func seconds(t *testing.T, ms string) string {
	n, err := strconv.Atoi(ms)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64)
}

// sample draws as many waits as the vector has and summarises them.
func (v vector) sample(t *testing.T) vector {
	p := build(t, v.preset, v.options(t)).Policy
	waits := make([]float64, v.draws)
	sum, squares := 0.0, 0.0
	for i := range waits {
		waits[i] = float64(wait(p, v.n, uint64(i))) / 1e6
		sum += waits[i]
		squares += waits[i] * waits[i]
	}
	slices.Sort(waits)
	n := float64(v.draws)
	s := vector{low: waits[0], high: waits[len(waits)-1], mean: sum / n}
	s.sd = math.Sqrt(max(0, squares/n-s.mean*s.mean))
	for _, p := range levels {
		s.quantiles = append(s.quantiles, waits[int(p*n)])
	}
	s.distinct = len(slices.Compact(waits))
	return s
}

// TestVectors holds each preset against waits drawn from the library itself: exactly where nothing is random, within five
// standard errors of a difference of two samples of a uniform law elsewhere.
func TestVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, want := range readVectors(t) {
		seen[want.preset] = true
		got := want.sample(t)
		check := func(what string, got, want, tolerance float64) {
			if !(math.Abs(got-want) <= tolerance) {
				t.Errorf("%s: %g, the library %g (tolerance %g)", what, got, want, tolerance)
			}
		}
		name := want.preset + " " + want.params + " n=" + strconv.Itoa(want.n) + " "
		n, width := float64(want.draws), want.high-want.low
		standard := math.Sqrt(2 / n)
		edge, distinct := 0.0, 0.0 // every value is drawn when each has forty draws to come up in
		if width > n/40 {
			edge, distinct = 20*width/n, 0.01*float64(want.distinct)
		}
		check(name+"min", got.low, want.low, edge)
		check(name+"max", got.high, want.high, edge)
		check(name+"distinct", float64(got.distinct), float64(want.distinct), distinct)
		check(name+"mean", got.mean, want.mean, 5*standard*want.sd)
		check(name+"sd", got.sd, want.sd, 5*standard*want.sd*math.Sqrt(0.2)) // a uniform law has kurtosis 1.8
		for i, p := range levels {
			rounding := min(1, width)
			check(name+"p"+strconv.FormatFloat(100*p, 'g', -1, 64), got.quantiles[i], want.quantiles[i], 5*standard*math.Sqrt(p*(1-p))*width+rounding)
		}
	}
	for _, library := range Names() {
		if !seen[library] {
			t.Errorf("no vectors of %s", library)
		}
	}
}
