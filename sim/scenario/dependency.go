package scenario

import (
	"fmt"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/dependency"
	"herdsim/sim/rng"
	"herdsim/sim/units"
)

// dependency reads `dependency`. The outages are listed under their names, the repetitions of one as NAME#1, NAME#2, …
func (b *builder) dependency(v *value) (dependency.Config, []Outage) {
	var c dependency.Config
	if w := v.get("capacity"); usable(w) {
		rate := w.get("rate").rate
		c.Capacity = &rate
	}
	if w := v.get("error_rate"); usable(w) {
		c.ErrorRate = rng.Probability(units.FractionOf(uint64(rng.Certain), w.number.num, w.number.den))
	}
	if w := v.get("latency"); usable(w) {
		c.Latency = w.arg.duration()
	}
	if w := v.get("fail_after"); usable(w) {
		c.FailAfter = w.duration()
	}
	var outages []Outage
	if w := v.get("outages"); w != nil {
		for _, o := range w.names {
			if !o.bad {
				outages = append(outages, b.outage(o)...)
			}
		}
	}
	for _, o := range outages {
		c.Outages = append(c.Outages, dependency.Window{From: o.From, To: o.To})
	}
	return c, outages
}

// outage reads one outage and spells its repetitions out, as far as they begin before the stop.
func (b *builder) outage(v named) []Outage {
	at, length, every := clock.Time(v.get("at").duration()), v.get("for"), v.get("every")
	if at >= b.stop {
		b.warn(v.get("at").node, "outage `"+v.name+"` never begins: it would at "+units.FormatDuration(time.Duration(at))+", the run stops at "+units.FormatDuration(time.Duration(b.stop)))
	}
	if !b.repeatable(v) {
		return nil
	}
	if every == nil {
		o := Outage{Name: v.name, From: at, To: clock.End}
		if length != nil {
			o.To = at.Add(length.duration())
		}
		b.reader.windows++
		return []Outage{o}
	}
	times := b.repetitions(v, at, every.duration())
	if b.reader.windows += times; b.reader.windows > maxWindows {
		b.fail(v.get("times").orSpot(every), fmt.Sprintf("the outages come %d times in all, counted over every case: the most are %d", b.reader.windows, maxWindows), "")
		return nil
	}
	list := make([]Outage, times)
	for i := range list {
		list[i] = Outage{fmt.Sprintf("%s#%d", v.name, i+1), at, at.Add(length.duration())}
		at = at.Add(every.duration())
	}
	return list
}

// repeatable checks that the fields of a repetition go together.
func (b *builder) repeatable(v named) bool {
	length, every, times := v.get("for"), v.get("every"), v.get("times")
	switch {
	case every == nil && times != nil:
		b.conflict(times.key, "outage `"+v.name+"` has `times` but no `every`", "`every` is the span from the start of one repetition to the next")
	case every == nil:
		return true
	case length == nil:
		b.conflict(every.key, "outage `"+v.name+"` has `every` but no `for`", "without `for` an outage lasts to the end")
	case every.duration() < length.duration():
		b.conflict(every.node, "outage `"+v.name+"` comes again after "+units.FormatDuration(every.duration())+" but lasts "+units.FormatDuration(length.duration()))
	default:
		return true
	}
	return false
}

// repetitions returns how often an outage comes: at most `times`, and only before the stop, but once at least.
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
