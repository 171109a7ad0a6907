package metrics

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
)

// randomRun is a run of jobs that arrive and end at random, its steps spread so that it lasts about `last`.
func randomRun(rng *rand.Rand, jobs int, last clock.Time) []engine.Event {
	var events []engine.Event
	for job := range jobs {
		arrived := clock.Time(rng.Int64N(int64(last)/2 + 1))
		at, e := arrived, engine.Event{Job: uint32(job), Cohort: uint16(rng.IntN(2))}
		add := func(kind engine.Kind, at, ref clock.Time, attempt uint32) {
			e.Kind, e.At, e.Ref, e.Attempt = kind, at, ref, attempt
			events = append(events, e)
		}
		add(engine.Arrived, at, 0, 0)
		for attempt := uint32(1); ; attempt++ {
			since := at
			at += clock.Time(rng.Int64N(3) * rng.Int64N(int64(last)/20+1))
			add(engine.Began, at, since, attempt)
			if rng.IntN(6) == 0 {
				add(engine.Succeeded, at, arrived, attempt)
				break
			}
			e.Cause = engine.Cause(1 + rng.IntN(int(engine.Crash)))
			if attempt == 9 {
				e.Reason = engine.Exhausted
				add(engine.Died, at, arrived, attempt)
				break
			}
			due := at + clock.Time(rng.Int64N(int64(last)/20+1))
			add(engine.Failed, at, due, attempt)
			at = due + clock.Time(rng.Int64N(2)*rng.Int64N(int64(last)/90+1))
			add(engine.Promoted, at, due, attempt+1)
		}
	}
	slices.SortStableFunc(events, func(a, b engine.Event) int { return int(min(1, max(-1, a.At-b.At))) })
	return events
}

// slowSeries puts each event into its bin.
func slowSeries(events []engine.Event, bin time.Duration, n int) Series {
	s := (&bins{width: uint64(bin), marks: make([]mark, n)}).series()
	for _, e := range events {
		k := int(e.At / clock.Time(bin))
		switch e.Kind {
		case engine.Arrived:
			raise(s.Backlog[k:], 1)
		case engine.Began:
			s.Calls[k]++
			if e.Attempt > 1 {
				s.Retries[k]++
			}
		case engine.Succeeded:
			s.Succeeded[k]++
			raise(s.Backlog[k:], -1)
		case engine.Died:
			s.Failed[k]++
			s.Dead[k]++
			raise(s.Backlog[k:], -1)
		case engine.Failed:
			s.Failed[k]++
		case engine.Promoted:
		}
	}
	return s
}

func raise(levels []int64, by int64) {
	for i := range levels {
		levels[i] += by
	}
}

func TestDoublingIsDirectBinning(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	const second = clock.Time(time.Second)
	for _, last := range []clock.Time{second / 2, 90 * second, 4096 * second, 5000 * second, 20_000 * second, 3_000_000 * second} {
		events := randomRun(rng, 60, last)
		end := events[len(events)-1].At
		got := record(t, Spec{Window: time.Second}, events, end).Series
		bin := time.Second
		for end/clock.Time(bin) >= 4096 {
			bin *= 2
		}
		if want := slowSeries(events, bin, int(end/clock.Time(bin))+1); !reflect.DeepEqual(got, want) {
			t.Errorf("bins of %v until %v differ from direct ones of %v", got.Bin, time.Duration(end), bin)
		}
		fixed := record(t, Spec{Window: time.Second, Bin: bin}, events, end).Series
		if !reflect.DeepEqual(got, fixed) {
			t.Errorf("automatic bins differ from the same bins asked for, %v", bin)
		}
		coarse := fixed.Coarsen(3 * bin)
		if want := slowSeries(events, 3*bin, int(end/clock.Time(3*bin))+1); !reflect.DeepEqual(coarse, want) {
			t.Errorf("bins of %v merged by three differ from direct ones", bin)
		}
	}
}

// Bins cover the run to its end, whether or not an event is there, and an event at the end has its bin.
func TestBinsCoverTheRun(t *testing.T) {
	var s story
	s.arrive(500, 0, herd)
	s.begin(2000, 0, 0, 1, herd)
	for _, c := range []struct {
		end  clock.Time
		bins int
	}{
		{ms(2000), 3}, {ms(2001), 3}, {ms(3000), 3}, {ms(3001), 4}, {ms(4096 * 1000), 4096}, {ms(4096*1000 + 1), 2049},
	} {
		series := record(t, storySpec(), s, c.end).Series
		if len(series.Calls) != c.bins {
			t.Errorf("%d bins to %v, want %d", len(series.Calls), time.Duration(c.end), c.bins)
		}
		if series.Backlog[len(series.Backlog)-1] != 1 {
			t.Errorf("backlog at %v is %d, want 1", time.Duration(c.end), series.Backlog[len(series.Backlog)-1])
		}
	}
	if series := record(t, storySpec(), s, clock.End).Series; len(series.Calls) > 4096 || len(series.Calls) < 2048 {
		t.Errorf("%d bins to the end of time", len(series.Calls))
	}
}

func TestTooManyBins(t *testing.T) {
	var s story
	s.arrive(0, 0, herd)
	s.begin(99_999, 0, 0, 1, herd)
	spec := Spec{Window: time.Second, Bin: time.Millisecond}
	if got := len(record(t, spec, s, ms(100_000)).Series.Calls); got != 100_000 {
		t.Errorf("%d bins, want 100000", got)
	}
	r := NewRecorder(spec)
	if err := r.Observe(s); err != nil {
		t.Fatal(err)
	}
	var tooMany *BinError
	if _, err := r.Finish(ms(100_001)); !errors.As(err, &tooMany) || tooMany.Bin != time.Millisecond || tooMany.Reached != ms(100_001) {
		t.Errorf("finish beyond the limit: %v", err)
	}
	s.arrive(100_000, 1, herd)
	err := NewRecorder(spec).Observe(s)
	if !errors.As(err, &tooMany) || tooMany.Error() != "bins of 1ms would be more than 100000 by 1m40s" {
		t.Errorf("event beyond the limit: %v", err)
	}
}

func TestCoarsenRefusesOtherBins(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("bins of 2s merged into bins of 3s")
		}
	}()
	Series{Bin: 2 * time.Second}.Coarsen(3 * time.Second)
}
