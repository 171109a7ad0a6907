package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"

	"herdsim/sim/clock"
	"herdsim/sim/experiment"
	"herdsim/sim/plan"
	"herdsim/sim/policy"
	"herdsim/sim/result"
)

// json is the answer as a document of the format herdsim-plan/1. Times are in seconds: means and chances have six digits, all
// others are exact.
func (a *planAnswer) json() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"format\": \"herdsim-plan/1\",\n  \"scenario\": {\"name\": %s, \"file\": %s, \"sha256\": %s},\n  \"set\": {",
		quoted(a.file.Name), quoted(a.file.Path), quoted(a.file.SHA256))
	for i, s := range a.chosen.Set {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", quoted(s.Path), quoted(s.Value))
	}
	fmt.Fprintf(&b, "},\n  \"confidence\": %s,\n  \"cost\": {\"cases\": %d, \"policies\": %d, \"replications\": %d, \"runs\": %d, \"series_bytes_max\": %d",
		chance(a.confidence), a.cost.Cases, len(a.chosen.Policies), a.cost.Replications, a.cost.Runs, a.cost.SeriesBytes)
	fmt.Fprintf(&b, ", \"jobs\": %s, \"jobs_exact\": %v, \"jobs_bytes\": %d", result.Derived(a.load.Jobs), a.load.Exact, a.load.Bytes)
	b.WriteString("},\n  \"policies\": [")
	for i, f := range a.policies {
		f.json(&b, i, a.load)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}

func (f *forecast) json(b *bytes.Buffer, i int, load experiment.Load) {
	fmt.Fprintf(b, "%s{\n      \"name\": %s, \"label\": %s", comma(i), quoted(f.name), quoted(f.label))
	if f.retries >= 0 {
		fmt.Fprintf(b, ", \"retries\": %d, \"tries\": %d", f.retries, f.retries+1)
	}
	if most := attempts(load, f.retries); most != nil {
		fmt.Fprintf(b, ", \"attempts_max\": %s", result.Derived(most))
	}
	if f.elapsed > 0 {
		fmt.Fprintf(b, ", \"max_elapsed_s\": %s", seconds(f.elapsed))
		f.endsJSON(b)
	}
	b.WriteString(",\n      \"waits\": [")
	writeWaits(b, f.waits, f.elapsed > 0, "\n        ")
	b.WriteString("\n      ]")
	if f.rough() {
		fmt.Fprintf(b, ",\n      \"mean_error\": %s, \"chance_error\": %s", chance(policy.LawError), chance(plan.ChainError))
	}
	if f.total != nil {
		fmt.Fprintf(b, ",\n      \"lasts\": {%s", totalJSON("", *f.total))
		if f.likely >= 0 {
			fmt.Fprintf(b, ", \"likely_s\": %s", roughly(new(big.Rat).SetInt64(int64(f.likely))))
		}
		b.WriteString("}")
	}
	for _, why := range []string{f.unknown, f.unforeseen} {
		if why != "" {
			fmt.Fprintf(b, ",\n      \"unforeseen\": %s", quoted(why))
			break
		}
	}
	b.WriteString(",\n      \"outages\": [")
	for k, o := range f.outages {
		if k > 0 {
			b.WriteByte(',')
		}
		o.json(b)
	}
	b.WriteString("\n      ]\n    }")
}

func (o *outlook) json(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n        {\"name\": %s, \"start_s\": %s", quoted(o.Name), seconds(o.From.Sub(0)))
	if o.To < clock.End {
		fmt.Fprintf(b, ", \"length_s\": %s", seconds(o.To.Sub(o.From)))
	}
	if o.Cohorts != nil {
		fmt.Fprintf(b, ", \"cohorts\": %s", quoted(o.Cohorts))
	}
	switch {
	case o.To == clock.End:
		b.WriteString(", \"chance\": 0")
	case o.Outlasting != nil:
		fmt.Fprintf(b, ", \"chance\": %s", chance(o.Given.Chance))
		if o.Likely != nil {
			fmt.Fprintf(b, ", \"likely_retries\": %d", o.Likely.Retries)
		}
	}
	b.WriteByte('}')
}

// quoted writes a value that is no number.
func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
