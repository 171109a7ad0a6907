package engine

import (
	"testing"

	"herdsim/sim/policy"
	"herdsim/sim/schedule"
)

// A tenth of a token a success is a token after ten, not after eleven; and half of seven is more than three.
func TestPartsOfTokens(t *testing.T) {
	var pool schedule.Pool
	p := newPurse(RetryBudget{Bucket: 7, PerSuccess: policy.Fraction{Num: 1, Den: 10}, Threshold: policy.Fraction{Num: 1, Den: 2}}, &pool)
	for range 4 {
		p.failed()
	}
	for n := 1; n <= 6; n++ {
		if p.succeeded(); p.has(0) != (n == 6) { // 3.1, … 3.5, 3.6
			t.Errorf("3.%d of 7 tokens: has a retry: %v", n, p.has(0))
		}
	}
	for range 9 {
		p.failed()
	}
	for n := 1; n <= 10; n++ {
		if p.succeeded(); (p.main.Tokens == 1) != (n == 10) {
			t.Errorf("after %d successes: %d tokens", n, p.main.Tokens)
		}
	}
}
