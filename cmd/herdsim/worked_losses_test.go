package main

import "testing"

func TestCrashMidBackoff(t *testing.T) {
	r := simulated(t, "crash-mid-backoff")
	for n, c := range []struct{ succeeded, unfinished, at, calls string }{
		{"100", "0", "60", "200"}, {"0", "100", "", "100"}, {"100", "0", "90", "200"},
	} {
		p := policyOf(t, r, n, "minute")
		exactly(t, p, "jobs.succeeded", c.succeeded)
		exactly(t, p, "jobs.unfinished", c.unfinished)
		exactly(t, p, "success.first_at", c.at)
		exactly(t, p, "success.last_at", c.at)
		exactly(t, p, "calls.total", c.calls)
		exactly(t, p, "calls.duplicate", "0")
		exactly(t, p, "calls.cause.crash", "0")
	}
}

func TestDuplicates(t *testing.T) {
	r := simulated(t, "duplicates")
	for n, calls := range []struct{ total, duplicate string }{{"200", "100"}, {"100", "0"}} {
		p := policyOf(t, r, n, "once")
		exactly(t, p, "calls.total", calls.total)
		exactly(t, p, "calls.first", calls.total)
		exactly(t, p, "calls.duplicate", calls.duplicate)
		exactly(t, p, "jobs.succeeded", "100")
		exactly(t, p, "success.first_at", "7102")
		exactly(t, p, "latency.max", "7102")
	}
}

// Jobs of 45 s under leases of 30 s.
func TestLeaseTooShort(t *testing.T) {
	r := simulated(t, "lease-too-short")
	for n, c := range []struct{ succeeded, calls, duplicate, timeout string }{
		{"100", "200", "100", "0"}, {"0", "300", "0", "300"}, {"100", "100", "0", "0"},
	} {
		p := policyOf(t, r, n, "three")
		exactly(t, p, "jobs.succeeded", c.succeeded)
		exactly(t, p, "calls.total", c.calls)
		exactly(t, p, "calls.duplicate", c.duplicate)
		exactly(t, p, "calls.cause.timeout", c.timeout)
	}
}

func TestKeys(t *testing.T) {
	r := simulated(t, "keys")
	for n, c := range []struct{ wait, last string }{{"100", "100"}, {"0", "400"}} {
		p := policyOf(t, r, n, "once")
		exactly(t, p, "fresh.wait.max(cohort=others)", c.wait)
		exactly(t, p, "success.last_at(cohort=slow)", c.last)
	}
}

// Eight of forty jobs run when all workers crash at 25 s.
func TestWorkerCrash(t *testing.T) {
	r := simulated(t, "worker-crash")
	for _, c := range []struct{ policy, unfinished, crash, last string }{
		{"no-lease", "8", "0", "50"}, {"echomq", "0", "8", "60"}, {"flexiq", "0", "8", "65"}, {"bullmq", "0", "8", "65"},
	} {
		p := policyOf(t, r, 0, c.policy)
		exactly(t, p, "jobs.unfinished", c.unfinished)
		exactly(t, p, "calls.cause.crash", c.crash)
		exactly(t, p, "success.last_at", c.last)
	}
}

// A worker that is killed at 10 s, 50 s and 90 s under a lease that ends 30 s later: three beginnings are lost, the fourth ends
// at 120 s + 100 s.
func TestStalls(t *testing.T) {
	r := simulated(t, "stalls", "--metric", "dead.reason.stalled", "--metric", "dead.reason.exhausted")
	for name, want := range map[string][4]string{ // calls, stalled, exhausted, the end
		"attempts": {"3", "0", "1", "120"},
		"nothing":  {"4", "0", "0", "220"},
		"counted":  {"2", "1", "0", "80"},
		"bullmq":   {"2", "1", "0", "80"},
		"more":     {"4", "0", "0", "220"},
	} {
		p := policyOf(t, r, 0, name)
		exactly(t, p, "calls.total", want[0])
		exactly(t, p, "dead.reason.stalled", want[1])
		exactly(t, p, "dead.reason.exhausted", want[2])
		exactly(t, p, "retries.drained_at", want[3])
	}
}
