package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// delta is a comparison of three policies, of which one has not changed, in so many cases.
func delta(t *testing.T, cases int) *result.Delta {
	t.Helper()
	d := &result.Delta{
		Format: result.DeltaFormat, Version: "1.2.3", Seed: 42, Replications: 20,
		Before:  result.Origin{Path: "baseline.json", Scenario: "herd.yaml", SHA256: "01", Version: "1.2.2", Digest: "9f2c41d7e0aa"},
		After:   result.Origin{Path: "now.json", Scenario: "herd.yaml", SHA256: "02", Version: "1.2.3", Digest: "1c2c41d7e0ab"},
		Changes: []result.Change{{Path: "policies.full.max_attempts", Before: new("10"), After: new("12")}, {Path: "policies.full.jitter", After: new("full")}, {Path: "metrics.also", Before: new("[x]")}},
	}
	values := func(of func(i int64) int64) []*big.Rat {
		all := make([]*big.Rat, 20)
		for i := range all {
			if v := of(int64(i)); v >= 0 {
				all[i] = rat(v, 1)
			}
		}
		return all
	}
	for k := range cases {
		set := result.Settings{}
		if cases > 1 {
			set = result.Settings{{Path: "dependency.outages.main.for", Value: fmt.Sprintf("%ds", 30*(k+1))}}
		}
		for _, p := range []string{"full", "none|of_this"} {
			for _, m := range []struct {
				key           string
				better        result.Direction
				headline      bool
				before, after func(i int64) int64
			}{
				{"retries.peak(after=60s)", result.Lower, true, func(i int64) int64 { return 90 + i%7 }, func(i int64) int64 { return 91 + i%5 }},
				{"dead.total", result.Lower, true, func(i int64) int64 { return 37 + i%4 }, func(i int64) int64 { return i % 3 }},
				{"jobs.unfinished", result.Lower, true, func(int64) int64 { return 0 }, func(int64) int64 { return 0 }},
				{"retries.drained_at", result.Lower, true, func(i int64) int64 { return 100 + i }, func(i int64) int64 { return 101 + i - 300*(i%6/5) }},
				{"calls.total", result.Lower, true, func(i int64) int64 { return 15000 + i }, func(i int64) int64 { return 15100 + i }},
				{"recovery.time", result.Lower, false, func(i int64) int64 { return 5 + 500*(i%3/2) }, func(i int64) int64 { return 5 }},
				{"dead.first_at", result.Neither, false, func(i int64) int64 { return -1 + 60*(i%2) }, func(i int64) int64 { return 70 + i%2 }},
			} {
				before, after := values(m.before), values(m.after)
				if p != "full" {
					after = before
				}
				b, a := result.NewMetric(before, true), result.NewMetric(after, true)
				b.Clumps = result.Clumps(before, new(big.Rat))
				row := result.DeltaRow{
					Set: set, Policy: p, Label: p, Metric: m.key, Headline: m.headline, Better: m.better, Before: &b, After: &a,
					Difference: result.NewDifferences([][]*big.Rat{after}, [][]*big.Rat{before}, true)[0],
				}
				for i := range before {
					switch {
					case before[i] == nil && after[i] != nil:
						row.Gained++
					case before[i] != nil && after[i] == nil:
						row.Lost++
					}
				}
				d.Rows = append(d.Rows, row)
			}
		}
	}
	set := d.Rows[0].Set
	bounds := func(low, high int64) *result.Bounds {
		return &result.Bounds{result.Integer(low), result.Integer(high)}
	}
	d.Limits = []result.Limited{
		{Limit: "dead.total > +5%", Set: set, Policy: "full", Excess: number(-38), CI95: bounds(-39, -37)},
		{Limit: "dead.total > +5%", Set: set, Policy: "none|of_this", Excess: number(0), CI95: bounds(0, 0)},
		{Limit: "calls.total > +50", Set: set, Policy: "full", Beyond: true, Excess: number(50), CI95: bounds(49, 51)},
		{Limit: "calls.total > +50", Set: set, Policy: "none|of_this", Excess: number(-50), CI95: bounds(-50, -50)},
		{Limit: "retries.peak(after=60s) > +1/s", Set: set, Policy: "full", Open: true, Excess: number(1), CI95: bounds(-1, 3)},
		{Limit: "retries.drained_at > +1s", Set: set, Policy: "full", Beyond: true, Why: "of the replications that had a value 3 have none"},
	}
	return d
}

func deltaTextOf(t *testing.T, d *result.Delta, o TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := DeltaText(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdownOf(t *testing.T, d *result.Delta, all bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := DeltaMarkdown(&b, d, all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDeltaGoldens(t *testing.T) {
	d := delta(t, 1)
	golden(t, "delta.txt", []byte(deltaTextOf(t, d, TextOptions{})))
	golden(t, "delta-verbose.txt", []byte(deltaTextOf(t, d, TextOptions{Verbose: true, Width: 120})))
	golden(t, "delta-cases-ascii.txt", []byte(deltaTextOf(t, delta(t, 2), TextOptions{ASCII: true, Width: 100})))
	golden(t, "delta-40.txt", []byte(deltaTextOf(t, d, TextOptions{Width: 40})))
	golden(t, "delta-quiet.txt", []byte(deltaTextOf(t, d, TextOptions{Quiet: true})))
	golden(t, "delta.md", []byte(markdownOf(t, d, false)))
	golden(t, "delta-cases.md", []byte(markdownOf(t, delta(t, 2), true)))
}

// Lines keep to the width and hold what the terminal can show, whatever is compared.
func TestDeltaProperties(t *testing.T) {
	same := delta(t, 1)
	same.Changes, same.Limits = []result.Change{}, nil
	same.Rows = same.Rows[7:]
	wild := delta(t, 1)
	wild.Replications = 1
	for i := range wild.Rows {
		r := &wild.Rows[i]
		r.Label, r.Now, r.P, r.CI95 = strings.Repeat("界 \x1b[31m", 30), strings.Repeat("y", 60), nil, nil
		r.Before.Mean, r.Diff = numberOf(t, "1e308"), numberOf(t, "-1e-308")
	}
	wild.Rows[0].Before, wild.Rows[0].Difference = nil, nil
	for name, d := range map[string]*result.Delta{"one case": delta(t, 1), "three cases": delta(t, 3), "nothing changed": same, "wild": wild} {
		for _, width := range []int{40, 80, 120} {
			for bits := range 16 {
				o := TextOptions{Width: width, Color: bits&1 > 0, ASCII: bits&2 > 0, Quiet: bits&4 > 0, Verbose: bits&8 > 0}
				text := deltaTextOf(t, d, o)
				if !o.Quiet {
					o.Color = o.Color && strings.Contains(text, "\x1b")
					checkText(t, fmt.Sprintf("%s %+v", name, o), text, o)
				}
			}
		}
		markdownRead(t, []byte(markdownOf(t, d, true)))
	}
	if text := deltaTextOf(t, same, TextOptions{}); !strings.Contains(text, "the scenario is the same") || !strings.Contains(text, "nothing has changed for none|of_this") {
		t.Errorf("of two equal results the text is:\n%s", text)
	}
}

func TestDeltaJSON(t *testing.T) {
	var b bytes.Buffer
	d := delta(t, 1)
	if err := DeltaJSON(&b, d); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	var back result.Delta
	if err := dec.Decode(&back); err != nil || back.Format != "herdsim-compare/1" || len(back.Rows) != len(d.Rows) || back.Rows[1].Diff != d.Rows[1].Diff {
		t.Errorf("read back: %v, %+v", err, back)
	}
}
