package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
	"herdsim/sim/units"
)

// dependency reads `dependency`. The outages are listed under their names, the repetitions of one as NAME#1, NAME#2, …
func (b *builder) dependency(v *value, s *Scenario) {
	c := &s.Base.Dependency
	base := b.behaviour(v)
	c.Capacity, c.ErrorRate, c.Latency, c.FailAfter = base.Capacity, orZero(base.ErrorRate), orZero(base.Latency), orZero(base.FailAfter)
	s.Capacity = capacityPhrase(c.Capacity)
	for _, o := range entries(v.get("outages")) {
		c.Outages = append(c.Outages, b.outage(o, s)...)
	}
	for _, p := range entries(v.get("phases")) {
		phase := b.behaviour(p.value)
		phase.Windows = b.windows("phase", p)
		changes := changes(phase, p.value)
		if changes == "" && p.get("capacity") == nil {
			b.warn(p.key, "phase `"+p.name+"` changes nothing")
		}
		c.Phases = append(c.Phases, phase)
		s.Phases = append(s.Phases, Phase{p.name, phase.Windows, changes})
	}
}

// entries returns what is right of a map of names, which may be missing.
func entries(v *value) []named {
	if v == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.names), func(n named) bool { return n.bad })
}

func orZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// behaviour reads the fields that the dependency and its phases share. What is not there is nil.
func (b *builder) behaviour(v *value) dependency.Phase {
	var p dependency.Phase
	if w := v.get("capacity"); usable(w) {
		p.Capacity = b.capacity(w)
	}
	if w := v.get("error_rate"); usable(w) {
		p.ErrorRate = new(rng.Probability(units.FractionOf(uint64(rng.Certain), w.number.num, w.number.den)))
	}
	if w := v.get("latency"); usable(w) {
		p.Latency = new(w.arg.duration())
	}
	if w := v.get("fail_after"); usable(w) {
		p.FailAfter = new(w.duration())
	}
	return p
}

// capacity reads one of the kinds of capacity.
func (b *builder) capacity(v *value) dependency.Capacity {
	rate, burst, concurrency := v.get("rate"), v.get("burst"), v.get("concurrency")
	switch {
	case rate == nil && concurrency == nil:
		b.conflict(v.at(), "`capacity` has neither `rate` nor `concurrency`", "`{rate: 50/s}`: calls per second; `{concurrency: 20}`: calls in flight")
	case concurrency != nil && rate != nil:
		b.conflict(concurrency.key, "`capacity` has `rate` and `concurrency`", "choose one")
	case concurrency != nil && burst != nil:
		b.conflict(burst.key, "`burst` has no meaning beside `concurrency`", "it is the size of a token bucket that is filled at `rate`")
	case concurrency != nil:
		return dependency.Concurrency(concurrency.number.num)
	case burst != nil:
		return dependency.TokenBucket{Rate: rate.rate, Burst: burst.number.num}
	default:
		return dependency.PerWindow(rate.rate)
	}
	return nil
}

// outage reads one outage and lists it.
func (b *builder) outage(v named, s *Scenario) []dependency.Window {
	windows := b.windows("outage", v)
	for i, w := range windows {
		name := v.name
		if v.get("every") != nil {
			name = fmt.Sprintf("%s#%d", v.name, i+1)
		}
		s.Outages = append(s.Outages, Outage{name, w.From, w.To})
	}
	return windows
}

// windows reads when an outage or a phase is in force: its repetitions spelled out, as far as they begin before the stop.
func (b *builder) windows(noun string, v named) []dependency.Window {
	at, length, every := clock.Time(v.get("at").duration()), v.get("for"), v.get("every")
	if at >= b.stop {
		b.warn(v.get("at").node, noun+" `"+v.name+"` never begins: it would at "+units.FormatDuration(time.Duration(at))+", the run stops at "+units.FormatDuration(time.Duration(b.stop)))
	}
	if !b.repeatable(noun, v) {
		return nil
	}
	if every == nil {
		w := dependency.Window{From: at, To: clock.End}
		if length != nil {
			w.To = at.Add(length.duration())
		}
		b.reader.windows++
		return []dependency.Window{w}
	}
	times := b.repetitions(v, at, every.duration())
	if b.reader.windows += times; b.reader.windows > maxWindows {
		b.fail(v.get("times").orSpot(every), fmt.Sprintf("outages and phases come %d times in all, counted over every case: the most are %d", b.reader.windows, maxWindows), "")
		return nil
	}
	list := make([]dependency.Window, times)
	for i := range list {
		list[i] = dependency.Window{From: at, To: at.Add(length.duration())}
		at = at.Add(every.duration())
	}
	return list
}

// repeatable checks that the fields of a repetition go together.
func (b *builder) repeatable(noun string, v named) bool {
	length, every, times := v.get("for"), v.get("every"), v.get("times")
	name := noun + " `" + v.name + "`"
	switch {
	case every == nil && times != nil:
		b.conflict(times.key, name+" has `times` but no `every`", "`every` is the span from the start of one repetition to the next")
	case every == nil:
		return true
	case length == nil:
		b.conflict(every.key, name+" has `every` but no `for`", "without `for` it lasts to the end")
	case every.duration() < length.duration():
		b.conflict(every.node, name+" comes again after "+units.FormatDuration(every.duration())+" but lasts "+units.FormatDuration(length.duration()))
	default:
		return true
	}
	return false
}

// repetitions returns how often something comes: at most `times`, and only before the stop, but once at least.
func (b *builder) repetitions(v named, at clock.Time, every time.Duration) int {
	count := uint64(1)
	if at < b.stop {
		count = uint64((b.stop.Sub(at)-1)/every) + 1
	}
	if times := v.get("times"); times != nil {
		count = min(count, times.number.num)
	}
	return int(min(count, maxWindows+1))
}

// orSpot returns the node of a written value, or that of the other.
func (v *value) orSpot(other *value) *node {
	if v == nil || v.node == nil {
		return other.node
	}
	return v.node
}

// capacityPhrase says a capacity in words that may follow "capacity"; "" for none.
func capacityPhrase(c dependency.Capacity) string {
	switch c := c.(type) {
	case dependency.PerWindow:
		return units.FormatRate(clock.Rate(c))
	case dependency.TokenBucket:
		return fmt.Sprintf("%s with bursts of %d", units.FormatRate(c.Rate), c.Burst)
	case dependency.Concurrency:
		if c == 1 {
			return "1 call at a time"
		}
		return fmt.Sprintf("%d calls at a time", c)
	}
	return ""
}

// changes says in words what a phase changes: "capacity 20/s, error rate 30%". The error rate is as it is written.
func changes(p dependency.Phase, v *value) string {
	var parts []string
	if p.Capacity != nil {
		parts = append(parts, "capacity "+capacityPhrase(p.Capacity))
	}
	if p.ErrorRate != nil {
		parts = append(parts, "error rate "+v.get("error_rate").node.text)
	}
	if p.Latency != nil {
		parts = append(parts, "latency "+units.FormatDuration(*p.Latency))
	}
	if p.FailAfter != nil {
		parts = append(parts, "fails after "+units.FormatDuration(*p.FailAfter))
	}
	return strings.Join(parts, ", ")
}
