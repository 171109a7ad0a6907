package policy

import (
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/rng"
)

// Heed returns the policy that waits as p does, but until the hint of a refused call at least, as far as that is not longer than
// most; 0 stands for any.
func Heed(p Policy, most time.Duration) Policy {
	mustPrice("longest wait", most)
	if most == 0 {
		most = clock.Longest
	}
	return heeding{p, most}
}

// Heeds reports whether a policy is one that Heed returned.
func Heeds(p Policy) bool {
	_, ok := p.(heeding)
	return ok
}

type heeding struct {
	within Policy
	most   time.Duration
}

// Wait raises the other policy's wait to the hint.
func (p heeding) Wait(f Failure, draw *rng.Draw) time.Duration {
	return max(p.within.Wait(f, draw), min(f.Hint, p.most))
}

// Law is that of the policy within, which waits as long as a failure without a hint asks.
func (p heeding) Law(f Failure) Law {
	if within, ok := p.within.(Foreseeable); ok {
		return within.Law(f)
	}
	return nil
}

// Price is that of the policy within; it means nothing where Law has no answer.
func (p heeding) Price(f Failure) (wait, uncapped time.Duration) {
	if within, ok := p.within.(Foreseeable); ok {
		return within.Price(f)
	}
	return 0, 0
}
