package main

import (
	"bytes"
	"fmt"
	"math/big"
	"time"

	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/result"
)

// json is the answer as a document of the format herdsim-delay/1. Times are in seconds: means have six digits, all others
// are exact.
func (a *delayAnswer) json() []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"format\": \"herdsim-delay/1\",\n  \"attempts\": [")
	writeWaits(&b, a.waits, a.elapsed > 0, "\n    ")
	b.WriteString("\n  ]")
	if a.elapsed > 0 {
		fmt.Fprintf(&b, ",\n  \"max_elapsed_s\": %s", seconds(a.elapsed))
		a.endsJSON(&b)
	}
	if a.rough() {
		fmt.Fprintf(&b, ",\n  \"mean_error\": %s, \"chance_error\": %s", chance(policy.LawError), chance(plan.ChainError))
	}
	if a.outlast != nil {
		a.outlastJSON(&b)
	}
	if len(a.samples) > 0 {
		fmt.Fprintf(&b, ",\n  \"seed\": %d,\n  \"samples\": [", a.seed)
		for job, waits := range a.samples {
			fmt.Fprintf(&b, `%s{"job": %d, "waits_s": [`, comma(job), job)
			for k, d := range waits {
				if k > 0 {
					b.WriteString(", ")
				}
				b.WriteString(seconds(d))
			}
			b.WriteString("]}")
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// writeWaits writes the rows of a table, each behind a break.
func writeWaits(b *bytes.Buffer, waits []plan.Wait, elapsed bool, rowBreak string) {
	for i, w := range waits {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `%s{"attempt": %d, "min_s": %s, "max_s": %s, "mean_s": %s, "p5_s": %s, "p50_s": %s, "p95_s": %s, "capped": %v, "distinct": %v, %s`,
			rowBreak, w.Attempt, seconds(w.Min), seconds(w.Max), roughly(w.Mean), seconds(w.P5), seconds(w.P50), seconds(w.P95),
			w.Capped, w.Distinct, totalJSON("total_", w.Total))
		if elapsed {
			fmt.Fprintf(b, `, "next_try": %s`, chance(w.Tried))
		}
		b.WriteByte('}')
	}
}

// endsJSON says where max_elapsed ends a job.
func (a *delayAnswer) endsJSON(b *bytes.Buffer) {
	if a.ends.possibly > 0 {
		fmt.Fprintf(b, ", \"ends_possibly_after\": %d", a.ends.possibly)
	}
	if a.ends.surely > 0 {
		fmt.Fprintf(b, ", \"ends_surely_after\": %d", a.ends.surely)
	}
}

func (a *delayAnswer) outlastJSON(b *bytes.Buffer) {
	o := a.outlast
	fmt.Fprintf(b, ",\n  \"outlast\": {\n    \"span_s\": %s, \"confidence\": %s", seconds(o.Span), chance(o.Confidence))
	for _, budget := range []struct {
		name string
		*plan.Budget
	}{{"surely", o.Surely}, {"on_average", o.OnAverage}, {"likely", o.Likely}, {"given", o.Given}} {
		if budget.Budget != nil {
			fmt.Fprintf(b, ",\n    \"%s\": {\"retries\": %d, \"tries\": %d, %s, \"chance\": %s}", budget.name,
				budget.Retries, budget.Retries+1, totalJSON("", budget.Total), chance(budget.Chance))
		}
	}
	b.WriteString("\n  }")
}

func totalJSON(prefix string, t plan.Total) string {
	return fmt.Sprintf(`"%[1]smin_s": %[2]s, "%[1]smean_s": %[3]s, "%[1]smax_s": %[4]s`, prefix, seconds(t.Min), roughly(t.Mean), seconds(t.Max))
}

// comma separates the rows of a list.
func comma(i int) string {
	if i == 0 {
		return "\n    "
	}
	return ",\n    "
}

func seconds(d time.Duration) string {
	return result.Exact(big.NewRat(int64(d), int64(time.Second))).String()
}

func roughly(ns *big.Rat) string {
	return result.Derived(new(big.Rat).Quo(ns, big.NewRat(int64(time.Second), 1))).String()
}

func chance(p float64) string { return result.Derived(new(big.Rat).SetFloat64(p)).String() }
