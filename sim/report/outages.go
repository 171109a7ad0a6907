package report

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"herdsim/sim/result"
)

// A stretch is a half-open span in which the dependency is down, for all or for some.
type stretch struct{ from, to time.Duration }

// forever stands for the end of an outage that has none.
const forever = time.Duration(1 << 62)

func stretchOf(o result.Outage) stretch {
	s := stretch{nanoseconds(o.Start), forever}
	if o.End != nil {
		s.to = nanoseconds(*o.End)
	}
	return s
}

// stretches returns the outages of a case in order, those that touch or overlap as one.
func stretches(outages []result.Outage) []stretch {
	var all []stretch
	for _, o := range outages {
		if s := stretchOf(o); s.from < s.to {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var union []stretch
	for _, s := range all {
		if n := len(union); n > 0 && s.from <= union[n-1].to {
			union[n-1].to = max(union[n-1].to, s.to)
		} else {
			union = append(union, s)
		}
	}
	return union
}

// downtime says when the dependency is down, and for whom where that is not everybody.
func (t *text) downtime(outages []result.Outage) string {
	var whom []string
	spans := map[string][]result.Span{}
	for _, o := range outages {
		key := t.forWhom(o)
		if !slices.Contains(whom, key) {
			whom = append(whom, key)
		}
		spans[key] = append(spans[key], result.Span{Start: o.Start, End: o.End})
	}
	if whom == nil {
		return "dependency never down"
	}
	parts := make([]string, len(whom))
	for i, key := range whom {
		parts[i] = "down" + key + " " + t.spans(spans[key])
	}
	return "dependency " + strings.Join(parts, ", ")
}

// forWhom names the cohorts that an outage is for, with a blank before; "" for everybody.
func (s style) forWhom(o result.Outage) string {
	if isForAll(o) {
		return ""
	}
	return " for " + strings.Join(s.cleaned(o.Cohorts), ", ")
}

func isForAll(o result.Outage) bool { return len(o.Cohorts) == 0 }

// A state is what a column shows of the dependency.
type state uint8

const (
	up       state = iota
	partly         // down for some
	down           // for a time
	flapping       // down, and up again for too short a time to be seen
)

// setStates finds the columns that outages reach into. A gap is not seen when the columns on its two sides touch.
func (ch *chart) setStates(outages []result.Outage) {
	for _, o := range outages {
		if !isForAll(o) {
			ch.some = append(ch.some, o)
		}
	}
	ch.outages = stretches(slices.DeleteFunc(slices.Clone(outages), func(o result.Outage) bool { return !isForAll(o) }))
	ch.states = make([]state, ch.count)
	reached := func(from, to time.Duration, s state) {
		for i := from / ch.column; i < time.Duration(ch.count) && i <= (to-1)/ch.column; i++ {
			ch.states[i] = max(ch.states[i], s)
		}
	}
	for _, o := range stretches(ch.some) {
		reached(o.from, o.to, partly)
	}
	for i, o := range ch.outages {
		reached(o.from, o.to, down)
		ch.forever = ch.forever || o.to == forever
		if i == 0 {
			continue
		}
		before := ch.outages[i-1].to
		if o.from/ch.column-(before-1)/ch.column <= 1 {
			reached(before-1, o.from+1, flapping)
		}
	}
	for i := 0; i < ch.count; {
		end := ch.run(i)
		if ch.states[i] == flapping && ch.share(ch.column*time.Duration(i), ch.column*time.Duration(end)) >= solid {
			for k := i; k < end; k++ {
				ch.states[k] = down
			}
		}
		i = end
	}
}

// solid is the share of the time from which on no one would speak of flapping.
const solid = 0.9995

// run returns the end of the run of columns in one state that begins at a column.
func (ch *chart) run(from int) int {
	end := from
	for end < ch.count && ch.states[end] == ch.states[from] {
		end++
	}
	return end
}

// share returns for how much of a span the dependency is down; before its first and after its last outage nothing counts.
func (ch *chart) share(from, to time.Duration) float64 {
	from, to = max(from, ch.outages[0].from), min(to, ch.outages[len(ch.outages)-1].to)
	var sum time.Duration
	for _, o := range ch.outages {
		sum += max(0, min(o.to, to)-max(o.from, from))
	}
	return float64(sum) / float64(to-from)
}

// ownBar returns the bar over the row of a policy whose outages are not the case's; "" where they are.
func (ch *chart) ownBar(c *result.Case, w *result.World) string {
	if reflect.DeepEqual(w.Outages, c.Outages) {
		return ""
	}
	own := chart{style: ch.style, column: ch.column, count: ch.count}
	if own.setStates(w.Outages); !slices.ContainsFunc(own.states, func(s state) bool { return s != up }) {
		return "never down"
	}
	return own.outageBar()
}

// outageBar draws a bar over the columns in which the dependency is down for a time, with words in it where they fit.
func (ch *chart) outageBar() string {
	b := []rune(strings.Repeat(" ", ch.count))
	for i := 0; i < ch.count; {
		end := ch.run(i)
		switch ch.states[i] {
		case down:
			copy(b[i:end], ch.bracket(end-i, ch.bar, "down"))
			if ch.forever && end == ch.count {
				b[end-1] = ch.bar
			}
		case partly:
			whom := ch.whom(ch.column*time.Duration(i), ch.column*time.Duration(end))
			copy(b[i:end], ch.bracket(end-i, ch.flap, "down"+whom, "down for some"))
		case flapping:
			part := percent(ch.share(ch.column*time.Duration(i), ch.column*time.Duration(end)))
			copy(b[i:end], ch.bracket(end-i, ch.flap, "down "+part+" of the time", "down "+part, part))
		}
		i = end
	}
	return strings.TrimRight(string(b), " ")
}

// whom names those for whom the dependency is down in a span, where it is so for some, if it is always the same ones.
func (ch *chart) whom(from, to time.Duration) string {
	words := ""
	for _, o := range ch.some {
		switch s, whom := stretchOf(o), ch.forWhom(o); {
		case s.from >= to || s.to <= from || words == whom:
		case words != "":
			return " for some"
		default:
			words = whom
		}
	}
	return words
}

// percent writes a share of at most 1 in few digits.
func percent(share float64) string {
	switch p := 100 * share; {
	case p < 0.05:
		return "< 0.1 %"
	case p >= 10 && p < 99.5:
		return fixed(p, 0) + " %"
	default:
		return trimZeros(fixed(p, 1)) + " %"
	}
}

// bracket returns a bar of n columns with the first of the words that fits into it.
func (ch *chart) bracket(n int, bar rune, words ...string) []rune {
	b := []rune(strings.Repeat(string(bar), n))
	if n == 1 {
		return b
	}
	if bar == ch.bar {
		b[0], b[n-1] = ch.barStart, ch.barEnd
	}
	for _, word := range words {
		if n >= len(word)+2 {
			copy(b[1+min(2, (n-2-len(word))/2):], []rune(word))
			break
		}
	}
	return b
}
