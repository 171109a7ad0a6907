package check

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/metrics"
)

func someEnv() Env {
	return Env{
		Env: metrics.Env{
			Cohorts: []string{"herd"},
			Outages: []metrics.Outage{{Name: "main", To: clock.Time(60 * time.Second)}, {Name: "second", From: clock.Time(90 * time.Second), To: clock.Time(2 * time.Minute)}},
		},
		Policies: []string{"full", "no-jitter", "a--_b-"},
		Capacity: big.NewRat(50, 1),
	}
}

func TestParse(t *testing.T) {
	for text, terms := range map[string]string{
		"jobs.dead <= 10": "jobs.dead",
		"10 >= jobs.dead": "jobs.dead",
		"retries.peak( after = outage.end ) <= 3*dependency.capacity":                              "retries.peak(after=120s)",
		"retries.peak(window=100ms, after=outage.main.end, cohort=herd) < 2/100ms":                 "retries.peak(window=100ms, after=60s, cohort=herd)",
		"not (jobs.dead > 5 or drain.time >= 3m) and jobs.dead / jobs.total <= 1%":                 "jobs.dead drain.time jobs.total",
		"policy.full.jobs.dead <= policy.no-jitter.jobs.dead / 2":                                  "jobs.dead",
		"drain.time - outage.second.end <= PT90S + 1h30m - outage.start":                           "drain.time",
		"calls.total / 60s <= 50/s and calls.total <= 50/s*60s":                                    "calls.total",
		"calls.per_job <= 3 and calls.per_job <= 300% and 5 / 60s < retries.peak":                  "calls.per_job retries.peak",
		"jobs.dead * 2 == jobs.total + 1 and jobs.dead * 60s / jobs.total < 1m":                    "jobs.dead jobs.total",
		"policy.a--_b-.jobs.dead - 1 <= 2":                                                         "jobs.dead",
		"((jobs.dead))<=10 and ((not jobs.dead==0))":                                               "jobs.dead",
		"jobs.dead/jobs.total < 100/5":                                                             "jobs.dead jobs.total",
		"60s/jobs.total < 1s and 1s * jobs.total > 60s":                                            "jobs.total",
		"drain.time != 0s and 0.5 * drain.time < 1.5s and jobs.dead\n  <= 10":                      "drain.time jobs.dead",
		"dependency.capacity > retries.peak or dependency.capacity*1s > jobs.dead and 1<jobs.dead": "retries.peak jobs.dead",
	} {
		e, err := Parse(text, someEnv())
		if err != nil {
			t.Errorf("%s: %s at %d, %d: %s", text, err.Message, err.Offset, err.Length, err.Hint)
			continue
		}
		var got []string
		for _, term := range e.Terms() {
			got = append(got, term.String())
		}
		if strings.Join(got, " ") != terms {
			t.Errorf("%s reads %v, want %s", text, got, terms)
		}
	}
}

// Each text is wrong at the part between ‹ and ›.
func TestParseErrors(t *testing.T) {
	for _, c := range [][3]string{
		{"drain.time <= ‹10›", "`10` is a number, `drain.time` is a time", "write `10s`"},
		{"‹10› >= drain.time", "`10` is a number", "write `10s`"},
		{"retries.peak <= ‹50›", "`50` is a number, `retries.peak` is a rate", "write `50/s`"},
		{"retries.peak <= ‹jobs.dead›", "`jobs.dead` is a count", "divide by a time, such as `jobs.dead / 60s`"},
		{"jobs.dead <= ‹25%›", "`25%` is a ratio", "write for example `25% * jobs.total`"},
		{"jobs.dead <= ‹10s›", "`10s` is a time", "write `10`"},
		{"jobs.dead <= ‹10/s›", "`10/s` is a rate", "multiply by a time, such as `10/s * 60s`"},
		{"drain.time + ‹5› <= 10s", "they cannot be joined by `+`", "write `5s`"},
		{"drain.time <= ‹jobs.dead * 3 / 2›", "is a count", "compare things of one kind"},
		{"jobs.dead * jobs.dead <= ‹3 * jobs.dead›", "`jobs.dead * jobs.dead` is a count to the power of 2", "compare things of one kind"},
		{"drain.time * drain.time <= ‹3s›", "in seconds to the power of 2", "compare things of one kind"},
		{"‹jobs.ded› <= 1", "unknown metric `jobs.ded`", "did you mean `jobs.dead`?"},
		{"‹jobs.dead-5› <= 1", "unknown metric", "write `jobs.dead - 5`"},
		{"policy.‹fulll›.jobs.dead <= 1", "unknown policy `fulll`", "did you mean `full`?"},
		{"policy.full.‹jobs.ded› <= 1", "unknown metric `jobs.ded`", "did you mean"},
		{"‹policy.full› <= 1", "names no metric", "write `policy.NAME.METRIC`, such as `policy.full.jobs.dead`"},
		{"drain.time <= ‹outage.mian.end›", "unknown outage `mian`", "did you mean `main`?"},
		{"retries.peak(‹aftr›=1s) <= 1/s", "unknown argument `aftr`", "did you mean `after`?"},
		{"jobs.dead(cohort=‹hrd›) <= 1", "unknown cohort `hrd`", "did you mean `herd`?"},
		{"‹dependency.rate› <= 1/s", "`dependency.rate` is not known", "write `dependency.capacity`"},
		{"jobs.dead ‹=› 1", "`=` is not a sign", "write `==`"},
		{"jobs.dead ‹=<› 1", "`=<` is not a sign", "write `<=`"},
		{"jobs.dead == 1 ‹&&› jobs.dead == 2", "`&&` is not a sign", "write `and`"},
		{"‹!›(jobs.dead == 1)", "`!` is not a sign", "write `not`"},
		{"jobs.dead ‹≤› 1", "`≤` is not a sign", "write `<=`"},
		{"jobs.dead ‹@› 1", "`@` means nothing here", ""},
		{"drain.time ‹-›5s < 1s", "a minus needs a space", ""},
		{"jobs.dead < ‹-› 5", "stands where a metric or a number belongs", "no metric is below 0"},
		{"1s <= drain.time ‹<=› 2s", "do not chain", "write `… and drain.time <= …`"},
		{"‹jobs.dead›", "a check compares, this is a count", "write for example `jobs.dead <= 10`"},
		{"‹jobs.dead› and drain.time < 1s", "not a comparison", ""},
		{"‹(drain.time < 1s)› + 1 < 2", "is a comparison, not a number", "join comparisons"},
		{"‹1s < 2s›", "nothing is measured", "name a metric"},
		{"jobs.dead / ‹0› < 2", "divided by 0", ""},
		{"jobs.dead <‹›", "missing at the end", ""},
		{"jobs.dead < 1 and‹›", "missing at the end", ""},
		{"‹(›jobs.dead < 1", "the parenthesis is not closed", ""},
		{"jobs.dead < 1‹)›", "the parenthesis was not opened", "leave it out"},
		{"retries.peak‹(after=1s < 1/s›", "the parenthesis is not closed", ""},
		{"jobs.dead < 1 ‹jobs.total› < 1", "is not a number with a unit", ""},
		{"jobs.dead < 1s ‹jobs.total› < 1", "", ""},
		{"retries.peak < ‹50/sec›", "unknown unit", "write `50/s`"},
		{"drain.time < ‹10 parsecs›", "is not a number with a unit", "right behind its number"},
		{"drain.time < ‹5x›", "unknown unit", ""},
		{"‹›", "nothing is demanded", ""},
	} {
		before, rest, _ := strings.Cut(c[0], "‹")
		part, after, _ := strings.Cut(rest, "›")
		_, err := Parse(before+part+after, someEnv())
		switch {
		case err == nil:
			t.Errorf("%s is read", c[0])
		case !strings.Contains(err.Message, c[1]) || !strings.Contains(err.Hint, c[2]):
			t.Errorf("%s: %q with hint %q, want %q with %q", c[0], err.Message, err.Hint, c[1], c[2])
		case c[1] != "is not a number with a unit" && c[1] != "" && (err.Offset != len(before) || err.Length != len(part)):
			t.Errorf("%s: the error is at %d, %d, want %d, %d", c[0], err.Offset, err.Length, len(before), len(part))
		}
	}
	if _, err := Parse(strings.Repeat("(", longest+1), someEnv()); err == nil || !strings.Contains(err.Message, "more than 2000") {
		t.Errorf("an endless expression gives %v", err)
	}
	env := someEnv()
	env.Capacity = nil
	if _, err := Parse("retries.peak < dependency.capacity", env); err == nil || !strings.Contains(err.Message, "no capacity that is a rate") {
		t.Errorf("without a capacity: %v", err)
	}
}

func TestPolicies(t *testing.T) {
	for text, want := range map[string]string{
		"jobs.dead < 1":             "*",
		"policy.full.jobs.dead < 1": "full",
		"policy.full.jobs.dead < policy.no-jitter.jobs.dead":                 "full no-jitter",
		"jobs.dead < policy.full.jobs.dead + policy.full.jobs.dead":          "full *",
		"policy.no-jitter.jobs.dead < 1 or policy.no-jitter.drain.time < 1s": "no-jitter",
	} {
		e, err := Parse(text, someEnv())
		if err != nil {
			t.Fatalf("%s: %v", text, err.Message)
		}
		names, general := e.Policies()
		if general {
			names = append(slices.Clone(names), "*")
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s names %s, want %s", text, got, want)
		}
	}
}

// No text makes the parser panic, and an error lies within the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"jobs.dead <= 10", "not (retries.peak(after=60s) > 3*dependency.capacity) or 1", "a - b/(", "5/60s < policy.x.y(", "日 >= 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text, someEnv())
		if err == nil {
			e.Judge(CI, 2, func(string, metrics.Term, int) (metrics.Value, error) {
				return metrics.Value{Rat: big.NewRat(3, 1)}, nil
			})
		} else if err.Offset < 0 || err.Length < 0 || err.Offset+err.Length > len(text) || err.Message == "" {
			t.Errorf("%q: %+v", text, err)
		}
	})
}
