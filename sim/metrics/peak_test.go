package metrics

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"herdsim/sim/clock"
)

// slowPeak tries every window that could be the fullest: those that start at a multiple of the step at or before some
// event.
func slowPeak(times []clock.Time, window time.Duration) peakFacts {
	step := max(1, window/1000)
	best := peakFacts{window: window}
	if len(times) == 0 {
		return best
	}
	for s := clock.Time(0); s <= times[len(times)-1]; s = s.Add(step) {
		from, _ := slices.BinarySearch(times, s)
		to, _ := slices.BinarySearch(times, s.Add(window))
		if n := uint64(to - from); n > best.count {
			best.count, best.at = n, times[from]
		}
	}
	return best
}

// randomTimes are clustered: several at one instant, runs close together, and gaps of about a window.
func randomTimes(rng *rand.Rand, n int, window time.Duration) []clock.Time {
	step := int64(max(1, window/1000))
	var times []clock.Time
	at := rng.Int64N(2 * int64(window))
	for range n {
		switch rng.IntN(8) {
		case 0:
			at += rng.Int64N(int64(window) + 1)
		case 1, 2:
			at += rng.Int64N(3*step + 1)
		case 3:
			at += int64(window) - rng.Int64N(step+1)
		case 4, 5:
			at += rng.Int64N(int64(window)/10 + 1)
		}
		times = append(times, clock.Time(at))
	}
	return times
}

func TestPeakAgainstEveryWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	windows := []time.Duration{
		1, 2, 3, 7, 100, 999, 1000, 1001, 1500, 1999, 2000, 2001, 2500, 2999, 12_345, 100_000, 1_234_567,
		time.Millisecond, 100 * time.Millisecond, time.Second, time.Second + 1, time.Minute,
	}
	for _, window := range windows {
		for range 12 {
			times := randomTimes(rng, 1+rng.IntN(30), window)
			p := newPeak(window)
			for _, at := range times {
				p.add(at)
			}
			if got, want := p.facts(), slowPeak(times, window); got != want {
				t.Fatalf("window %d over %v: %d at %d, want %d at %d", window, times, got.count, got.at, want.count, want.at)
			}
		}
	}
}

// However long the run, only the slots of one window are held.
func TestPeakMemory(t *testing.T) {
	for _, window := range []time.Duration{1999, time.Second} {
		p := newPeak(window)
		for i := range clock.Time(100_000) {
			p.add(i * clock.Time(p.step))
		}
		if len(p.ring) > 2048 {
			t.Errorf("window %v holds %d slots", window, len(p.ring))
		}
	}
}

func TestPeakAtTheEndOfTime(t *testing.T) {
	p := newPeak(time.Second)
	p.add(3)
	for range 5 {
		p.add(clock.End - 10)
		p.add(clock.End - 10)
	}
	for range 5 {
		p.add(clock.End)
	}
	if got, want := p.facts(), (peakFacts{count: 15, at: clock.End - 10, window: time.Second}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if len(p.ring) > 4 {
		t.Errorf("%d slots held for one", len(p.ring))
	}
}
