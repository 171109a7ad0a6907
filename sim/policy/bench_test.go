package policy

import (
	"fmt"
	"testing"
	"time"

	"herdsim/sim/rng"
)

func BenchmarkWait(b *testing.B) {
	curve := Exponential(time.Second, Fraction{2, 1}, time.Minute)
	for _, c := range []struct {
		name   string
		jitter Jitter
	}{{"none", None{}}, {"full", Full{}}, {"equal", Equal{}}, {"add", Add{0, time.Second}}, {"ratio", Ratio{Fraction{1, 5}}}, {"up", Up{Fraction{1, 5}}}, {"scale", Scale{Fraction{3, 4}, Fraction{3, 2}}}, {"memoryless", Memoryless{}}} {
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

// BenchmarkDecorrelated is the price of a wait by the number of attempts before, with a cap and without.
func BenchmarkDecorrelated(b *testing.B) {
	for _, cap := range []time.Duration{time.Minute, time.Hour, 0} {
		for _, n := range []int{1, 10, 100, 1_000_000} {
			b.Run(fmt.Sprintf("cap=%v/n=%d", cap, n), func(b *testing.B) {
				p, s := Decorrelated(time.Second, cap), rng.NewStream(42, 0)
				var draw rng.Draw
				b.ReportAllocs()
				i := uint64(0)
				for b.Loop() {
					draw = s.Draw(rng.Jitter, 0, i, uint64(n))
					p.Wait(Failure{Number: n}, &draw)
					i++
				}
			})
		}
	}
}
