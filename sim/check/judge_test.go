package check

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"herdsim/sim/metrics"
)

// table reads values written as `jobs.dead: 1 2 3; drain.time: 5 - 7`, `-` for none.
func table(t *testing.T, text string) (Reader, int) {
	t.Helper()
	values, n := map[string][]string{}, 0
	for _, row := range strings.Split(text, ";") {
		name, list, _ := strings.Cut(row, ":")
		values[strings.TrimSpace(name)] = strings.Fields(list)
		n = len(strings.Fields(list))
	}
	return func(policy string, term metrics.Term, replication int) (metrics.Value, error) {
		key := (&node{policy: policy, term: term}).String()
		list, known := values[key]
		if !known {
			t.Fatalf("%s is not in the table", key)
		}
		if list[replication] == "-" {
			return metrics.Value{}, errors.New("it never happened")
		}
		r, ok := new(big.Rat).SetString(list[replication])
		if !ok {
			t.Fatalf("bad value %s", list[replication])
		}
		return metrics.Value{Rat: r, Exact: true}, nil
	}, n
}

func TestJudge(t *testing.T) {
	for _, c := range []struct{ expr, over, values, want string }{
		{"jobs.dead <= 10", "every", "jobs.dead: 1 10 3", "pass 10 <= 10 held 3"},
		{"jobs.dead < 10", "every", "jobs.dead: 1 10 3", "fail 10 < 10 held 2"},
		{"10 >= jobs.dead", "every", "jobs.dead: 12 11 3", "fail 12 <= 10 held 1"},
		{"jobs.dead >= 3", "every", "jobs.dead: 5 1 2", "fail 1 >= 3 held 1"},
		{"jobs.dead == 3", "every", "jobs.dead: 3 9 1", "fail 9 == 3 held 1"},
		{"jobs.dead != 3", "every", "jobs.dead: 4 9", "pass 4 != 3 held 2"},
		{"not jobs.dead > 3", "every", "jobs.dead: 1 5 9", "fail 9 > 3 held 1"},
		{"jobs.dead <= 10", "mean", "jobs.dead: 1 20 3", "pass 8 <= 10"},
		{"jobs.dead <= 10", "mean", "jobs.dead: 1 30 3", "fail 11.3333 <= 10"},
		{"jobs.dead <= 10", "mean", "jobs.dead: 7", "pass 7 <= 10"},
		{"jobs.dead <= 10", "p95", "jobs.dead: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 99", "pass 1 <= 10 held 19"},
		{"jobs.dead <= 10", "p95", "jobs.dead: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 98 99", "fail 98 <= 10 held 18"},
		{"jobs.succeeded >= 10", "p95", "jobs.succeeded: 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 1", "pass 11 >= 10 held 19"},
		{"jobs.dead <= 10", "ci", "jobs.dead: 6 7 8", "pass 7 <= 10 settled"}, // 7 ± 2.48
		{"jobs.dead <= 10", "ci", "jobs.dead: 18 19 20", "fail 19 <= 10 settled"},
		{"jobs.dead <= 10", "ci", "jobs.dead: 8 9 10", "inconclusive 9 <= 10 the 95 % interval lies on both sides"},
		{"jobs.dead <= 10", "ci", "jobs.dead: 10 10 10", "pass 10 <= 10 settled"},
		{"jobs.dead < 10", "ci", "jobs.dead: 10 10 10", "fail 10 < 10 settled"},
		{"jobs.dead == 10", "ci", "jobs.dead: 10 10", "pass 10 == 10 settled"},
		{"jobs.dead == 10", "ci", "jobs.dead: 9 11", "inconclusive 10 == 10"},
		{"jobs.dead != 10", "ci", "jobs.dead: 1 2 1 2", "pass 1.5 != 10 settled"},
		{"jobs.dead <= 10", "ci", "jobs.dead: 5", "inconclusive 5 <= 10 one replication has no interval"},
		{"drain.time <= 10s", "every", "drain.time: 5 -", "no_data `drain.time` has no value in 1 of 2 replications: it never happened in the first of them"},
		{"drain.time <= 10s", "every", "drain.time: -", "no_data `drain.time` has no value: it never happened"},
		{"drain.time <= 10s", "every", "drain.time: 50 -", "fail 50s <= 10s held 0"},
		{"drain.time <= 10s", "mean", "drain.time: 5 -", "no_data `drain.time` has no value in 1 of 2"},
		{"not drain.time <= 10s", "every", "drain.time: -", "no_data"},
		{"jobs.dead == 0 or drain.time <= 1s", "every", "jobs.dead: 0 0; drain.time: - -", "pass 0 == 0 held 2"},
		{"drain.time <= 1s and jobs.dead == 0", "every", "jobs.dead: 1 1; drain.time: - -", "fail 1 == 0 held 0"},
		{"jobs.dead <= 5 and jobs.dead / jobs.total <= 1%", "every", "jobs.dead: 2 3; jobs.total: 100 100", "fail 0.03 <= 0.01 held 0"},
		{"jobs.dead / jobs.succeeded <= 1", "every", "jobs.dead: 2 3; jobs.succeeded: 1 0", "fail 2 <= 1 held 0"},
		{"jobs.dead / jobs.succeeded >= 1", "every", "jobs.dead: 2 3; jobs.succeeded: 1 0", "no_data a quotient has no value in 1 of 2 replications: it would be divided by 0"},
		{"jobs.dead / 3 == 1 / 3", "every", "jobs.dead: 1", "pass 0.333333 == 0.333333 held 1"},
		{"retries.peak <= 50/s", "every", "retries.peak: 49.5", "pass 49.5/s <= 50/s held 1"},
		{"jobs.dead < policy.full.jobs.dead", "ci", "jobs.dead: 1 2 3; policy.full.jobs.dead: 2 3 4", "pass 2 < 3 settled"},
	} {
		e, err := Parse(c.expr, someEnv())
		if err != nil {
			t.Fatalf("%s: %s", c.expr, err.Message)
		}
		read, n := table(t, c.values)
		got := described(e.Judge(mannerOf(t, c.over), n, read))
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s over %s of %s: %s, want %s", c.expr, c.over, c.values, got, c.want)
		}
	}
}

func mannerOf(t *testing.T, word string) Manner {
	t.Helper()
	i := slices.Index(Manners(), word)
	if i < 0 {
		t.Fatalf("no manner %s", word)
	}
	return Manner(i)
}

func described(v Verdict) string {
	text := string(v.Status)
	if v.Observed != nil {
		text += fmt.Sprintf(" %s%s %s %s%s", v.Observed, v.Unit, v.Sign, v.Limit, v.Unit)
	}
	if v.Held != nil && v.Status != "no_data" {
		text += " held " + strconv.Itoa(*v.Held)
	}
	if v.Settled && v.Held == nil && v.Status != "no_data" {
		text += " settled"
	}
	if v.Reason != "" {
		text += " " + v.Reason
	}
	return text
}

// More replications are asked for while a verdict may change.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		expr, over, values string
		want               bool
	}{
		{"jobs.dead <= 10", "every", "jobs.dead: 1 2", false},
		{"jobs.dead <= 10", "every", "jobs.dead: 1 20", true},
		{"jobs.dead <= 10", "mean", "jobs.dead: 1 2 1 2 1 2", true},
		{"jobs.dead <= 10", "mean", "jobs.dead: 1 20 3", false},
		{"jobs.dead <= 10", "mean", "jobs.dead: 1", false},
		{"jobs.dead <= 10", "p95", "jobs.dead: 1 1 1 1 1", false},
		{"jobs.dead <= 10", "p95", "jobs.dead: 20 20 20 20 20", true},
		{"jobs.dead <= 10", "p95", "jobs.dead: " + strings.Repeat("1 ", 80), true},
		{"jobs.dead <= 10 and jobs.dead >= 1", "ci", "jobs.dead: 5 5 6 5", true},
		{"jobs.dead <= 10 and jobs.dead >= 5", "ci", "jobs.dead: 5 5 6 5", false},
	} {
		e, err := Parse(c.expr, someEnv())
		if err != nil {
			t.Fatalf("%s: %s", c.expr, err.Message)
		}
		read, n := table(t, c.values)
		if got := e.Judge(mannerOf(t, c.over), n, read).Settled; got != c.want {
			t.Errorf("%s over %s of %s: settled is %v", c.expr, c.over, c.values, got)
		}
	}
}
