package plots

import (
	"fmt"
	"strings"

	"herdsim/sim/result"
)

// A variant is a result that asks something unusual of a picture.
type variant struct {
	name   string
	result *result.Result
}

// change returns the outage herd after f has changed its case.
func change(name string, f func(*result.Case)) variant {
	r := outageHerd(1)
	f(&r.Cases[0])
	return variant{name, r}
}

func withPolicies(n int, label func(int) string) func(*result.Case) {
	return func(c *result.Case) {
		some := c.Policies
		c.Policies = nil
		for i := range n {
			p := some[i%len(some)]
			p.Name, p.Label = fmt.Sprintf("p%d", i), label(i)
			c.Policies = append(c.Policies, p)
		}
	}
}

func short(i int) string { return fmt.Sprintf("policy %d", i+1) }

func long(i int) string {
	return fmt.Sprintf("an exponential curve with %s jitter, number %d", strings.Repeat("very ", 5+20*i), i+1)
}

func foreign(i int) string {
	return []string{"指数バックオフ 60s", "🐃🐃 herd 🐃", "Zurücknahme größer", "a\x00b\nc\u202e\td", "\xff\xfe", "", "👩‍👩‍👧"}[i%7]
}

// magnified multiplies every number of every policy by a million.
func magnified(c *result.Case) {
	million := func(n result.Number) result.Number { return number(n.String() + "e6") }
	for i := range c.Policies {
		p := &c.Policies[i]
		for k := range p.Series.Retries.First {
			p.Series.Retries.First[k] *= 1_000_000
		}
		for k := range p.Series.Dead.First {
			p.Series.Dead.First[k] *= 1_000_000
		}
		for key, m := range p.Metrics {
			m.Mean, m.Min, m.Max = million(m.Mean), million(m.Min), million(m.Max)
			p.Metrics[key] = m
		}
		for k, row := range p.Attempts {
			p.Attempts[k] = result.AttemptRow{Attempt: row.Attempt, Jobs: million(row.Jobs), Dead: million(row.Dead)}
		}
	}
}

func outagesEvery(seconds, length, n int) func(*result.Case) {
	return func(c *result.Case) {
		c.Outages = nil
		for i := range n {
			end := number(fmt.Sprint(i*seconds + length))
			c.Outages = append(c.Outages, result.Outage{Name: fmt.Sprint(i), Start: number(fmt.Sprint(i * seconds)), End: &end})
		}
	}
}

func phased(c *result.Case) {
	two, end := number("2"), number("120")
	c.Limit = "50/s with bursts of 80"
	c.Phases = []result.Phase{
		{Name: "squeezed", Changes: "capacity 2/s", Spans: []result.Span{{Start: number("90"), End: &end}}},
		{Name: "crowded", Changes: "capacity 5 calls at a time", Spans: []result.Span{{Start: number("120")}}},
	}
	c.Steps = []result.Step{{From: number("0"), Capacity: c.Capacity}, {From: number("90"), Capacity: &two}, {From: number("120")}}
}

// rounded50 gives the first policies 1000 rounds of a width in seconds that grows with the policy, the last 50 of them.
func rounded50(width float64) func(*result.Case) {
	return func(c *result.Case) {
		for i := range c.Policies {
			c.Policies[i].Retries = nil
			for k := range []int{1000, 1000, 1000, 50}[i] {
				at := float64(k) / 8
				c.Policies[i].Retries = append(c.Policies[i].Retries, result.RoundRow{
					Retry: k + 1, P5: number(fmt.Sprint(at)), Mean: number(fmt.Sprint(at + width/2)),
					P95: number(fmt.Sprint(at + width*float64(i+1))),
				})
			}
		}
	}
}

func forTracks(f func(policy int, s *result.Series)) func(*result.Case) {
	return func(c *result.Case) {
		for i := range c.Policies {
			f(i, c.Policies[i].Series)
		}
	}
}

func variants() []variant {
	all := []variant{
		{"replicated", outageHerd(5)},
		change("no retries", func(c *result.Case) {
			forTracks(func(_ int, s *result.Series) { s.Retries = result.Track{} })(c)
			c.Outages = nil
		}),
		change("one policy without retries", func(c *result.Case) { c.Policies[2].Series.Retries = result.Track{First: []int64{0, 0}} }),
		change("no jobs finished", func(c *result.Case) { c.Policies[1].Attempts = nil }),
		change("no metrics", func(c *result.Case) { c.Policies[1].Metrics = nil }),
		change("no capacity", func(c *result.Case) { c.Capacity = nil }),
		change("capacity far above", func(c *result.Case) { n := number("123456789"); c.Capacity = &n }),
		change("capacity far below", func(c *result.Case) { n := number("0.001"); c.Capacity = &n }),
		change("phases", phased),
		change("open-ended outage", func(c *result.Case) { c.Outages[0].End = nil; c.Outages[0].Start = number("100") }),
		change("outage and another without end", func(c *result.Case) {
			c.Outages = append(c.Outages, result.Outage{Name: "late", Start: number("200")})
		}),
		change("outages of some", func(c *result.Case) {
			end, late := number("160"), number("130")
			c.Outages = append(c.Outages, result.Outage{Name: "acme", Start: number("100"), End: &end, Cohorts: []string{"acme", "bolt"}},
				result.Outage{Name: "both", Start: number("120"), End: &late})
		}),
		change("outage beyond the last retry", func(c *result.Case) { n := number("5000"); c.Outages[0].End = &n }),
		change("some outages", outagesEvery(50, 10, 5)),
		change("many outages", outagesEvery(2, 1, 120)),
		change("flapping", func(c *result.Case) {
			outagesEvery(3, 1, 400)(c)
			for i := range c.Outages {
				end := number(c.Outages[i].End.String() + "e-1")
				c.Outages[i].Start, c.Outages[i].End = number(c.Outages[i].Start.String()+"e-1"), &end
			}
		}),
		change("overlapping outages", outagesEvery(5, 30, 10)),
		change("large counts", magnified),
		change("no dead letters", forTracks(func(_ int, s *result.Series) { s.Dead = result.Track{} })),
		change("the same dead letters everywhere", func(c *result.Case) {
			first := c.Policies[0].Series.Dead
			withPolicies(24, long)(c)
			forTracks(func(_ int, s *result.Series) { s.Dead = first })(c)
		}),
		change("one dead letter", forTracks(func(i int, s *result.Series) { s.Dead = result.Track{First: []int64{0, int64(i % 2)}} })),
		change("no rounds", func(c *result.Case) { c.Policies[1].Retries = nil }),
		change("rounds at once", rounded50(0)),
		change("narrow rounds", rounded50(0.000001)),
		change("a thousand rounds", rounded50(1)),
		change("narrow bins", forTracks(func(i int, s *result.Series) {
			s.Bin = number("0.001")
			for len(s.Retries.First) < 200_000 {
				s.Retries.First = append(s.Retries.First, s.Retries.First...)
			}
		})),
		change("wide bins", forTracks(func(i int, s *result.Series) { s.Bin = number([]string{"86400", "3600", "60", "1000"}[i]) })),
		change("tiny time", forTracks(func(_ int, s *result.Series) { s.Bin = number("0.000001") })),
		change("peak at the very end", forTracks(func(_ int, s *result.Series) { s.Retries.First = append(s.Retries.First, 1900) })),
		change("one retry in a year", func(c *result.Case) {
			forTracks(func(_ int, s *result.Series) {
				s.Bin = number("86400")
				s.Retries.First = append(make([]int64, 364), 1)
			})(c)
		}),
		change("many attempts", func(c *result.Case) {
			for i := range 3000 {
				c.Policies[0].Attempts = append(c.Policies[0].Attempts, result.AttemptRow{Attempt: 11 + i*7, Jobs: number("3"), Dead: number("2.5")})
			}
		}),
		change("long texts", func(c *result.Case) {
			c.Workload = strings.Repeat("1000 jobs at 0s, then ", 60)
			withPolicies(4, long)(c)
		}),
		change("foreign texts", withPolicies(7, foreign)),
	}
	for n := 1; n <= 12; n++ {
		all = append(all, change(fmt.Sprintf("%d policies", n), withPolicies(n, short)), change(fmt.Sprintf("%d long policies", n), withPolicies(n, long)))
	}
	return append(all, change("24 policies", withPolicies(24, long)))
}
