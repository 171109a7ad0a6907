package main

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"herdsim/sim/report"
	"herdsim/sim/result"
)

// simulated runs a shipped scenario through the command and reads the JSON that it prints.
func simulated(t *testing.T, name string, flags ...string) *result.Result {
	t.Helper()
	a, stdout, stderr := fake("")
	args := append([]string{"run", "../../scenarios/" + name + ".yaml", "--json", "--no-series", "-q"}, flags...)
	if code := a.run(context.Background(), args); code != exitDone {
		t.Fatalf("%s: exit code %d\n%s", name, code, stderr)
	}
	r, err := report.ReadJSON(strings.NewReader(stdout.String()))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// policyOf returns what a policy did in the n-th case.
func policyOf(t *testing.T, r *result.Result, n int, name string) *result.Policy {
	t.Helper()
	i := slices.IndexFunc(r.Cases[n].Policies, func(p result.Policy) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no policy %s", name)
	}
	return &r.Cases[n].Policies[i]
}

// exactly asserts a metric that has one value whatever the seed; "" wants it absent.
func exactly(t *testing.T, p *result.Policy, metric, want string) {
	t.Helper()
	m, ok := p.Metrics[metric]
	switch {
	case !ok && want != "":
		t.Errorf("%s: %s is absent, want %s", p.Name, metric, want)
	case ok && (m.Mean.String() != want || m.Min != m.Max):
		t.Errorf("%s: %s is %s (%s to %s), want exactly %q", p.Name, metric, m.Mean, m.Min, m.Max, want)
	}
}

// within asserts that every replication's value of a metric lies in [from, to].
func within(t *testing.T, p *result.Policy, metric string, from, to float64) {
	t.Helper()
	m, ok := p.Metrics[metric]
	if !ok || m.Min.Float() < from || m.Max.Float() > to {
		t.Errorf("%s: %s is %s to %s, want within %g to %g", p.Name, metric, m.Min, m.Max, from, to)
	}
}

// lawful asserts that the mean over replications is want, within four standard errors of the mean.
func lawful(t *testing.T, p *result.Policy, metric string, want float64) {
	t.Helper()
	m, ok := p.Metrics[metric]
	if !ok || len(m.Values) < 10 {
		t.Fatalf("%s: %s: %d values are too few", p.Name, metric, len(m.Values))
	}
	var squares float64
	for _, v := range m.Values {
		d := v.Float() - m.Mean.Float()
		squares += d * d
	}
	n := float64(len(m.Values))
	se := math.Sqrt(squares / (n - 1) / n)
	if d := m.Mean.Float() - want; math.Abs(d) > 4*se || se > 0.05*want {
		t.Errorf("%s: %s is %s, want %g: %.1f standard errors of %.3g away", p.Name, metric, m.Mean, want, d/se, se)
	}
}

func TestWebhookLadder(t *testing.T) {
	r := simulated(t, "webhook-ladder")
	instants := []string{"5", "305", "2105", "9305", "27305", "63305", "99305"}
	for n, c := range []struct {
		tries   int
		success string
		lag     string
	}{
		{5, "9305", "5705"}, {6, "27305", "16505"}, {7, "63305", "34505"}, {8, "99305", "27305"}, {8, "", ""},
	} {
		p := policyOf(t, r, n, "ladder")
		exactly(t, p, "success.first_at", c.success)
		exactly(t, p, "recovery.lag", c.lag)
		if len(p.Retries) != c.tries-1 {
			t.Fatalf("case %d: %d retries, want %d", n, len(p.Retries), c.tries-1)
		}
		for k, row := range p.Retries {
			if row.First.String() != instants[k] || row.Last != row.First {
				t.Errorf("case %d: retry %d at %s to %s, want %s", n, k+1, row.First, row.Last, instants[k])
			}
		}
	}
	exactly(t, policyOf(t, r, 4, "ladder"), "jobs.dead", "1")
}

func TestCapAndRecovery(t *testing.T) {
	r := simulated(t, "cap-and-recovery")
	for _, c := range []struct{ policy, success, lag, calls string }{
		{"cap-24h", "1275", "315", "9"}, {"cap-300s", "1215", "255", "10"}, {"cap-60s", "975", "15", "20"},
	} {
		p := policyOf(t, r, 0, c.policy)
		exactly(t, p, "success.last_at", c.success)
		exactly(t, p, "recovery.lag", c.lag)
		exactly(t, p, "calls.total", c.calls)
	}
}

func TestHerd60s(t *testing.T) {
	r := simulated(t, "herd-60s")
	fixed := policyOf(t, r, 0, "fixed")
	exactly(t, fixed, "retries.peak", "1000")
	exactly(t, fixed, "retries.peak_at", "60")
	exactly(t, fixed, "success.last_at", "600")
	exactly(t, fixed, "calls.total", "6500")
	up := policyOf(t, r, 0, "fixed-up")
	within(t, up, "retries.peak", 95, 126)
	within(t, up, "success.last_at", 71.9, 144)
	within(t, up, "calls.total", 2000, 2025)
	exactly(t, policyOf(t, r, 0, "exponential"), "success.last_at", "18180")
	for _, full := range []string{"fixed-full", "exponential-full"} {
		exactly(t, policyOf(t, r, 0, full), "jobs.succeeded", "1000")
		within(t, policyOf(t, r, 0, full), "retries.peak(after=60s)", 1, 100)
	}
}

func TestLadderOscillation(t *testing.T) {
	r := simulated(t, "ladder-oscillation")
	none := policyOf(t, r, 0, "none")
	exactly(t, none, "calls.first", "193")
	exactly(t, none, "calls.total", "746")
	exactly(t, none, "success.last_at", "5700")
	exactly(t, none, "jobs.succeeded", "193")
	exactly(t, none, "calls.cause.overload", "553")
	waves := []struct{ at, jobs string }{{"300", "163"}, {"900", "138"}, {"2100", "108"}, {"3300", "78"}, {"4500", "48"}, {"5700", "18"}}
	if len(none.Retries) != len(waves) {
		t.Fatalf("%d waves of retries, want %d", len(none.Retries), len(waves))
	}
	for k, want := range waves {
		if row := none.Retries[k]; row.Count.String() != want.jobs || row.First.String() != want.at || row.Last != row.First {
			t.Errorf("retry %d: %s jobs at %s to %s, want %s at %s", k+1, row.Count, row.First, row.Last, want.jobs, want.at)
		}
	}
	scaled := policyOf(t, r, 0, "scaled")
	within(t, scaled, "success.last_at", 2740, 3130)
	within(t, scaled, "calls.total", 533, 543)
}

func TestRateLimitRelease(t *testing.T) {
	r := simulated(t, "rate-limit-release")
	charged, uncharged := policyOf(t, r, 0, "charged"), policyOf(t, r, 0, "uncharged")
	exactly(t, charged, "jobs.succeeded", "10")
	exactly(t, charged, "jobs.dead", "90")
	exactly(t, charged, "dead.first_at", "20")
	exactly(t, charged, "dead.last_at", "20")
	exactly(t, charged, "calls.total", "280")
	exactly(t, charged, "calls.cause.overload", "270")
	exactly(t, uncharged, "jobs.succeeded", "100")
	exactly(t, uncharged, "success.last_at", "540")
	exactly(t, uncharged, "calls.total", "2800")
	exactly(t, uncharged, "attempts.max", "55")
}

// Poison dies of poison alone once the service is back, and of nothing less than its ten attempts.
func TestBrownout(t *testing.T) {
	r := simulated(t, "brownout", "--metric", "jobs.dead(cohort=poison)", "--metric", "calls.total(cohort=poison)",
		"--metric", "calls.cause.error(before=30s)", "--metric", "calls.cause.error(after=92s)", "--metric", "calls.cause.poison(cohort=herd)")
	for _, name := range []string{"exponential", "equal", "full"} {
		p := policyOf(t, r, 0, name)
		exactly(t, p, "jobs.dead(cohort=poison)", "5")
		exactly(t, p, "calls.total(cohort=poison)", "50")
		exactly(t, p, "calls.cause.error(before=30s)", "0")
		exactly(t, p, "calls.cause.error(after=92s)", "0") // a call that begins by 90 s ends within 1 s
		exactly(t, p, "calls.cause.poison(cohort=herd)", "0")
		within(t, p, "calls.cause.error", 1, 1000)
	}
}

func TestPollerUndoesJitter(t *testing.T) {
	r := simulated(t, "poller-undoes-jitter")
	for n, share := range []float64{0.802734, 0.775391, 0.732239, 0.656250, 0.5, 0.125} {
		lawful(t, policyOf(t, r, n, "full"), "jobs.dead", 2000*share)
	}
	exactly(t, policyOf(t, r, 6, "full"), "jobs.dead", "0")
	exactly(t, policyOf(t, r, 4, "full"), "retries.instants(retry=1)", "1")
	if p := policyOf(t, r, 4, "full").Retries[0]; p.First.String() != "1" || p.Last.String() != "1" {
		t.Errorf("with a sweep a second the first retries come at %s to %s, want all at 1", p.First, p.Last)
	}
}

func TestSweepBatch(t *testing.T) {
	r := simulated(t, "sweep-batch")
	drained, batched := policyOf(t, r, 0, "fixed"), policyOf(t, r, 1, "fixed")
	exactly(t, drained, "success.first_at", "5")
	exactly(t, drained, "success.last_at", "5")
	exactly(t, batched, "success.first_at", "5")
	exactly(t, batched, "success.last_at", "250")
	if row := batched.Retries[0]; row.Mean.String() != "127.5" || row.Count.String() != "5000" {
		t.Errorf("%s retries at %s on average, want 5000 at 127.5", row.Count, row.Mean)
	}
}

// The promotion of the n-th job ends 6 ms · n after the sweep starts, at 10 s.
func TestRetriesBeforeScheduled(t *testing.T) {
	r := simulated(t, "retries-before-scheduled")
	for n, want := range []struct{ scheduled, retries string }{{"610.006", "610"}, {"10.006", "610.006"}} {
		fixed := policyOf(t, r, n, "fixed")
		exactly(t, fixed, "success.first_at(cohort=scheduled)", want.scheduled)
		exactly(t, fixed, "success.last_at(cohort=herd)", want.retries)
	}
}

func TestPollers(t *testing.T) {
	r := simulated(t, "pollers")
	for n, pollers := range []float64{1, 2, 5, 10} {
		lawful(t, policyOf(t, r, n, "once"), "promotion.lag.mean", 50/(2*pollers+1))
	}
}

// The hundred first calls fail by tens at 0.1 s, 0.2 s, … 1 s, and their retries are due a second later. Of those 1.1 s to 2 s the
// pump promotes at 2 s; the workers have nothing else to do only when the other 2900 jobs are done, ten each 0.1 s, at 30 s.
func TestBusyConsumers(t *testing.T) {
	r := simulated(t, "busy-consumers")
	for n, want := range []struct{ mean, most, drained string }{{"0.45", "0.9", "3"}, {"28.45", "28.9", "31"}} {
		fixed := policyOf(t, r, n, "fixed")
		exactly(t, fixed, "promotion.lag.mean", want.mean)
		exactly(t, fixed, "promotion.lag.max", want.most)
		exactly(t, fixed, "retries.drained_at", want.drained)
	}
}

func TestAutoRedrive(t *testing.T) {
	lease := []string{"--set", "dependency.fail_after=360s", "--set", "policies.fixed.delay.fixed=0s"}
	for _, c := range []struct {
		flags              []string
		parked             string // when the last job dies without replay
		success, tries, at string // with it
	}{
		{nil, "720", "28", "34", "9900"},
		{lease, "1080", "28", "26", "9960"},
	} {
		r := simulated(t, "auto-redrive", c.flags...)
		never, replayed := policyOf(t, r, 0, "fixed"), policyOf(t, r, 1, "fixed")
		exactly(t, never, "jobs.dead", "28")
		exactly(t, never, "dead.first_at", c.parked)
		exactly(t, never, "dead.last_at", c.parked)
		exactly(t, replayed, "jobs.dead", "0")
		exactly(t, replayed, "jobs.succeeded", c.success)
		exactly(t, replayed, "attempts.mean", c.tries)
		exactly(t, replayed, "attempts.max", c.tries)
		exactly(t, replayed, "success.first_at", c.at)
		exactly(t, replayed, "success.last_at", c.at)
	}
}

func TestReplayHerd(t *testing.T) {
	r := simulated(t, "replay-herd")
	once, paced := policyOf(t, r, 0, "fixed"), policyOf(t, r, 1, "fixed")
	exactly(t, once, "jobs.succeeded", "300")
	exactly(t, once, "jobs.dead", "9700")
	exactly(t, once, "dead.total", "19700")
	exactly(t, once, "calls.total(after=100s)", "29700")
	exactly(t, once, "calls.total", "59700")
	exactly(t, once, "calls.peak(after=100s)", "10000")
	exactly(t, paced, "jobs.succeeded", "10000")
	exactly(t, paced, "jobs.dead", "0")
	exactly(t, paced, "dead.replayed", "10000")
	exactly(t, paced, "success.last_at", "299.98")
	exactly(t, paced, "attempts.max", "4")
}

func TestKubernetesJob(t *testing.T) {
	r := simulated(t, "kubernetes-job")
	for n := range 2 {
		instants := []string{"10", "30", "70", "150", "310", "630"}
		for k, row := range policyOf(t, r, n, "job").Retries {
			if row.First.String() != instants[k] {
				t.Errorf("case %d: retry %d at %s, want %s", n, k+1, row.First, instants[k])
			}
		}
		exactly(t, policyOf(t, r, n, "job"), "calls.total", "7")
	}
	exactly(t, policyOf(t, r, 0, "job"), "success.last_at", "630")
	exactly(t, policyOf(t, r, 1, "job"), "jobs.dead", "1")
}

// When each retry of a job that always fails after a second begins, worked out by hand.
func TestCurves(t *testing.T) {
	r := simulated(t, "curves")
	for policy, instants := range map[string]string{
		"fixed":       "11 22 33 44 55",
		"linear":      "6 22 48 84 130",    // waits 5 15 25 35 45
		"exponential": "5 12 22 36.5 52.5", // waits 4 6 9 13.5 15
		"sidekiq":     "16 33 65 162 434",  // waits 15 16 31 96 271
		"fibonacci":   "6 17 33 59 100",    // waits 5 10 15 25 40
		"ladder":      "6 17 38 99 160",    // waits 5 10 20 60 60
		"stops":       "6 17 38",           // waits 5 10 20
		"to-the-end":  "11 22 33 64 125",   // waits 10 10 10 30 60
		"instants":    "10 30 31 60 89.5",  // the third was due at 30.5, the fifth 29.5 s behind the fourth
		"elapsed":     "11 22 33 44",       // the next would come at 55
		"limited":     "3 6 11 20 37 58",   // waits 2 2 4 8 16 20: of 1 2 4 8 16 32
	} {
		p := policyOf(t, r, 0, policy)
		var begun []string
		for _, row := range p.Retries {
			begun = append(begun, row.First.String())
		}
		if got := strings.Join(begun, " "); got != instants {
			t.Errorf("%s: retries at %s, want %s", policy, got, instants)
		}
		expired := "0"
		if policy == "elapsed" || policy == "limited" {
			expired = "1"
		}
		exactly(t, p, "dead.reason.expired", expired)
		exactly(t, p, "dead.total", "1")
	}
	exactly(t, policyOf(t, r, 0, "elapsed"), "dead.first_at", "45")
}

// The laws of one wait of 10 s: their ends, and their means and deviations within four standard errors.
func TestJitters(t *testing.T) {
	r := simulated(t, "jitters")
	for _, c := range []struct {
		policy              string
		low, high, mean, sd float64
	}{
		{"none", 10, 10, 10, 0},
		{"full", 0, 10, 5, 10 / math.Sqrt(12)},
		{"equal", 5, 10, 7.5, 5 / math.Sqrt(12)},
		{"add", 10, 11, 10.5, 1 / math.Sqrt(12)},
		{"ratio", 8, 12, 10, 4 / math.Sqrt(12)},
		{"up", 10, 12, 11, 2 / math.Sqrt(12)},
		{"down", 8, 10, 9, 2 / math.Sqrt(12)},
		{"scale", 7.5, 15, 11.25, 7.5 / math.Sqrt(12)},
		{"comb", 10, 39, 24.5, math.Sqrt(899.0 / 12)},
		{"memoryless", 0, 250, 10, 10},
		{"decorrelated", 10, 25, 19.375, math.Sqrt(24.609375)}, // uniform over [10, 30], above 25 cut to 25
	} {
		row := policyOf(t, r, 0, c.policy).Retries[0]
		if row.First.Float() < c.low || row.Last.Float() > c.high {
			t.Errorf("%s: from %s to %s, outside [%g, %g]", c.policy, row.First, row.Last, c.low, c.high)
		}
		jobs := 10 * row.Count.Float()
		if d := row.Mean.Float() - c.mean; math.Abs(d) > 4*c.sd/math.Sqrt(jobs)+1e-9 {
			t.Errorf("%s: mean %s, want %g", c.policy, row.Mean, c.mean)
		}
		// The standard error of a standard deviation is at most sd/√(2n), for the exponential law sd·√(2/n).
		if d := row.SD.Float() - c.sd; math.Abs(d) > 4*c.sd*math.Sqrt(2/jobs)+1e-9 {
			t.Errorf("%s: sd %s, want %g", c.policy, row.SD, c.sd)
		}
	}
	exactly(t, policyOf(t, r, 0, "comb"), "retries.instants", "30")
}

func TestOffByOne(t *testing.T) {
	r := simulated(t, "off-by-one")
	attempts, retries := policyOf(t, r, 0, "attempts"), policyOf(t, r, 0, "retries")
	exactly(t, attempts, "jobs.dead", "1000")
	exactly(t, attempts, "dead.first_at", "3")
	exactly(t, attempts, "dead.last_at", "3")
	exactly(t, attempts, "calls.total", "3000")
	exactly(t, retries, "jobs.succeeded", "1000")
	exactly(t, retries, "success.first_at", "7")
	exactly(t, retries, "success.last_at", "7")
	exactly(t, retries, "calls.total", "4000")
}

func TestEchoMQCeiling(t *testing.T) {
	r := simulated(t, "echomq-ceiling")
	for _, policy := range []string{"stock", "fixed", "full"} {
		p := policyOf(t, r, 0, policy)
		exactly(t, p, "retries.peak", "100")
		exactly(t, p, "retries.instants", "100")
		exactly(t, p, "success.last_at", "100")
		exactly(t, p, "jobs.succeeded", "10000")
	}
}

func TestBudgetTooShort(t *testing.T) {
	r := simulated(t, "budget-too-short")
	exactly(t, policyOf(t, r, 0, "none"), "jobs.dead", "0")
	lawful(t, policyOf(t, r, 0, "equal"), "jobs.dead", 2000*101.0/512)
	lawful(t, policyOf(t, r, 0, "full"), "jobs.dead", 2000*411.0/512)
}

func TestRetriesAndFreshJobs(t *testing.T) {
	r := simulated(t, "retries-and-fresh-jobs")
	for n, c := range []struct{ wait, last string }{{"99.8", "200"}, {"100", "199.8"}, {"0", "299"}} {
		p := policyOf(t, r, n, "fixed")
		exactly(t, p, "fresh.wait.max", c.wait)
		if row := p.Retries[0]; row.Last.String() != c.last {
			t.Errorf("case %d: the last retry begins at %s, want %s", n, row.Last, c.last)
		}
	}
}

func TestSickMinority(t *testing.T) {
	r := simulated(t, "sick-minority")
	exactly(t, policyOf(t, r, 0, "none"), "drain.time", "1260.6")
	exactly(t, policyOf(t, r, 1, "none"), "drain.time", "575.8")
}

// Erlang's C formula for the mean time in the queue, and Pollaczek and Khinchine's for a service without spread.
func TestTextbookQueues(t *testing.T) {
	mm1 := simulated(t, "mm1")
	lawful(t, policyOf(t, mm1, 0, "none"), "fresh.wait.mean", 1)
	lawful(t, policyOf(t, mm1, 1, "none"), "fresh.wait.mean", 4)
	lawful(t, policyOf(t, simulated(t, "md1"), 0, "none"), "fresh.wait.mean", 2)
	lawful(t, policyOf(t, simulated(t, "mm4"), 0, "none"), "fresh.wait.mean", 0.745541)
	lawful(t, policyOf(t, simulated(t, "mm10"), 0, "none"), "fresh.wait.mean", 0.668732)
}

// The n-th retry of a herd that keeps failing, for base B = 1 s: a sum of n independent uniform waits.
func TestRounds(t *testing.T) {
	r := simulated(t, "rounds")
	for _, c := range []struct {
		policy         string
		mean, variance func(n float64) float64
	}{
		{"full", func(n float64) float64 { return (math.Exp2(n) - 1) / 2 }, func(n float64) float64 { return (math.Pow(4, n) - 1) / 36 }},
		{"equal", func(n float64) float64 { return 3 * (math.Exp2(n) - 1) / 4 }, func(n float64) float64 { return (math.Pow(4, n) - 1) / 144 }},
		{"wobble", func(n float64) float64 { return math.Exp2(n) - 1 + n/2 }, func(n float64) float64 { return n / 12 }},
	} {
		rows := policyOf(t, r, 0, c.policy).Retries
		if len(rows) != 8 {
			t.Fatalf("%s: %d rounds, want 8", c.policy, len(rows))
		}
		for i, row := range rows {
			n, count := float64(i+1), row.Count.Float()
			mean, sd := c.mean(n), math.Sqrt(c.variance(n))
			if d := row.Mean.Float() - mean; math.Abs(d) > 4*sd/math.Sqrt(count) {
				t.Errorf("%s, retry %d: mean %s, want %.6g", c.policy, i+1, row.Mean, mean)
			}
			// The standard error of a sample sd is at most sd/√(2n) here: sums of uniforms have thinner tails than a normal.
			if d := row.SD.Float() - sd; math.Abs(d) > 4*sd/math.Sqrt(2*count) {
				t.Errorf("%s, retry %d: sd %s, want %.6g", c.policy, i+1, row.SD, sd)
			}
		}
	}
}

// What an independent simulator found for the hero scenario: means of 12 replications, whose standard errors come on top
// of ours. The tolerances are four of both together, from the spread between replications seen here.
func TestOutageHerdAgainstAnotherSimulator(t *testing.T) {
	r := simulated(t, "outage-herd", "-n", "100")
	for _, c := range []struct {
		policy            string
		dead, peak, calls float64
		sdDead, sdPeak    float64 // of one replication
	}{
		{"exponential", 808.6, 1043, 15286, 3.1, 6.5},
		{"wobble", 349, 550, 14643, 11.5, 16},
		{"equal", 0, 62, 13821, 0, 6.5},
		{"full", 41, 89, 15033, 6.5, 8},
	} {
		const sdCalls = 190 // the background jobs that meet the outage, about 600, take some 7 calls each
		errors := 4 * math.Sqrt(1.0/12+1.0/100)
		p := policyOf(t, r, 0, c.policy)
		for _, m := range []struct {
			metric       string
			want, margin float64
		}{
			{"jobs.dead", c.dead, errors * c.sdDead},
			{"retries.peak(after=60s)", c.peak, errors * c.sdPeak},
			{"calls.total", c.calls, errors * sdCalls},
		} {
			if got := p.Metrics[m.metric].Mean.Float(); math.Abs(got-m.want) > m.margin+0.5 { // 0.5: theirs is rounded
				t.Errorf("%s: %s is %g, theirs %g ± %.3g", c.policy, m.metric, got, m.want, m.margin)
			}
		}
	}
}

// The presets in their shipped scenarios: what the libraries' own arithmetic says of an outage of thirty seconds.
func TestPresetScenarios(t *testing.T) {
	echo := simulated(t, "echomq")
	exactly(t, policyOf(t, echo, 0, "stock"), "attempts.max", "3")
	within(t, policyOf(t, echo, 0, "stock"), "retries.peak", 100, 100) // the pump
	exactly(t, policyOf(t, echo, 0, "jittered"), "jobs.dead", "0")

	flexi := simulated(t, "flexiq")
	exactly(t, policyOf(t, flexi, 0, "defaults"), "jobs.dead", "2000") // 1 + 2 + 4 s cannot outlast 30 s
	exactly(t, policyOf(t, flexi, 0, "defaults"), "attempts.max", "4")

	bull := simulated(t, "bullmq")
	exactly(t, policyOf(t, bull, 0, "defaults"), "calls.total", "2000") // one try
	exactly(t, policyOf(t, bull, 0, "fixed"), "retries.peak(after=30s)", "2000")
	exactly(t, policyOf(t, bull, 0, "plain"), "success.first_at", "31")
}
