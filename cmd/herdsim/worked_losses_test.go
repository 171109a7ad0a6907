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
