package metrics

import (
	"strings"
	"testing"
	"time"
)

// Every exception to "less is better" is a metric of the table, and those that name a success are no exception.
func TestBetter(t *testing.T) {
	found := map[Direction]int{}
	for _, m := range table() {
		d := Better(m.id)
		found[d]++
		if bad := strings.HasPrefix(m.id, "dead.reason") || strings.HasPrefix(m.id, "latency") || strings.HasSuffix(m.id, ".failed"); bad && d != Lower {
			t.Errorf("more of %s is better, or all the same", m.id)
		}
	}
	if found[Higher] != 3 || found[Neither] != 9 {
		t.Errorf("%d metrics are better high and %d neither way, want 3 and 9: a name in Better is that of no metric", found[Higher], found[Neither])
	}
}

func TestShareOf(t *testing.T) {
	for _, c := range []struct {
		term, want Term
		ok         bool
	}{
		{Term{ID: "jobs.dead"}, Term{ID: "jobs.total"}, true},
		{Term{ID: "jobs.succeeded", Cohort: "vip"}, Term{ID: "jobs.total", Cohort: "vip"}, true},
		{Term{ID: "jobs.total"}, Term{}, false},
		{Term{ID: "calls.failed"}, Term{}, false},
	} {
		if got, ok := c.term.ShareOf(); got != c.want || ok != c.ok {
			t.Errorf("%s is a share of %q, %v; want %q, %v", c.term, got, ok, c.want, c.ok)
		}
	}
}

func TestGrain(t *testing.T) {
	for _, c := range []struct {
		term Term
		want string
	}{
		{Term{ID: "dead.total"}, "1"},
		{Term{ID: "retries.peak"}, "1/2"},
		{Term{ID: "retries.peak", Window: 100 * time.Millisecond}, "10"},
		{Term{ID: "drain.time"}, "0"},
		{Term{ID: "calls.per_job"}, "0"},
	} {
		if got := c.term.Grain(2 * time.Second).RatString(); got != c.want {
			t.Errorf("one more makes %s to %s, want %s", got, c.term, c.want)
		}
	}
}
