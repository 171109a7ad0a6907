package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"
)

// A planDocument is herdsim-plan/1 as docs/plan.md describes it.
type planDocument struct {
	Format     string
	Scenario   struct{ Name, File, SHA256 string }
	Set        map[string]string
	Confidence float64
	Cost       struct {
		Cases, Policies, Replications, Runs int
		SeriesBytesMax                      uint64 `json:"series_bytes_max"`
		Jobs                                float64
		JobsExact                           bool   `json:"jobs_exact"`
		JobsBytes                           uint64 `json:"jobs_bytes"`
	}
	Policies []struct {
		Name, Label    string
		Retries, Tries *int
		AttemptsMax    *float64 `json:"attempts_max"`
		MaxElapsed     float64  `json:"max_elapsed_s"`
		EndsPossibly   int      `json:"ends_possibly_after"`
		EndsSurely     int      `json:"ends_surely_after"`
		MeanError      float64  `json:"mean_error"`
		ChanceError    float64  `json:"chance_error"`
		Waits          []struct {
			Attempt   int
			Min       float64 `json:"min_s"`
			Max       float64 `json:"max_s"`
			Mean      float64 `json:"mean_s"`
			P5        float64 `json:"p5_s"`
			P50       float64 `json:"p50_s"`
			P95       float64 `json:"p95_s"`
			Capped    bool
			Distinct  json.Number
			TotalMin  float64  `json:"total_min_s"`
			TotalMean float64  `json:"total_mean_s"`
			TotalMax  float64  `json:"total_max_s"`
			NextTry   *float64 `json:"next_try"`
		}
		Lasts *struct {
			Min    float64  `json:"min_s"`
			Mean   float64  `json:"mean_s"`
			Max    float64  `json:"max_s"`
			Likely *float64 `json:"likely_s"`
		}
		Unforeseen string
		Outages    []struct {
			Name          string
			Start         float64  `json:"start_s"`
			Length        *float64 `json:"length_s"`
			Cohorts       []string
			Chance        *float64
			LikelyRetries *int `json:"likely_retries"`
		}
	}
}

// planned runs plan and decodes all of what it prints; a key that is not in the document's description is an error.
func planned(t *testing.T, args ...string) planDocument {
	t.Helper()
	a, stdout, stderr := fake("")
	if code := a.run(context.Background(), append([]string{"plan", "--json"}, args...)); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	d := json.NewDecoder(bytes.NewReader([]byte(stdout.String())))
	d.DisallowUnknownFields()
	var doc planDocument
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != "herdsim-plan/1" {
		t.Errorf("format %q", doc.Format)
	}
	return doc
}

func TestPlanAsJSON(t *testing.T) {
	doc := planned(t, "@outage-herd", "--policy", "full", "--confidence", "90%")
	if c := doc.Cost; c.Cases != 1 || c.Policies != 1 || c.Replications != 20 || c.Runs != 20 || c.Jobs != 3400 || c.JobsExact || c.JobsBytes != 32_000 {
		t.Errorf("cost %+v", c)
	}
	p := doc.Policies[0]
	if len(p.Waits) != 9 || *p.Retries != 9 || *p.Tries != 10 || *p.AttemptsMax != 34_000 || p.Unforeseen != "" || p.MeanError != 0 {
		t.Errorf("policy %+v", p)
	}
	if w := p.Waits[6]; w.Attempt != 7 || w.Max != 60 || w.Mean != 30 || !w.Capped || w.TotalMean != 61.5 || w.NextTry != nil {
		t.Errorf("wait %+v", w)
	}
	if p.Lasts.Mean != 121.5 || p.Lasts.Max != 243 || math.Abs(*p.Lasts.Likely-79.8769) > 1e-4 || doc.Confidence != 0.9 {
		t.Errorf("lasts %+v, likely %v", p.Lasts, *p.Lasts.Likely)
	}
	if o := p.Outages[0]; o.Name != "main" || *o.Length != 60 || math.Abs(*o.Chance-0.974634) > 1e-6 || *o.LikelyRetries != 9 {
		t.Errorf("outage %+v", o)
	}
	elapsed := planned(t, "@curves", "--policy", "elapsed").Policies[0]
	if elapsed.MaxElapsed != 45 || elapsed.EndsPossibly != 5 || elapsed.EndsSurely != 5 || *elapsed.Waits[4].NextTry != 0 {
		t.Errorf("max_elapsed: %+v", elapsed)
	}
	rough := planned(t, "@jitters", "--policy", "memoryless").Policies[0]
	if rough.MeanError == 0 || rough.ChanceError == 0 {
		t.Errorf("memoryless counts as exact: %+v", rough)
	}
	swept := planned(t, "@sweep-batch", "--case", "1")
	if len(swept.Set) == 0 || swept.Policies[0].Unforeseen == "" || len(swept.Policies[0].Waits) == 0 {
		t.Errorf("sweeps: %+v", swept)
	}
}
