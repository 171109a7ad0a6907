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
func (b *builder) dependency(v *value, w *World) {
	c := &w.Dependency
	base := b.behaviour(v)
	c.Capacity, c.ErrorRate, c.Latency, c.FailAfter = base.Capacity, orZero(base.ErrorRate), orZero(base.Latency), orZero(base.FailAfter)
	c.PerCall, c.Tells = orZero(base.PerCall), orZero(base.Tells)
	if w.Capacity = capacityPhrase(c.Capacity); c.Tells && w.Capacity != "" {
		w.Capacity += " (refusals say when to come back)"
	}
	for _, o := range entries(v.get("outages")) {
		c.Outages = append(c.Outages, b.outage(o, w)...)
	}
	for _, p := range entries(v.get("phases")) {
		phase := b.behaviour(p.value)
		phase.Windows = b.windows("phase", p)
		phase.Cohorts = b.whose(p)
		changes := changes(phase, p.value)
		if changes == "" && p.get("capacity") == nil {
			b.warn(p.key, "phase `"+p.name+"` changes nothing")
		}
		c.Phases = append(c.Phases, phase)
		w.Phases = append(w.Phases, Phase{p.name, phase.Windows, changes + b.forWhom(phase.Cohorts)})
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
		b.latency(w, &p)
	}
	if w := v.get("fail_after"); usable(w) {
		p.FailAfter = new(w.duration())
	}
	if w := v.get("stall"); usable(w) {
		p.Stall = &w.truth
	}
	if w := v.get("retry_after"); usable(w) {
		p.Tells = new(w.word == "reset")
	}
	return p
}

// latency reads a latency, which may grow with the calls in flight.
func (b *builder) latency(v *value, p *dependency.Phase) {
	if v.arg != nil {
		p.Latency, p.PerCall = new(v.arg.duration()), new(time.Duration)
		return
	}
	p.Latency, p.PerCall = new(v.get("base").duration()), new(v.get("per_call").duration())
}

// capacity reads one of the kinds of capacity.
func (b *builder) capacity(v *value) dependency.Capacity {
	var kinds []string
	for _, kind := range capacityKinds {
		if v.get(kind) != nil {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case len(kinds) == 0:
		b.conflict(v.at(), "`capacity` has none of `rate`, `concurrency` and `servers`", "`{rate: 50/s}`: calls per second; `{concurrency: 20}`: calls in flight; `{servers: 1, service: 10ms}`: a queue")
		return nil
	case len(kinds) > 1:
		b.conflict(v.get(kinds[1]).key, "`capacity` has `"+kinds[0]+"` and `"+kinds[1]+"`", "choose one")
		return nil
	case !b.belongs(v, kinds[0]):
		return nil
	}
	burst := v.get("burst")
	switch {
	case kinds[0] == "concurrency":
		return dependency.Concurrency(v.get("concurrency").number.num)
	case kinds[0] == "servers":
		return b.servers(v)
	case burst != nil:
		return dependency.TokenBucket{Rate: v.get("rate").rate, Burst: burst.number.num}
	}
	return dependency.PerWindow(v.get("rate").rate)
}

// belongs checks that the fields of a capacity go with its kind.
func (b *builder) belongs(v *value, kind string) bool {
	meant := map[string]string{
		"burst": "it is the size of a token bucket that is filled at `rate`", "service": "it is the service time of `servers`",
		"queue": "it is the queue in front of `servers`", "drop_expired": "it is about the work of `servers`",
	}
	for _, name := range []string{"burst", "service", "queue", "drop_expired"} {
		goes := name == "burst" && kind == "rate" || name != "burst" && kind == "servers"
		if f := v.get(name); f != nil && f.key != nil && !goes && (name != "drop_expired" || f.truth) {
			b.conflict(f.key, "`"+name+"` has no meaning beside `"+kind+"`", meant[name])
			return false
		}
	}
	return true
}

// servers reads a capacity that is a queue in front of servers.
func (b *builder) servers(v *value) dependency.Capacity {
	if v.get("service") == nil {
		b.conflict(v.get("servers").key, "`servers` without `service`", "say how long a server works on a call: `{servers: 1, service: 10ms}`")
		return nil
	}
	s := &dependency.Servers{Count: v.get("servers").number.num, Service: b.service(v.get("service")), DropExpired: v.get("drop_expired").truth}
	if queue := v.get("queue"); queue != nil {
		s.Queue = &queue.number.num
	}
	return s
}

// outage reads one outage and lists it.
func (b *builder) outage(v named, w *World) []dependency.Downtime {
	cohorts := b.whose(v)
	var all []dependency.Downtime
	for i, span := range b.windows("outage", v) {
		name := v.name
		if v.get("every") != nil {
			name = fmt.Sprintf("%s#%d", v.name, i+1)
		}
		w.Outages = append(w.Outages, Outage{name, span.From, span.To, b.namesOf(cohorts)})
		all = append(all, dependency.Downtime{From: span.From, To: span.To, Cohorts: cohorts})
	}
	return all
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
		b.fail(v.get("times").orSpot(every), fmt.Sprintf("outages and phases come more than %d times in all, counted over every case and every policy that overrides them", maxWindows), "")
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
	case *dependency.Servers:
		return serversPhrase(c)
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
		parts = append(parts, "latency "+latencyPhrase(*p.Latency, *p.PerCall))
	}
	if p.FailAfter != nil {
		parts = append(parts, "fails after "+units.FormatDuration(*p.FailAfter))
	}
	if p.Stall != nil && *p.Stall {
		parts = append(parts, "servers stalled")
	} else if p.Stall != nil {
		parts = append(parts, "servers at work")
	}
	if p.Tells != nil && *p.Tells {
		parts = append(parts, "refused callers are told when to come back")
	} else if p.Tells != nil {
		parts = append(parts, "refused callers are told nothing")
	}
	return strings.Join(parts, ", ")
}

// latencyPhrase says a latency in words that may follow "latency".
func latencyPhrase(base, perCall time.Duration) string {
	if perCall == 0 {
		return units.FormatDuration(base)
	}
	return units.FormatDuration(base) + " and " + units.FormatDuration(perCall) + " for each other call"
}

// serversPhrase says a queue in front of servers in words that may follow "capacity".
func serversPhrase(s *dependency.Servers) string {
	words := fmt.Sprintf("%d servers", s.Count)
	if s.Count == 1 {
		words = "1 server"
	}
	if mean, ok := rng.Mean(s.Service); ok && s.Service != nil {
		words += " of " + units.FormatDuration(mean)
	}
	if s.Queue != nil {
		words += fmt.Sprintf(" behind a queue of %d", *s.Queue)
	}
	return words
}
