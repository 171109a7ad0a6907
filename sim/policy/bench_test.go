package policy

import (
	"testing"
	"time"

	"herdsim/sim/rng"
)

func BenchmarkWait(b *testing.B) {
	curve := Exponential(time.Second, Fraction{2, 1}, time.Minute)
	for _, c := range []struct {
		name   string
		jitter Jitter
	}{{"none", None{}}, {"full", Full{}}, {"equal", Equal{}}, {"add", Add{0, time.Second}}, {"ratio", Ratio{Fraction{1, 5}}}, {"up", Up{Fraction{1, 5}}}} {
		b.Run(c.name, func(b *testing.B) {
			p, s := New(curve, c.jitter), rng.NewStream(42, 0)
			var draw rng.Draw
			b.ReportAllocs()
			i := uint64(0)
			for b.Loop() {
				draw = s.Draw(rng.Jitter, 0, i>>3, i&7)
				p.Wait(Failure{Charged: int(i & 7)}, &draw)
				i++
			}
		})
	}
}
