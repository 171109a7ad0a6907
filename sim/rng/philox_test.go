package rng

import "testing"

func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		key  [2]uint64
		ctr  [4]uint64
		want [4]uint64
	}{
		{[2]uint64{0, 0}, [4]uint64{0, 0, 0, 0}, [4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
		{[2]uint64{42, 5}, [4]uint64{7, 3, 2, 0}, [4]uint64{0x9ce6c224c1374936, 0x87e707c79eb63898, 0x2e93e13fce47ac5b, 0x96f6be012d0cbff3}},
	} {
		keys := newSchedule(c.key[0], c.key[1])
		got := c.ctr
		for i := 0; i < len(keys); i += 2 {
			got[0], got[1], got[2], got[3] = round(got[0], got[1], got[2], got[3], keys[i], keys[i+1])
		}
		if got != c.want {
			t.Errorf("key %v counter %v: got %x, want %x", c.key, c.ctr, got, c.want)
		}
		if w := keys.word(c.ctr[0], c.ctr[1], c.ctr[2], c.ctr[3]); w != c.want[0] {
			t.Errorf("key %v counter %v: word 0 is %x, want %x", c.key, c.ctr, w, c.want[0])
		}
	}
}

func BenchmarkBelow(b *testing.B) {
	s := NewStream(42, 0)
	var sum uint64
	for i := range b.N {
		d := s.Draw(Jitter, 0, uint64(i), 1)
		sum += d.Below(1e9)
	}
	sink = sum
}

var sink uint64
