package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"herdsim/sim/result"
)

func TestBarsAreJudgedByTheCapacityOfTheirTime(t *testing.T) {
	two := number("2")
	limits, err := readLimits([]result.Step{{From: number("0")}, {From: number("4"), Capacity: &two}, {From: number("8"), Capacity: new(number("0"))}}, 50)
	if err != nil {
		t.Fatal(err)
	}
	b := bars{bin: 1, group: 2}
	if got, want := b.capped([]float64{9, 9, 9, 1, 9}, limits), []float64{9, 9, 2, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	always, err := readLimits(nil, 0)
	if err != nil || anyLimit(always) || !anyLimit(limits) || !math.IsInf(limitAt(always, 5), 1) {
		t.Errorf("without a capacity: %v, %v", always, err)
	}
}

func TestSubtitleTellsOfPhases(t *testing.T) {
	r := outageHerd(1)
	phased(&r.Cases[0])
	s, err := newScene(r, &r.Cases[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(s.workload(), "; ")
	for _, want := range []string{"capacity 50/s with bursts of 80", "squeezed 90s–120s: capacity 2/s", "crowded from 120s on: capacity 5 calls at a time"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
	span := r.Cases[0].Phases[0].Spans[0]
	r.Cases[0].Phases = slices.Repeat([]result.Phase{{Name: "flap", Changes: "latency 1s", Spans: []result.Span{span, span}}}, 5)
	if text := strings.Join(s.workload(), "; "); !strings.Contains(text, "flap (2 times): latency 1s") || !strings.HasSuffix(text, "; 2 more phases") {
		t.Errorf("of five phases: %q", text)
	}
	r.Cases[0].Steps[1].From = number("1e300")
	if _, err := newScene(r, &r.Cases[0]); err == nil || !strings.Contains(err.Error(), "step 1: from_s") {
		t.Errorf("a step at 1e300 s: %v", err)
	}
}
