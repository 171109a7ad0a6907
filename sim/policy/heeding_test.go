package policy

import (
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

func TestHeed(t *testing.T) {
	own := Limit(New(Fixed(10*time.Second), None{}), Limits{Most: time.Minute, Step: 4 * time.Second}) // 8 s
	for _, c := range []struct {
		name             string
		most, hint, want time.Duration
	}{
		{"no hint", 0, 0, 8 * time.Second},
		{"a shorter hint", 0, time.Second, 8 * time.Second},
		{"a longer hint, which no step cuts", 0, 9 * time.Second, 9 * time.Second},
		{"beyond the longest wait", 0, time.Hour, time.Hour},
		{"clamped", time.Minute, time.Hour, time.Minute},
		{"clamped to less than the own wait", time.Second, time.Hour, 8 * time.Second},
		{"the longest", 0, clock.Longest, clock.Longest},
	} {
		draw := rng.NewStream(1, 0).Draw(rng.Jitter, 0, 0, 1)
		if got := Heed(own, c.most).Wait(Failure{Number: 1, Hint: c.hint}, &draw); got != c.want {
			t.Errorf("%s: waits %v, want %v", c.name, got, c.want)
		}
	}
	if Heeds(own) || !Heeds(Heed(own, 0)) {
		t.Error("who heeds hints and who does not is told wrongly")
	}
}
