package metrics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"herdsim/sim/clock"
)

func env() Env {
	return Env{
		Cohorts: []string{"herd", "steady"},
		Outages: []Outage{
			{"flap", ms(600_000), ms(620_000)}, {"main", 0, ms(60_000)}, {"flap", ms(720_000), ms(740_000)},
		},
	}
}

func TestParseTerm(t *testing.T) {
	for text, want := range map[string]string{
		"jobs.dead":       "jobs.dead",
		" jobs.dead ( ) ": "jobs.dead",
		"retries.peak()":  "retries.peak",
		"calls.peak(\n  retry=1,\n  after=2s\n)\n":                "calls.peak(after=2s, retry=1)",
		"retries.peak(retry=2, window=0.1s,after=1m ,before= 2m)": "retries.peak(window=100ms, after=60s, before=120s, retry=2)",
		"calls.peak(cohort=herd, after=0s)":                       "calls.peak(cohort=herd)",
		"calls.peak(window=PT1.5S)":                               "calls.peak(window=1.5s)",
		"calls.peak(window=250us)":                                "calls.peak(window=250us)",
		"calls.peak(window=1000.003us)":                           "calls.peak(window=1000003ns)",
		"calls.peak(window=3ns)":                                  "calls.peak(window=3ns)",
		"calls.peak(window=1h)":                                   "calls.peak(window=3600s)",
		"retries.peak(after=outage.end)":                          "retries.peak(after=740s)",
		"retries.peak(after=outage.main.end)":                     "retries.peak(after=60s)",
		"retries.peak(after=outage.flap.start)":                   "retries.peak(after=600s)",
		"retries.peak(before=outage.flap.end)":                    "retries.peak(before=740s)",
		"retries.peak(after=outage.start, before=outage.end)":     "retries.peak(before=740s)",
		"retries.spread(retry=2147483647)":                        "retries.spread(retry=2147483647)",
	} {
		term, err := ParseTerm(text, env())
		if err != nil {
			t.Errorf("%s: %s", text, err.Message)
		} else if term.String() != want {
			t.Errorf("%s is %s, want %s", text, term, want)
		}
	}
}

func TestParseTermErrors(t *testing.T) {
	for _, c := range []struct{ text, wrong, message, hint string }{
		{"", "", "no metric is named", "write for example `jobs.dead`"},
		{"retry.peak", "retry.peak", "unknown metric `retry.peak`", "did you mean `retries.peak`?"},
		{"jobs.deda(cohort=herd)", "jobs.deda", "unknown metric `jobs.deda`", "did you mean `jobs.dead`?"},
		{
			"weather", "weather", "unknown metric `weather`",
			"metrics begin with `jobs`, `calls`, `refused`, `attempts`, `retries`, `dead`, `success`, `drain`, `recovery`, `latency`, " +
				"`fresh`, `promotion`, …",
		},
		{
			"attempts.highest", "attempts.highest", "unknown metric `attempts.highest`",
			"metrics of `attempts`: `attempts.mean`, `attempts.p50`, `attempts.p99`, `attempts.max`",
		},
		{"jobs.dead(cohort=herd", "(cohort=herd", "the parenthesis is not closed", "write `)` at the end"},
		{"jobs.dead(cohort=herd) x", " x", "nothing may follow the arguments", ""},
		{"calls.peak(windw=1s)", "windw", "unknown argument `windw`", "did you mean `window`?"},
		{"jobs.dead(colour=1s)", "colour", "unknown argument `colour`", "it takes `cohort`"},
		{"jobs.dead(window=1s)", "window", "`jobs.dead` takes no `window`", "it takes `cohort`"},
		{"success.total(retry=1)", "retry", "`success.total` takes no `retry`", "it takes `after`, `before`, `cohort`"},
		{"calls.peak(retry=1,  retry=2)", "retry", "`retry` is given twice", ""},
		{"calls.peak(after: 60s)", "after: 60s", "`after: 60s` is not an argument", "write `after=60s`"},
		{"calls.peak(60s)", "60s", "`60s` is not an argument", "write `name=value`"},
		{"calls.peak(after=1s,)", "", "`` is not an argument", "write `name=value`"},
		{"calls.peak(after=)", "", "the value is missing", ""},
		{"calls.peak(cohort=hred)", "hred", "unknown cohort `hred`", "did you mean `herd`?"},
		{"calls.peak(cohort=others)", "others", "unknown cohort `others`", "cohorts: `herd`, `steady`"},
		{"calls.peak(window=500)", "500", "duration `500` has no unit", "write `500ms` or `500s`"},
		{"calls.peak(window=0s)", "0s", "a window must be longer than 0", ""},
		{"calls.peak(after=60s, before=1m)", "1m", "`before` must be later than `after`", ""},
		{"calls.peak(before=1m, after=70s)", "70s", "`before` must be later than `after`", ""},
		{"calls.peak(before=0s)", "0s", "`before` must be later than `after`", ""},
		{"calls.peak(retry=0)", "0", "retries count from 1", "write `1` for the first retry"},
		{"calls.peak(retry=-1)", "-1", "`-1` is not a whole number", "it cannot be negative"},
		{"calls.peak(retry=2147483648)", "2147483648", "no job has so many retries", "write at most `2147483647`"},
		{"retries.spread(cohort=herd)", "retries.spread", "`retries.spread` needs `retry`", "write for example `retries.spread(retry=1)`"},
		{
			"calls.peak(after=outage.main)", "outage.main", "`outage.main` is no edge of an outage",
			"write `outage.start`, `outage.end`, `outage.NAME.start` or `outage.NAME.end`",
		},
		{"calls.peak(after=outage.mian.end)", "outage.mian.end", "unknown outage `mian`", "did you mean `main`?"},
		{"calls.peak(after=outage.x9.end)", "outage.x9.end", "unknown outage `x9`", "outages: `flap`, `main`"},
	} {
		term, err := ParseTerm(c.text, env())
		if err == nil {
			t.Errorf("%s was read as %s", c.text, term)
			continue
		}
		if err.Message != c.message || err.Hint != c.hint {
			t.Errorf("%s: %s (%s), want %s (%s)", c.text, err.Message, err.Hint, c.message, c.hint)
		}
		if got := c.text[err.Offset : err.Offset+err.Length]; got != c.wrong {
			t.Errorf("%s: points at %q, want %q", c.text, got, c.wrong)
		}
		if last := strings.LastIndex(c.text, c.wrong); c.message == "`retry` is given twice" && err.Offset != last {
			t.Errorf("%s: points at %d, want %d", c.text, err.Offset, last)
		}
	}
}

func TestParseTermWithoutOutages(t *testing.T) {
	forever := Env{Outages: []Outage{{"main", 0, clock.End}}}
	if _, err := ParseTerm("calls.peak(after=outage.end)", forever); err == nil || err.Message != "the outage has no end" {
		t.Errorf("end of an endless outage: %v", err)
	}
	if _, err := ParseTerm("calls.peak(after=outage.end)", Env{}); err == nil || err.Message != "there is no outage" {
		t.Errorf("end of no outage: %v", err)
	}
	if _, err := ParseTerm("calls.peak(cohort=herd)", Env{}); err == nil || err.Hint != "there are no cohorts" {
		t.Errorf("cohort of none: %v", err)
	}
	many := Env{Cohorts: strings.Split("aaaaa bbbbb ccccc ddddd eeeee fffff ggggg hhhhh iiiii jjjjj kkkkk lllll mmmmm", " ")}
	_, err := ParseTerm("calls.peak(cohort=zzzzz)", many)
	if want := "cohorts: `aaaaa`, `bbbbb`, `ccccc`, `ddddd`, `eeeee`, `fffff`, `ggggg`, `hhhhh`, `iiiii`, `jjjjj`, `kkkkk`, `lllll`, …"; err == nil || err.Hint != want {
		t.Errorf("cohort of many: %v", err)
	}
}

// randomTerm makes a term that is right for its metric.
func randomTerm(rng *rand.Rand) Term {
	all := table()
	m := all[rng.IntN(len(all))]
	t := Term{ID: m.id}
	span := func() int64 {
		d := rng.Int64N(int64(clock.Longest)) >> rng.IntN(62)
		for range rng.IntN(4) {
			d = d / 1000 * 1000
		}
		return d
	}
	drawn := func(a arguments) bool { return m.takes&a != 0 && (m.needs&a != 0 || rng.IntN(2) == 0) }
	if drawn(byWindow) {
		t.Window = time.Duration(span() + 1)
	}
	if drawn(byAfter) {
		t.After = clock.Time(span())
	}
	if drawn(byBefore) {
		t.Before = t.After + clock.Time(span()) + 1
		if t.Before > clock.Time(clock.Longest) {
			t.Before = 0
		}
	}
	if drawn(byRetry) {
		t.Retry = 1 + rng.IntN(math.MaxInt32)>>rng.IntN(31)
	}
	if drawn(byCohort) {
		t.Cohort = "steady"
	}
	return t
}

func TestParseTermReadsItsText(t *testing.T) {
	same := func(seed uint64) bool {
		term := randomTerm(rand.New(rand.NewPCG(seed, 12)))
		got, err := ParseTerm(term.String(), env())
		if err != nil {
			t.Logf("%s: %s", term, err.Message)
			return false
		}
		return got == term
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}

func FuzzParseTerm(f *testing.F) {
	f.Add("retries.peak(window=100ms, after=outage.main.end, before=5m, retry=3, cohort=herd)")
	f.Add("calls.peak((,)=")
	f.Add("jobs.dead(cohort=\xff)")
	f.Fuzz(func(t *testing.T, text string) {
		term, err := ParseTerm(text, env())
		if err != nil {
			if err.Offset < 0 || err.Length < 0 || err.Offset+err.Length > len(text) || err.Message == "" {
				t.Errorf("%q: %+v", text, err)
			}
			return
		}
		again, err := ParseTerm(term.String(), env())
		if err != nil || again != term {
			t.Errorf("%q is %s, which is read as %s, %v", text, term, again, err)
		}
	})
}

func TestDimensions(t *testing.T) {
	for text, want := range map[string]Dimension{
		"jobs.dead": Count, "calls.per_job": Ratio, "retries.peak": Rate, "latency.p99": Span, "drain.time": Instant,
		"retries.spread(retry=1)": Span,
	} {
		if got := parse(t, text).Dimension(); got != want {
			t.Errorf("%s measures %v, want %v", text, got, want)
		}
	}
}
