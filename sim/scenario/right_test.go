package scenario

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/policy"
	"herdsim/sim/preset"
	"herdsim/sim/rng"
)

// parsed reads a file that must be right and say nothing.
func parsed(t *testing.T, name string, o Overrides) *File {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	o.Beside = files(traces)
	f, list := Parse(name, data, o)
	if f == nil || len(list) > 0 {
		t.Fatalf("%s is not accepted:\n%s", name, rendered(t, list))
	}
	return f
}

func seconds(n int64) clock.Time { return clock.Time(n * int64(time.Second)) }

func TestEverything(t *testing.T) {
	f := parsed(t, "testdata/right/everything.yaml", Overrides{})
	if f.Name != "everything" || f.Description != "every field that is supported\n" || len(f.Cases) != 1 || len(f.SHA256) != 64 {
		t.Errorf("file: %+v", f)
	}
	s := f.Cases[0].Scenario
	want := engine.Config{
		Seed: math.MaxUint64, Stop: seconds(900), RunOn: true,
		Cohorts: []engine.Cohort{
			{Name: "herd", Pattern: engine.Together, Count: 1000, At: seconds(5)},
			{Name: "steady", Pattern: engine.Every, Count: 600, Interval: time.Second},
			{Name: "wave", Pattern: engine.Spread, Count: 500, Interval: 10 * time.Second, At: seconds(60)},
			{Name: "load", Pattern: engine.Constant, Rate: clock.Rate{Count: 10, Per: time.Second}, For: 5 * time.Minute, Count: 100},
			{Name: "random", Pattern: engine.Poisson, Rate: clock.Rate{Count: 600, Per: time.Minute}},
			{Name: "bad", Count: 1, Poison: true},
			{
				Name: "real", Pattern: engine.Listed, At: seconds(1), For: 90 * time.Second, Count: 7,
				Offsets: []engine.Offset{{After: 1500 * time.Millisecond, Index: 1}, {After: 2 * time.Second, Index: 0}},
			},
			{
				Name: "traits", Count: 10, Delay: 2 * time.Hour, Priority: 3, Payload: 2048, Service: rng.NewLognormal(80*time.Millisecond, 900*time.Millisecond),
				Rule: &engine.Rule{Name: "full", Policy: s.Policies[2].Policy, Budget: policy.Budget{Tries: 5}},
			},
			{Name: "steps", Count: 2, Service: rng.Cycle{10 * time.Second, 0}},
			{Name: "idle", Count: 2, Service: rng.Fixed(0), Key: "account-7"},
			{
				Name: "wide", Count: 2, Service: rng.Uniform{Lo: 50 * time.Millisecond, Hi: 150 * time.Millisecond},
				Rule: &engine.Rule{Name: "once", Budget: policy.Budget{Tries: 1}},
			},
		},
		Queue: engine.Queue{
			Order: engine.Priority, Retries: engine.AfterFresh,
			Every: time.Second, EveryMost: 50 * time.Second, Phase: 2 * time.Second, Batch: 1000, Drain: true, After: true,
			ByWorker: true, Pollers: 3, Cost: 6 * time.Millisecond, First: engine.FirstRuns, Resolution: time.Millisecond,
			Visibility: 30 * time.Second, RenewLease: true, LeaseFails: true, DeadlyStall: 5,
		},
		Workers: engine.Workers{
			Count: 64, Service: rng.Exponential{Mean: 80 * time.Millisecond}, Timeout: 2 * time.Second,
			Crashes: []engine.WorkerCrash{{At: seconds(90), Workers: 8, For: 5 * time.Second}, {At: seconds(600), Workers: 64, For: time.Minute}},
		},
		DeadLetter: engine.DeadLetter{
			Max: 10_000, TTL: 90 * 24 * time.Hour,
			Replay: &engine.Replay{At: seconds(100), Rate: clock.Rate{Count: 50, Per: time.Second}, Every: 5 * time.Minute, Batch: 100},
		},
		Dependency: dependency.Config{
			Capacity: dependency.PerWindow{Count: 2, Per: 100 * time.Millisecond}, ErrorRate: rng.Certain / 50, Latency: 40 * time.Millisecond, FailAfter: time.Second,
			Outages: []dependency.Downtime{
				{From: 0, To: seconds(60)},
				{From: seconds(600), To: seconds(620)},
				{From: seconds(720), To: seconds(740)},
				{From: seconds(840), To: seconds(860)},
				{From: seconds(840), To: clock.End, Cohorts: []uint16{0, 3}},
			},
			Phases: []dependency.Phase{
				{
					Windows: []dependency.Window{{From: seconds(60), To: seconds(90)}}, ErrorRate: new(rng.Certain / 4),
					Latency: new(2 * time.Second), PerCall: new(time.Duration), FailAfter: new(time.Duration),
				},
				{
					Windows:  []dependency.Window{{From: seconds(180), To: seconds(240)}, {From: seconds(300), To: seconds(360)}},
					Capacity: dependency.TokenBucket{Rate: clock.Rate{Count: 5, Per: time.Minute}, Burst: 30},
				},
				{Windows: []dependency.Window{{From: seconds(300), To: clock.End}}, Capacity: dependency.Concurrency(20), Stall: new(false)},
				{
					Windows:  []dependency.Window{{From: seconds(360), To: clock.End}},
					Capacity: &dependency.Servers{Count: 2, Service: rng.Fixed(10 * time.Millisecond), Queue: new(uint64(50)), DropExpired: true},
					Latency:  new(40 * time.Millisecond), PerCall: new(2 * time.Millisecond),
				},
				{Windows: []dependency.Window{{From: seconds(420), To: seconds(430)}}, Stall: new(true)},
				{
					Windows: []dependency.Window{{From: 0, To: seconds(1)}}, Cohorts: []uint16{0},
					Capacity: dependency.PerWindow{Per: time.Second}, ErrorRate: new(rng.Certain / 2), Tells: new(true),
				},
				{Windows: []dependency.Window{{From: seconds(480), To: clock.End}}, Tells: new(false)},
			},
		},
	}
	if got := s.Config(new(Policy), 0); !reflect.DeepEqual(got, want) {
		t.Errorf("config:\n%+v\nwant\n%+v", got, want)
	}
	if s.Seed != math.MaxUint64 || s.Replications != 3 {
		t.Errorf("seed %d, %d replications", s.Seed, s.Replications)
	}
	var outages []string
	for _, o := range s.Outages {
		outages = append(outages, o.Name)
	}
	if got := strings.Join(outages, " "); got != "main flap#1 flap#2 flap#3 tail" {
		t.Errorf("outages: %s", got)
	}
	var phases []string
	for _, p := range s.Phases {
		phases = append(phases, fmt.Sprintf("%s (%d): %s", p.Name, len(p.Windows), p.Changes))
	}
	told := []string{
		"brownout (1): error rate 25%, latency 2s, fails after 0s", "squeezed (2): capacity 5/m with bursts of 30",
		"crowded (1): capacity 20 calls at a time, servers at work", "served (1): capacity 2 servers of 10ms behind a queue of 50, latency 40ms and 2ms for each other call", "frozen (1): servers stalled", "closed (1): capacity 0/s, error rate 0.5, refused callers are told when to come back (for herd)", "quiet (1): refused callers are told nothing",
	}
	if !slices.Equal(phases, told) || s.Capacity != "2/100ms" {
		t.Errorf("capacity %s, phases %q, want %q", s.Capacity, phases, told)
	}
	const sentence = "a job every 1s (at most 600), then 10 jobs/s evenly for 5m (at most 100), then 600 jobs/m, then 1 job at 0s, and 7 more cohorts"
	const replay = "at 100s and every 5m, 100 at most, 50/s, attempts not reset"
	if s.Replay != replay {
		t.Errorf("replay: %s\nwant    %s", s.Replay, replay)
	}
	if s.Workload != sentence {
		t.Errorf("workload: %s\nwant      %s", s.Workload, sentence)
	}
	terms := []metrics.Term{{ID: "retries.peak", Window: time.Second, After: seconds(860)}, {ID: "retries.peak", Cohort: "herd"}, {ID: "calls.peak", After: seconds(100)}}
	if m := s.Metrics; m.Bin != 5*time.Second || m.Window != 100*time.Millisecond || !slices.Equal(m.Also, terms) {
		t.Errorf("metrics: %+v", m)
	}
}

func TestPolicies(t *testing.T) {
	two := policy.Fraction{Num: 2, Den: 1}
	fifth := policy.Fraction{Num: 1, Den: 5}
	five := policy.Fixed(5 * time.Second)
	rungs := []time.Duration{5 * time.Second, 5 * time.Minute}
	want := []Policy{
		{Name: "fixed", Policy: policy.New(five, policy.None{}), Budget: policy.Budget{Tries: 4}},
		{Name: "merged", Policy: policy.New(policy.Exponential(time.Second, two, time.Minute), policy.Equal{}), Budget: policy.Budget{Tries: policy.Unlimited}},
		{Name: "full", Label: "full jitter", Policy: policy.New(policy.Exponential(500*time.Millisecond, policy.Fraction{Num: 3, Den: 2}, 0), policy.Full{}), Budget: policy.Budget{Tries: 5}},
		{Name: "ladder", Policy: policy.New(policy.Ladder([]time.Duration{5 * time.Second, 5 * time.Minute, 0}), policy.Add{Hi: time.Second}), Budget: policy.Budget{Tries: 4}},
		{Name: "ratio", Policy: policy.New(five, policy.Ratio{Fraction: fifth}), Budget: policy.Budget{Tries: 2}},
		{Name: "up", Policy: policy.New(five, policy.Up{Fraction: fifth}), Budget: policy.Budget{Tries: 2}},
		{Name: "linear", Policy: policy.New(policy.Linear{First: 5 * time.Second}, policy.Down{Fraction: fifth}), Budget: policy.Budget{Tries: 2}},
		{Name: "power", Policy: policy.New(policy.Power{Unit: time.Second, Exponent: 4, Offset: 15 * time.Second, Shift: -1}, policy.Comb{Teeth: 30, Spacing: time.Second}), Budget: policy.Budget{Tries: 26}},
		{
			Name: "fibonacci", Policy: policy.New(policy.Fibonacci(time.Second), policy.Scale{Lo: policy.Fraction{Num: 3, Den: 4}, Hi: policy.Fraction{Num: 3, Den: 2}}),
			Budget: policy.Budget{Tries: 3, Elapsed: 24 * time.Hour},
		},
		{Name: "decorrelated", Policy: policy.Decorrelated(time.Second, time.Minute), Budget: policy.Budget{Tries: 10}},
		{
			Name: "memoryless", Policy: policy.Limit(policy.New(five, policy.Memoryless{}), policy.Limits{Least: time.Second, Most: time.Minute, Step: time.Second / 2}),
			Budget: policy.Budget{Tries: 2},
		},
		{Name: "stops", Policy: policy.New(policy.Ladder(rungs), policy.None{}), Budget: policy.Budget{Tries: 3}},
		{Name: "stops-first", Policy: policy.New(policy.Ladder(rungs), policy.None{}), Budget: policy.Budget{Tries: 3}},
		{Name: "goes-on", Policy: policy.New(policy.Ladder(append(rungs, time.Hour)), policy.None{}), Budget: policy.Budget{Tries: 9}},
		{Name: "to-the-end", Policy: policy.New(policy.LadderToEnd([]time.Duration{10 * time.Second, 30 * time.Second, time.Minute}, 5), policy.None{}), Budget: policy.Budget{Tries: 6}},
		{
			Name: "instants", Policy: policy.FromArrival(policy.Offsets([]time.Duration{0, 5 * time.Second, time.Hour}, time.Hour-5*time.Second), policy.Equal{}),
			Budget: policy.Budget{Tries: 9},
		},
		{Name: "hourly", Policy: policy.FromArrival(policy.Offsets(rungs[:1], time.Hour), policy.None{}), Budget: policy.Budget{Tries: policy.Unlimited}},
		{Name: "once", Budget: policy.Budget{Tries: 1}},
		{Name: "told", Policy: policy.Heed(policy.New(five, policy.None{}), 0), Budget: policy.Budget{Tries: 3}},
		{
			Name: "half-told", Policy: policy.Heed(policy.Limit(policy.New(five, policy.None{}), policy.Limits{Most: time.Minute}), time.Minute),
			Budget: policy.Budget{Tries: 3},
		},
		{
			Name: "patient", Policy: policy.New(five, policy.None{}), Budget: policy.Budget{Tries: 1},
			Discipline: engine.Discipline{
				Uncharged: engine.CauseSet(0).With(engine.Overload).With(engine.Timeout), NotRetryable: engine.CauseSet(0).With(engine.Poison),
			},
		},
	}
	nine := func(name string, d engine.Discipline) Policy {
		return Policy{Name: name, Policy: policy.New(five, policy.None{}), Budget: policy.Budget{Tries: 9}, Discipline: d}
	}
	half, tenth := policy.Fraction{Num: 1, Den: 2}, policy.Fraction{Num: 1, Den: 10}
	want = append(want,
		nine("refilled", engine.Discipline{RetryBudget: &engine.RetryBudget{Bucket: 100, Refill: clock.Rate{Count: 10, Per: time.Minute}, PerWorker: true}}),
		nine("credited", engine.Discipline{RetryBudget: &engine.RetryBudget{Bucket: 10, PerSuccess: tenth, Threshold: half, AtFire: true, Wait: true}}),
		nine("rationed", engine.Discipline{
			RetryBudget: &engine.RetryBudget{PerFirst: fifth, Reserve: clock.Rate{Count: 10, Per: time.Second}},
			Breaker:     &engine.BreakerRule{Failures: 5, Within: 10 * time.Second, Open: 30 * time.Second, Probes: 1},
		}),
		nine("capped", engine.Discipline{
			RetryBudget: &engine.RetryBudget{Bucket: 7, PerFirst: policy.Fraction{Num: 1, Den: 1}},
			Breaker:     &engine.BreakerRule{Failures: 2, Within: time.Minute, Open: time.Second, Probes: 3, PerWorker: true, AtSchedule: true},
		}),
		nine("nested", engine.Discipline{Layers: []engine.Layer{{Tries: 3, Policy: policy.New(five, policy.Full{})}, {Tries: 2}}}),
	)
	got := parsed(t, "testdata/right/everything.yaml", Overrides{}).Cases[0].Policies
	for i, w := range want {
		w.Label = cmp.Or(w.Label, w.Name)
		if !reflect.DeepEqual(got[i], w) {
			t.Errorf("policy %s:\n%+v\nwant\n%+v", w.Name, got[i], w)
		}
	}
	without := "runs without its own promotion of due retries: write `queue: preset` beside it to have it"
	bullmq, shorter, spread, mixed := got[len(want)], got[len(want)+1], got[len(want)+2], got[len(want)+3]
	if bullmq.World == nil || bullmq.World.Queue != (engine.Queue{Resolution: time.Millisecond, Visibility: 30 * time.Second, RenewLease: true, DeadlyStall: 2}) || len(bullmq.Notes) > 0 || bullmq.Budget.Tries != 10 {
		t.Errorf("bullmq: %+v", bullmq)
	}
	if shorter.World != nil || shorter.Budget.Tries != 4 || !slices.Equal(shorter.Notes, []string{"preset bullmq " + without}) {
		t.Errorf("shorter: %+v", shorter)
	}
	ratio := policy.New(policy.Fixed(time.Second), policy.Ratio{Fraction: fifth})
	if !reflect.DeepEqual(spread.Policy, policy.Limit(ratio, policy.Limits{Most: time.Second})) || spread.Budget.Tries != 4 {
		t.Errorf("spread: %+v", spread)
	}
	if !reflect.DeepEqual(mixed.Policy, policy.New(policy.Fixed(2*time.Second), policy.Full{})) || mixed.Budget.Tries != 3 {
		t.Errorf("mixed: %+v", mixed)
	}
	known, _ := preset.Lookup("bullmq")
	built, _ := known.Build(preset.Value{Kind: preset.Map, Map: []preset.Entry{{Key: "backoff", Value: preset.Value{Kind: preset.Scalar, Text: "1000"}}}})
	if !reflect.DeepEqual(shorter.Policy, built.Policy) {
		t.Errorf("shorter: %+v, want %+v", shorter.Policy, built.Policy)
	}
}

// What a field stands for when it is left out may be written.
func TestDefaults(t *testing.T) {
	f := parsed(t, "testdata/right/defaults.yaml", Overrides{})
	s := f.Cases[0].Scenario
	want := Scenario{
		Seed: 1, Replications: 1, Workload: "1 job at 0s",
		Base: engine.Config{
			Seed: 1, Stop: seconds(30 * 86400), Cohorts: []engine.Cohort{{Name: "herd", Count: 1}},
		},
		World: World{
			Queue: engine.Queue{Resolution: 1}, Dependency: dependency.Config{Capacity: dependency.PerWindow{Per: time.Second}},
			Capacity: "0/s",
		},
		Policies: []Policy{{Name: "once", Label: "once", Budget: policy.Budget{Tries: 1}}},
		Metrics:  Metrics{Window: time.Second},
	}
	if f.Name != "defaults" || !reflect.DeepEqual(s, want) {
		t.Errorf("%s:\n%+v\nwant\n%+v", f.Name, s, want)
	}
}

// The shipped scenarios are read without an error.
func TestShipped(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if f, list := Parse(name, data, Overrides{}); f == nil {
			t.Errorf("%s", rendered(t, list))
		}
	}
}

func TestWorkload(t *testing.T) {
	second := clock.Rate{Count: 10, Per: time.Second}
	for want, cohorts := range map[string][]engine.Cohort{
		"1000 jobs at 0s, then 10 jobs/s for 4m": {{Count: 1000}, {Pattern: engine.Poisson, Rate: second, For: 4 * time.Minute}},
		"500 jobs over 10s from 1m":              {{Pattern: engine.Spread, Count: 500, Interval: 10 * time.Second, At: seconds(60)}},
		"10 jobs/s evenly from 2s (at most 7)":   {{Pattern: engine.Constant, Rate: second, At: seconds(2), Count: 7}},
		"1 job at 0s, then 2 jobs at 1s":         {{Count: 2, At: seconds(1)}, {Count: 1}},
		"5 jobs at 99s":                          {{Count: 5, At: seconds(99)}, {Count: 7, At: seconds(100)}, {Pattern: engine.Poisson, Rate: second, At: seconds(200)}},
		"no jobs":                                {{Count: 7, At: seconds(100)}},
		"a job every 1.5s":                       {{Pattern: engine.Every, Interval: 1500 * time.Millisecond}},
		"2 jobs at listed instants from 3s (at most 9), due 90s later": {{Pattern: engine.Listed, At: seconds(3), Count: 9, Offsets: make([]engine.Offset, 2), Delay: 90 * time.Second}},
	} {
		if got := workload(cohorts, seconds(100)); got != want {
			t.Errorf("workload: %q, want %q", got, want)
		}
	}
}

func TestExpected(t *testing.T) {
	for i, c := range []struct {
		cohort engine.Cohort
		stop   clock.Time
		want   uint64
	}{
		{engine.Cohort{Count: 5}, seconds(1), 5},
		{engine.Cohort{Count: 5, At: seconds(1)}, seconds(1), 0},
		{engine.Cohort{Pattern: engine.Every, Interval: time.Second}, seconds(10), 10},
		{engine.Cohort{Pattern: engine.Every, Interval: time.Second, For: 1500 * time.Millisecond}, seconds(10), 2},
		{engine.Cohort{Pattern: engine.Constant, Rate: clock.Rate{Count: 3, Per: time.Second}, Count: 7}, seconds(10), 7},
		{engine.Cohort{Pattern: engine.Listed, Offsets: engine.InOrder([]time.Duration{9, 3, 2, 7}), For: 7}, seconds(10), 2},
		{engine.Cohort{Pattern: engine.Poisson, Rate: clock.Rate{Count: 3, Per: time.Second}}, seconds(10), 31},
		{engine.Cohort{Pattern: engine.Poisson, Rate: clock.Rate{Count: math.MaxInt64, Per: 1}}, clock.End, math.MaxUint64},
	} {
		if got := expected(c.cohort, c.stop); got != c.want {
			t.Errorf("%d: %d jobs, want %d", i, got, c.want)
		}
	}
	if got := sum(math.MaxUint64, 1); got != math.MaxUint64 {
		t.Errorf("sum wraps to %d", got)
	}
}

// What is written beside a preset takes away the notes and warnings that it makes false.
func TestNotesOfPresets(t *testing.T) {
	for beside, want := range map[string]string{
		"preset: bullmq, options: {backoff: 5}":                                                    "bullmq: attempts is 0 or 1, so a failed job is never retried and backoff is not used",
		"preset: bullmq, options: {backoff: 5}, delay: {fixed: 1s}":                                "bullmq: attempts is 0 or 1, so a failed job is never retried and backoff is not used",
		"preset: bullmq, options: {backoff: 5}, max_attempts: 4":                                   "",
		"preset: bullmq, options: {backoff: 5}, max_retries: 3":                                    "",
		"preset: flexiq, options: {max_retries: 1, retry_delays: [1, 2]}":                          "flexiq: max_retries 1 uses only the first 1 of 2 retry_delays",
		"preset: flexiq, options: {max_retries: 1, retry_delays: [1, 2]}, delay: {fixed: 1s}":      "",
		"preset: flexiq, options: {max_retries: 1, retry_delays: [1, 2]}, max_retries: 2":          "",
		"preset: echomq, options: {policy: {exponential: [60000, 1000]}}":                          "cap 1000 is below base 60000: every wait is 1000 ms",
		"preset: echomq, options: {policy: {exponential: [60000, 1000]}}, delay: {fixed: 1s}":      "",
		"preset: echomq, options: {policy: {exponential: [60000, 1000]}}, max_attempts: unlimited": "cap 1000 is below base 60000: every wait is 1000 ms",
	} {
		f, list := Parse("f.yaml", []byte("version: 1\ncohorts: {h: {count: 1}}\npolicies: {p: {queue: preset, "+beside+"}}\n"), Overrides{})
		if f == nil {
			t.Fatalf("%s: %s", beside, rendered(t, list))
		}
		notes := slices.Clone(f.Cases[0].Policies[0].Notes)
		for _, d := range list {
			notes = append(notes, d.Message)
		}
		if got := strings.Join(notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", beside, got, want)
		}
	}
}
