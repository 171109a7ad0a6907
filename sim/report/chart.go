package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"herdsim/sim/result"
)

// A chart shows the retries per second of one case: a row per policy, a column per span of time. A column's value is the
// highest rate of any bin that begins in it, in the first replication.
type chart struct {
	style
	column  time.Duration
	count   int             // columns
	rows    []row           // in the order of the policies
	outages []stretch       // for all
	some    []result.Outage // for some
	states  []state         // of the dependency, for each column
	replays []bool          // columns in which dead letters are replayed
	forever bool            // the last outage has no end
	low, hi float64         // the least value of a column above 0, and the greatest
	bin     bins            // of the first policy that has any
	label   int             // columns taken by the policies' labels, the gap included
	edges   []float64       // the levels' lower edges, see setEdges
	over    bool            // a column is above it
}

type bins struct {
	width time.Duration
	same  bool // all policies have the same
}

type row struct {
	label string
	rates []float64
	above []bool // retries came faster than the capacity while the dependency was up
	own   string // the bar of its own outages; "" where they are the case's
}

// newChart returns nil when the case has no series.
func newChart(s style, c *result.Case) *chart {
	ch := &chart{style: s}
	var widths []time.Duration
	labels := make([]string, len(c.Policies))
	for i := range c.Policies {
		p := &c.Policies[i]
		labels[i] = s.clean(labelOf(p))
		if p.Series != nil {
			widths = append(widths, nanoseconds(p.Series.Bin))
		}
	}
	if len(widths) == 0 || slices.Min(widths) <= 0 {
		return nil
	}
	ch.bin = bins{widths[0], slices.Min(widths) == slices.Max(widths)}
	ch.label = labelWidth(s, labels) + 2
	labels = s.shortenAll(labels, ch.label-2)
	end := horizon(c)
	room := int64(s.width - ch.label)
	ch.column = columnSpan(end, room, widths)
	ch.count = int(max(1, min(room, ceilDiv(end, ch.column))))
	for i := range c.Policies {
		ch.rows = append(ch.rows, ch.row(c, &c.Policies[i], labels[i]))
	}
	ch.setStates(c.Outages)
	ch.setReplays(c)
	ch.setEdges()
	return ch
}

// labelOf returns what a policy is called in a report.
func labelOf(p *result.Policy) string {
	if p.Label != "" {
		return p.Label
	}
	return p.Name
}

// labelWidth gives labels what they need, but at most a third of the line.
func labelWidth(s style, labels []string) int {
	widest := 0
	for _, l := range labels {
		widest = max(widest, columns(l))
	}
	return min(widest, s.width/3)
}

// nanoseconds turns seconds into a span; what does not fit is the longest one.
func nanoseconds(n result.Number) time.Duration {
	ns := math.Round(n.Float() * 1e9)
	if ns >= 1<<62 {
		return 1 << 62
	}
	return time.Duration(ns)
}

func ceilDiv(a, b time.Duration) int64 { return int64((a-1)/b) + 1 }

// horizon is the instant at which the chart ends: all retries and all outages that begin are on it.
func horizon(c *result.Case) time.Duration {
	end := time.Duration(1)
	for i := range c.Policies {
		if s := c.Policies[i].Series; s != nil {
			bin, n := nanoseconds(s.Bin), time.Duration(len(s.Retries.First))
			if n > (1<<62)/bin {
				return 1 << 62
			}
			end = max(end, bin*n)
		}
	}
	for _, w := range worlds(c) {
		if w.Replay != nil {
			end = max(end, nanoseconds(w.Replay.At)+time.Second)
		}
		for _, o := range w.Outages {
			if o.End != nil {
				end = max(end, nanoseconds(*o.End))
			} else {
				end = max(end, nanoseconds(o.Start)+time.Second)
			}
		}
	}
	return end
}

// worlds returns the case's, and those that policies have for themselves.
func worlds(c *result.Case) []*result.World {
	all := []*result.World{&c.World}
	for i := range c.Policies {
		if w := c.Policies[i].World; w != nil {
			all = append(all, w)
		}
	}
	return all
}

// columnSpan returns the shortest round span, a multiple of all bins, with which the chart fits into room columns.
func columnSpan(end time.Duration, room int64, widths []time.Duration) time.Duration {
	fits := func(d time.Duration) bool {
		return ceilDiv(end, d) <= room && !slices.ContainsFunc(widths, func(w time.Duration) bool { return d%w != 0 })
	}
	for _, d := range roundSpans() {
		if fits(d) {
			return d
		}
	}
	widest := slices.Max(widths)
	n := max(1, ceilDiv(end, widest*1)/room)
	for n < 1<<40 && ceilDiv(end, widest*time.Duration(n)) > room {
		n++
	}
	return widest * time.Duration(n)
}

// roundSpans are the spans that a reader counts in.
func roundSpans() []time.Duration {
	var all []time.Duration
	for unit := time.Microsecond; unit < time.Second; unit *= 10 {
		all = append(all, unit, 2*unit, 5*unit)
	}
	for _, unit := range []time.Duration{time.Second, time.Minute} {
		for _, n := range []time.Duration{1, 2, 5, 10, 15, 20, 30} {
			all = append(all, n*unit)
		}
	}
	for _, n := range []time.Duration{1, 2, 3, 4, 6, 12, 24, 48, 120, 240, 24 * 30, 24 * 60, 24 * 180, 24 * 365} {
		all = append(all, n*time.Hour)
	}
	return all
}

func (ch *chart) row(c *result.Case, p *result.Policy, label string) row {
	w := c.For(p)
	r := row{label: label, rates: make([]float64, ch.count), above: make([]bool, ch.count), own: ch.ownBar(c, w)}
	if p.Series == nil {
		return r
	}
	bin := nanoseconds(p.Series.Bin)
	for i, n := range p.Series.Retries.First {
		at := bin * time.Duration(i)
		k := int(at / ch.column)
		if k >= ch.count {
			break
		}
		v := float64(n) / p.Series.Bin.Float()
		r.rates[k] = max(r.rates[k], v)
		if limit := w.CapacityAt(at.Seconds()); limit != nil && v > limit.Float() && !isDown(w, at) {
			r.above[k], ch.over = true, true
		}
	}
	for _, v := range r.rates {
		ch.hi = max(ch.hi, v)
		if v > 0 && (ch.low == 0 || v < ch.low) {
			ch.low = v
		}
	}
	return r
}

// isDown reports whether the dependency is down for all.
func isDown(w *result.World, at time.Duration) bool {
	return slices.ContainsFunc(w.Outages, func(o result.Outage) bool {
		s := stretchOf(o)
		return isForAll(o) && at >= s.from && (at < s.to || o.End == nil)
	})
}

// linearUpTo is the ratio of the greatest rate to the least below which a block's height is in proportion to the rate: on a
// log scale of so few values a small difference would look like a large one.
const linearUpTo = 8

func (ch *chart) linear() bool { return ch.hi < linearUpTo*ch.low }

// setEdges divides [low, hi] into bands of equal ratio, one for each sign. It compares powers instead of taking
// logarithms, whose last bit differs from one processor to the next: v is in band k or above when
// v^n >= hi^k · low^(n-k). On a linear scale, which begins at 0, no edge is needed.
func (ch *chart) setEdges() {
	n := len([]rune(ch.levels))
	for k := range n {
		ch.edges = append(ch.edges, power(ch.hi, k)*power(ch.low, n-k))
	}
}

func power(v float64, n int) float64 {
	p := 1.0
	for range n {
		p *= v
	}
	return p
}

// sign returns the block that stands for a rate.
func (ch *chart) sign(v float64) rune {
	levels := []rune(ch.levels)
	switch v {
	case 0:
		return ' '
	case ch.hi:
		return levels[len(levels)-1]
	}
	if ch.linear() {
		k := 0
		for k+1 < len(levels) && v*float64(len(levels)) > ch.hi*float64(k+1) {
			k++
		}
		return levels[k]
	}
	k, p := 0, power(v, len(levels))
	for k+1 < len(levels) && p >= ch.edges[k+1] {
		k++
	}
	return levels[k]
}

// write adds the chart's lines to a text.
func (ch *chart) write(t *text) {
	const title = "RETRIES PER SECOND"
	if ch.hi == 0 {
		t.titled(title, "none in the first replication")
		return
	}
	t.titled(title, ch.legend(t.result.Replications))
	gap := strings.Repeat(" ", ch.label)
	t.line(gap + ch.axis())
	if slices.ContainsFunc(ch.states, func(s state) bool { return s != up }) {
		t.line(gap + ch.outageBar())
	}
	if slices.Contains(ch.replays, true) {
		t.line(gap + marks(ch.replays, ch.replay))
	}
	for i, r := range ch.rows {
		if r.own != "" {
			t.line(gap + r.own)
		}
		var b strings.Builder
		for _, v := range r.rates {
			b.WriteRune(ch.sign(v))
		}
		t.line(ch.tint(strings.TrimRight(pad(r.label, ch.label, false)+b.String(), " "), i))
		if slices.Contains(r.above, true) {
			t.line(gap + marks(r.above, '^'))
		}
	}
}

// setReplays finds the columns in which a replay begins, of whichever policy.
func (ch *chart) setReplays(c *result.Case) {
	ch.replays = make([]bool, ch.count)
	for i := range c.Policies {
		r := c.For(&c.Policies[i]).Replay
		if r == nil {
			continue
		}
		every := forever
		if r.Every != nil {
			every = max(nanoseconds(*r.Every), ch.column) // one mark a column is all there can be
		}
		for at := nanoseconds(r.At); at/ch.column < time.Duration(ch.count); at += every {
			ch.replays[at/ch.column] = true
		}
	}
}

func marks(where []bool, mark rune) string {
	b := []rune(strings.Repeat(" ", len(where)))
	for i, w := range where {
		if w {
			b[i] = mark
		}
	}
	return string(b)
}

// broken says what a broken line means; "" when there is none.
func (ch *chart) broken() string {
	var meanings []string
	if slices.Contains(ch.states, flapping) {
		meanings = append(meanings, "down part of the time")
	}
	if slices.Contains(ch.states, partly) {
		meanings = append(meanings, "down for some")
	}
	return strings.Join(meanings, ", ")
}

// legend says what a column, a block and a mark mean.
func (ch *chart) legend(replications int) string {
	parts := []string{"each column is " + ch.span(ch.column.Seconds())}
	switch {
	case !ch.bin.same:
		parts[0] += " and shows its busiest bin"
	case ch.bin.width < ch.column:
		parts[0] += " and shows its busiest " + ch.span(ch.bin.width.Seconds())
	}
	top := fmt.Sprintf("%c = %s/s", ch.sign(ch.hi), group(sensible(ch.hi)))
	if ch.low < ch.hi {
		low := fmt.Sprintf("%c = %s/s", ch.sign(ch.low), group(sensible(ch.low)))
		scale := "log"
		if ch.linear() {
			scale = "linear"
		}
		top = "shared " + scale + " scale, " + together(low) + " to " + together(top)
	}
	if replications > 1 {
		parts = append([]string{"first replication"}, parts...)
	}
	parts = append(parts, top)
	if words := ch.broken(); words != "" {
		parts = append(parts, together(string(ch.flap)+" = "+words))
	}
	if slices.Contains(ch.replays, true) {
		parts = append(parts, together(string(ch.replay)+" = dead letters replayed"))
	}
	if ch.over {
		parts = append(parts, together("^ = above capacity"))
	}
	return strings.Join(parts, "; ")
}
