package clock

import (
	"math"
	"testing"
	"time"
)

func TestAddSaturates(t *testing.T) {
	for _, c := range []struct {
		at   Time
		d    time.Duration
		want Time
	}{
		{0, 0, 0},
		{5, 7, 12},
		{End - 1, 1, End},
		{End, 1, End},
		{End - 5, Longest, End},
		{Time(Longest), Longest, End},
		{1, math.MaxInt64, End},
		{Time(Longest) - 1, Longest, End},
	} {
		if got := c.at.Add(c.d); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.at, c.d, got, c.want)
		}
	}
}

func TestSpansSaturate(t *testing.T) {
	for _, c := range []struct {
		a, b, want time.Duration
	}{{0, 0, 0}, {5, 7, 12}, {Longest - 1, Longest, math.MaxInt64}, {Longest, Longest, math.MaxInt64}, {1, math.MaxInt64, math.MaxInt64}} {
		if got := Plus(c.a, c.b); got != c.want {
			t.Errorf("%d plus %d is %d, want %d", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		d    time.Duration
		n    uint64
		want time.Duration
	}{{0, math.MaxUint64, 0}, {7, 0, 0}, {7, 6, 42}, {Longest / 2, 2, Longest}, {Longest/2 + 1, 2, Longest}, {2, 1 << 63, Longest}, {math.MaxInt64, 1, Longest}} {
		if got := Times(c.d, c.n); got != c.want {
			t.Errorf("%d times %d is %d, want %d", c.d, c.n, got, c.want)
		}
	}
}

func TestFloor(t *testing.T) {
	for _, c := range []struct {
		at   Time
		step time.Duration
		want Time
	}{{0, 5, 0}, {4, 5, 0}, {5, 5, 5}, {14, 5, 10}, {End, 1, End}, {7, Longest, 0}} {
		if got := c.at.Floor(c.step); got != c.want {
			t.Errorf("%d floored to %d is %d, want %d", c.at, c.step, got, c.want)
		}
	}
}

func TestRateOffset(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		k    uint64
		want time.Duration
	}{
		{Rate{10, time.Second}, 0, 0},
		{Rate{10, time.Second}, 3, 300 * time.Millisecond},
		{Rate{3, time.Second}, 1, 333_333_333},
		{Rate{3, time.Second}, 3, time.Second}, // no rounding adds up
		{Rate{1, time.Hour}, 1 << 40, Longest},
		{Rate{1_000_000_000, time.Second}, 1 << 32, 1 << 32},
		{Rate{1, 1}, math.MaxUint64, Longest},
	} {
		if got := c.rate.Offset(c.k); got != c.want {
			t.Errorf("%v.Offset(%d) = %d, want %d", c.rate, c.k, got, c.want)
		}
	}
}
