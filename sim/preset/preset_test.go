package preset

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

// value makes a tree: a string is a scalar as written, nil is null.
func value(x any) Value {
	switch x := x.(type) {
	case nil:
		return Value{}
	case string:
		return Value{Kind: Scalar, Text: x}
	case Value:
		return x
	}
	panic("test: not a value")
}

// object makes a map of key, value, key, value, …
func object(pairs ...any) Value {
	v := Value{Kind: Map}
	for i := 0; i < len(pairs); i += 2 {
		v.Map = append(v.Map, Entry{Key: pairs[i].(string), KeyRef: 100 + i, Value: value(pairs[i+1])})
	}
	return v
}

func list(items ...any) Value {
	v := Value{Kind: List}
	for _, x := range items {
		v.List = append(v.List, value(x))
	}
	return v
}

func build(t *testing.T, name string, options Value) Built {
	t.Helper()
	p, ok := Lookup(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	b, problems := p.Build(options)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", name, problems)
	}
	return b
}

func wait(p policy.Policy, n int, index uint64) time.Duration {
	d := rng.NewStream(42, 0).Draw(rng.Jitter, 0, index, uint64(n))
	return p.Wait(policy.Failure{Number: n, Charged: n - 1}, &d)
}

func TestRegistry(t *testing.T) {
	names := Names()
	if len(names) == 0 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) < len(names) {
		t.Errorf("names %v are not sorted and distinct", names)
	}
	for _, name := range names {
		if p, ok := Lookup(name); !ok || p.Name != name {
			t.Errorf("lookup of %s: %v, %v", name, p, ok)
		}
	}
	for _, name := range []string{"", "aaa", "echo", "echomqq", "zzz"} {
		if p, ok := Lookup(name); ok {
			t.Errorf("lookup of %q found %s", name, p.Name)
		}
	}
}

func TestEveryPresetIsDocumented(t *testing.T) {
	for _, p := range registry() {
		for what, text := range map[string]string{"title": p.Title, "source": p.Source, "formula": p.Formula, "budget": p.Budget, "queue": p.Queue} {
			if text == "" {
				t.Errorf("%s: no %s", p.Name, what)
			}
		}
		if len(p.Differs) == 0 {
			t.Errorf("%s: says nothing of what it leaves out", p.Name)
		}
		seen := map[string]bool{}
		for _, o := range p.Options {
			if o.Type == "" || o.Doc == "" {
				t.Errorf("%s: option %s has no type or no doc", p.Name, o.Name)
			}
			for _, name := range append([]string{o.Name}, o.Aliases...) {
				if seen[name] {
					t.Errorf("%s: two options called %s", p.Name, name)
				}
				seen[name] = true
			}
		}
	}
}

func TestEveryPresetBuildsWithDefaults(t *testing.T) {
	for _, p := range registry() {
		spelled := Value{Kind: Map}
		for _, o := range p.Options {
			v := Value{}
			if o.Default != "" {
				v = value(o.Default)
			}
			spelled.Map = append(spelled.Map, Entry{Key: o.Name, Value: v})
		}
		for _, options := range []Value{{}, {Kind: Map}, spelled} {
			b := build(t, p.Name, options)
			if b.Policy == nil || b.Budget.Tries < 1 || b.Queue.Resolution <= 0 || len(b.Notes) > 0 {
				t.Errorf("%s: %+v", p.Name, b)
			}
			for _, n := range []int{1, 2, 3, 10, 70, 1000, 1_000_000} {
				for index := range uint64(20) {
					w := wait(b.Policy, n, index)
					if w < 0 || w > clock.Longest || w%b.Queue.Resolution != 0 || w != wait(b.Policy, n, index) {
						t.Fatalf("%s: wait %d of index %d is %v", p.Name, n, index, w)
					}
				}
			}
		}
	}
}

func TestEveryPresetRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, p := range registry() {
		_, problems := p.Build(object("no_such", "1"))
		if len(problems) != 1 || problems[0].Ref != 100 || !strings.Contains(problems[0].Message, "no_such") || !slices.Equal(problems[0].Allowed, p.names()) {
			t.Errorf("%s: unknown option: %+v", p.Name, problems)
		}
		for _, o := range p.Options {
			if _, problems := p.Build(object(o.Name, "1")); o.Later && (len(problems) != 1 || !strings.Contains(problems[0].Message, "not supported yet")) {
				t.Errorf("%s: option %s: %+v", p.Name, o.Name, problems)
			}
			for _, alias := range o.Aliases {
				if _, problems := p.Build(object(o.Name, "7", alias, "7")); len(problems) != 1 || !strings.Contains(problems[0].Message, "set twice") {
					t.Errorf("%s: %s beside %s: %+v", p.Name, o.Name, alias, problems)
				}
			}
		}
		for _, options := range []Value{value("1"), list("1")} {
			if _, problems := p.Build(options); len(problems) != 1 {
				t.Errorf("%s: options %v: %+v", p.Name, options, problems)
			}
		}
	}
}

// TestEveryOptionSurvivesAnyShape sets each option to every shape of value: a problem or a sound policy, never a panic.
func TestEveryOptionSurvivesAnyShape(t *testing.T) {
	shapes := []Value{
		value(""), value("x"), value("-1"), value("1.5"), value("08"), value("1_000"), value("1e3"), value(".nan"), value("5s"), value("50%"),
		value("99999999999999999999999"), value("18446744073709551615"), value("9223372036854775807"), value("4294967296"),
		{Kind: Scalar, Text: "1", Quoted: true},
		list(), list("1", "x"), object(), object("x", "1"), object("jitter", nil),
		object("exponential", list("0", "0")), object("exponential", list("4611686018427", "4611686018427")), object("type", "linear", "delay", "1"),
		object("type", list(), "delay", object()), object("type", "exponential", "delay", "4611686018427", "jitter", "1"),
	}
	for _, p := range registry() {
		for _, o := range p.Options {
			for _, v := range shapes {
				b, problems := p.Build(object(o.Name, v))
				if len(problems) > 0 {
					continue
				}
				for _, n := range []int{1, 2, 40, 1_000_000} {
					if w := wait(b.Policy, n, 0); w < 0 || w > clock.Longest {
						t.Errorf("%s: %s = %+v: wait %d is %v", p.Name, o.Name, v, n, w)
					}
				}
			}
		}
	}
}

func TestProblems(t *testing.T) {
	deep := object("fixed", "1")
	for range deepestJitter {
		deep = object("jitter", deep)
	}
	if _, problems := echomq().Build(object("policy", deep)); len(problems) > 0 {
		t.Errorf("%d jitters: %+v", deepestJitter, problems)
	}
	for _, c := range []struct {
		preset  string
		options Value
		message string
		hint    string // or the names allowed
	}{
		{"echomq", object("max_attempts", "0"), "`max_attempts` is 0, outside 1 to", ""},
		{"echomq", object("max_attempts", "08"), "begins with 0", "write `8`"},
		{"echomq", object("max_attempts", Value{Kind: Scalar, Text: "3", Quoted: true}), "found a text", "without quotes"},
		{"echomq", object("retry_delay_ms", "1s"), "`retry_delay_ms` is a whole number of milliseconds, found `1s`", "write `1000`"},
		{"echomq", object("retry_delay_ms", "1", "policy", object("fixed", "1")), "no effect beside", ""},
		{"echomq", object("beat_ms", "500"), "`beat_ms` has no effect with `pump: true`", ""},
		{"echomq", object("pump", "false", "tick_ms", "500"), "`tick_ms` has no effect with `pump: false`", ""},
		{"echomq", object("pump", "no"), "`pump`", ""},
		{"echomq", object("pump", list("1")), "`pump` must be true or false, found a list", ""},
		{"echomq", object("policy", "exponential"), "must be a map, found a single value", "{exponential: [1000, 60000]}"},
		{"echomq", object("policy", object("fixed", "1", "jitter", "2")), "one key, found 2", ""},
		{"echomq", object("policy", object("linear", "1")), "unknown policy `linear`", "fixed, exponential, jitter"},
		{"echomq", object("policy", object("exponential", "1")), "`exponential` must be a list, found a single value", ""},
		{"echomq", object("policy", object("exponential", list("1"))), "`exponential` must be a list of 2, found 1", ""},
		{"echomq", object("policy", object("exponential", list("0", "9"))), "`exponential base` is 0, outside 1 to", ""},
		{"echomq", object("policy", object("jitter", deep)), "nested more than 8 deep", ""},
		{"flexiq", object("retry_backoff", "x"), "`retry_backoff`: `x` is not a number", ""},
		{"flexiq", object("retry_backoff", "5%"), "`retry_backoff` is a number, found `5%`", "without `%`"},
		{"flexiq", object("retry_backoff", list()), "`retry_backoff` must be a number, found a list", ""},
		{"flexiq", object("max_retry_delay", "1.5"), "`max_retry_delay`: `1.5` is not a whole number", ""},
		{"flexiq", object("retry_delays", "5"), "`retry_delays` must be a list", ""},
		{"bullmq", object("backoff", object("type", "linear", "delay", "1")), "unknown backoff type `linear`", "fixed, exponential"},
		{"bullmq", object("backoff", object("type", "fixed")), "has no `delay`", ""},
		{"bullmq", object("backoff", object("delay", "5")), "has no `type`", ""},
		{"bullmq", object("backoff", object("type", "fixed", "delay", "5", "jiter", "1")), "unknown option `jiter`", "type, delay, jitter"},
		{"bullmq", object("backoff", object("type", "fixed", "delay", "5", "jitter", "1.5")), "`jitter` is 1.5, outside 0 to 1", ""},
	} {
		p, _ := Lookup(c.preset)
		_, problems := p.Build(c.options)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, c.message) ||
			!strings.Contains(problems[0].Hint+strings.Join(problems[0].Allowed, ", "), c.hint) {
			t.Errorf("%s %+v:\n got %+v\nwant %q, %q", c.preset, c.options, problems, c.message, c.hint)
		}
	}
}

// A mistake in a name does not hide those in the values.
func TestAllProblemsAtOnce(t *testing.T) {
	_, problems := echomq().Build(object("max_atempts", "3", "tick_ms", "0", "lease_ms", "z", "policy", object("exponential", list("x", "y"))))
	var said []string
	for _, p := range problems {
		said = append(said, p.Message)
	}
	for _, want := range []string{"`max_atempts`", "`lease_ms`", "`tick_ms` is 0", "`exponential base`: `x`", "`exponential cap`: `y`"} {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("nothing is said about %s: %q", want, said)
		}
	}
	if len(said) != 5 {
		t.Errorf("%d problems: %q", len(said), said)
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		preset  string
		options Value
		want    string
	}{
		{"echomq", object("policy", object("exponential", list("60000", "1000"))), "cap 1000 is below base 60000: every wait is 1000 ms"},
		{"echomq", object("policy", object("jitter", object("exponential", list("60000", "1000")))), "cap 1000 is below base 60000: every wait is 1000 ms before its jitter"},
		{"echomq", object("policy", object("exponential", list("1000", "1000"))), ""},
		{"flexiq", object("retry_backoff", "10.5", "max_retry_delay", "10"), "max_retry_delay 10 is below retry_backoff 10.5: every wait is 10 s before its jitter"},
		{"flexiq", object("max_retry_delay", "0"), "max_retry_delay 0 is below retry_backoff 1.0: every wait is 0 s before its jitter"},
		{"flexiq", object("max_retry_delay", "1"), ""},
	} {
		got := ""
		for _, w := range build(t, c.preset, c.options).Warnings {
			got += w.Message
		}
		if got != c.want {
			t.Errorf("%s %+v: %q, want %q", c.preset, c.options, got, c.want)
		}
	}
}

func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		preset  string
		options Value
		tries   int
	}{
		{"bullmq", Value{}, 1},
		{"bullmq", object("attempts", "0"), 1},
		{"bullmq", object("attempts", "1"), 1},
		{"bullmq", object("attempts", "10"), 10},
		{"echomq", Value{}, 3},
		{"echomq", object("max_attempts", "10"), 10},
		{"flexiq", Value{}, 4},
		{"flexiq", object("max_retries", "0"), 1},
		{"flexiq", object("max_retries", "10", "retry_budget", nil), 11},
	} {
		if b := build(t, c.preset, c.options); b.Budget != (policy.Budget{Tries: c.tries}) {
			t.Errorf("%s %+v: %+v", c.preset, c.options, b.Budget)
		}
	}
}

func TestQueues(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		preset  string
		options Value
		want    engine.Queue
	}{
		{"bullmq", Value{}, engine.Queue{Order: engine.FIFO, Resolution: ms, Visibility: 30_000 * ms, RenewLease: true, DeadlyStall: 2}},
		{"bullmq", object("maxStalledCount", "0"), engine.Queue{Order: engine.FIFO, Resolution: ms, Visibility: 30_000 * ms, RenewLease: true, DeadlyStall: 1}},
		{"echomq", Value{}, engine.Queue{Order: engine.Oldest, Every: time.Second, Batch: 100, Resolution: ms, Visibility: 30_000 * ms, LeaseFails: true}},
		{"echomq", object("tick_ms", "250", "pump_batch", "7", "lease_ms", "5000"), engine.Queue{Order: engine.Oldest, Every: 250 * ms, Batch: 7, Resolution: ms, Visibility: 5000 * ms, LeaseFails: true}},
		{"echomq", object("pump", "false"), engine.Queue{Order: engine.Oldest, Every: time.Second, Batch: 100, ByWorker: true, Resolution: ms, Visibility: 30_000 * ms, LeaseFails: true}},
		{"echomq", object("pump", "false", "beat_ms", "500"), engine.Queue{Order: engine.Oldest, Every: 500 * ms, Batch: 100, ByWorker: true, Resolution: ms, Visibility: 30_000 * ms, LeaseFails: true}},
		{"flexiq", Value{}, engine.Queue{Every: 50 * ms, IdleEvery: 200 * ms, Drain: true, Resolution: ms, Visibility: 30_000 * ms, RenewLease: true}},
	} {
		if got := build(t, c.preset, c.options).Queue; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.preset, got, c.want)
		}
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		preset  string
		options Value
		note    string
		waits   bool
	}{
		{"bullmq", object("backoff", "5"), "never retried", false},
		{"flexiq", object("retry_delays", list("1", "2", "3", "4", "5")), "only the first 3 of 5", true},
	} {
		if b := build(t, c.preset, c.options); len(b.Notes) != 1 || !strings.Contains(b.Notes[0].Text, c.note) || b.Notes[0].Waits != c.waits {
			t.Errorf("%s: %v", c.preset, b.Notes)
		}
	}
}

func TestRetryBudgetOfFlexiq(t *testing.T) {
	for text, want := range map[string]*engine.RetryBudget{
		"100/m": {Bucket: 100, Refill: clock.Rate{Count: 100, Per: time.Minute}},
		"7/h":   {Bucket: 7, Refill: clock.Rate{Count: 7, Per: time.Hour}},
	} {
		if b := build(t, "flexiq", object("retry_budget", text)); !reflect.DeepEqual(b.RetryBudget, want) {
			t.Errorf("%s: %+v, want %+v", text, b.RetryBudget, want)
		}
	}
	p, _ := Lookup("flexiq")
	for _, wrong := range []any{"100", "0/s", "5/100ms", "x/s", list("1/s")} {
		if _, problems := p.Build(object("retry_budget", wrong)); len(problems) != 1 || !strings.Contains(problems[0].Message, "per second, minute or hour") {
			t.Errorf("%v: %+v", wrong, problems)
		}
	}
}
