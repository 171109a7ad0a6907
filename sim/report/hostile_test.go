package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// A result from a file may hold any numbers that Validate lets pass: the text still keeps to its width, and is finished
// in no time.
func TestTextSurvivesAnyNumbers(t *testing.T) {
	for name, spoil := range map[string]func(c *result.Case){
		"tiny bins":          func(c *result.Case) { bin(t, c, "1e-9") },
		"huge bins":          func(c *result.Case) { bin(t, c, "1e9") },
		"odd bins":           func(c *result.Case) { bin(t, c, "0.123456789") },
		"huge counts":        func(c *result.Case) { c.Policies[0].Series.Retries.First[3] = math.MaxInt64 },
		"endless outage":     func(c *result.Case) { c.Outages[0].End = pointer(t, "1e300") },
		"outage at the end":  func(c *result.Case) { c.Outages[0] = result.Outage{Start: *pointer(t, "1e300")} },
		"empty outage":       func(c *result.Case) { c.Outages[0].End = number(0) },
		"short outage":       func(c *result.Case) { c.Outages[0].End = pointer(t, "0.000000001") },
		"no capacity left":   func(c *result.Case) { c.Capacity = number(0) },
		"tiny capacity":      func(c *result.Case) { c.Capacity = pointer(t, "1e-300") },
		"huge capacity":      func(c *result.Case) { c.Capacity = pointer(t, "1e300") },
		"no metrics":         func(c *result.Case) { c.Policies[1].Metrics, c.Comparisons = nil, nil },
		"no names":           func(c *result.Case) { c.Policies[0].Label, c.Workload = "", "" },
		"long names":         func(c *result.Case) { c.Policies[0].Label = strings.Repeat("long name ", 50) },
		"endless word":       func(c *result.Case) { c.Workload = strings.Repeat("界", 500) },
		"huge numbers":       func(c *result.Case) { means(t, c, "1e308", "-1e308", "1.7e308") },
		"tiny numbers":       func(c *result.Case) { means(t, c, "1e-308", "-1e-308", "3e-308") },
		"negative numbers":   func(c *result.Case) { means(t, c, "-12345.678", "-12346", "-12345") },
		"reversed intervals": func(c *result.Case) { means(t, c, "5", "7", "3") },
		"asked for anything": func(c *result.Case) { c.Asked = []string{"", strings.Repeat("x", 300), "a\nb"} },
		"flapping for ever": func(c *result.Case) {
			for i := range int64(5000) {
				c.Outages = append(c.Outages, result.Outage{Start: result.Integer(2 * i), End: number(2*i + 1)})
			}
		},
	} {
		r := fixtures()["twenty"]
		spoil(&r.Cases[0])
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, width := range []int{40, 80, 200} {
			o := TextOptions{Width: width, Verbose: true}
			checkText(t, fmt.Sprintf("%s in %d columns", name, width), textOf(t, r, o), o)
		}
	}
}

func pointer(t *testing.T, text string) *result.Number {
	n := numberOf(t, text)
	return &n
}

func bin(t *testing.T, c *result.Case, text string) {
	for i := range c.Policies {
		c.Policies[i].Series.Bin = numberOf(t, text)
	}
}

// means gives every metric the same mean and interval.
func means(t *testing.T, c *result.Case, mean, low, high string) {
	for i := range c.Policies {
		for key, m := range c.Policies[i].Metrics {
			m.Mean, m.Min, m.Max = numberOf(t, mean), numberOf(t, low), numberOf(t, high)
			m.CI95 = &[2]result.Number{m.Min, m.Max}
			c.Policies[i].Metrics[key] = m
		}
	}
	for i := range c.Comparisons {
		c.Comparisons[i].Diff, c.Comparisons[i].CI95 = numberOf(t, mean), &result.Bounds{numberOf(t, low), numberOf(t, high)}
	}
}
