package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"herdsim/sim/result"
)

// arrivals draws the retries per second that reach the dependency, one panel per policy: whether a herd that failed together
// comes back together.
func arrivals(s *scene) (*sheet, error) {
	tracks, err := s.retryTracks()
	if err != nil {
		return nil, err
	}
	sh := &sheet{cols: 1, height: 108 * px, caption: s.caption(s.replication(), "over the panels: peak in any "+exactly(s.set.Window.Float())+" window"+s.means(", "))}
	if n := len(tracks); n > 6 {
		sh.cols, sh.height, sh.stacked = 2, 84*px, true
	} else if n > 4 {
		sh.height = 84 * px
	}
	if most := s.mostCapacity(); most > 0 {
		sh.right = capacityMargin(most)
	}
	end := s.lastInstant(tracks)
	all := make([]bars, len(tracks))
	for i, t := range tracks {
		all[i] = newBars(t.bin, t.counts, end, columnsPerPanel/sh.cols)
	}
	y := s.arrivalScale(tracks, all)
	x := timeAxis{end: end}
	for i := range tracks {
		x.down = append(x.down, newShades(s.worlds[i].outages, end*beyondEnd/float64(columnsPerPanel/sh.cols)))
	}
	if err := s.addArrivalPanels(sh, tracks, all, x, y); err != nil {
		return nil, err
	}
	sh.title, err = s.arrivalFinding()
	sh.subtitle = subtitle(s.workload(), s.arrivalUnits(all, slices.Concat(x.down...), y))
	return sh, err
}

// A timeAxis is where the panels end, in seconds, and what each shades.
type timeAxis struct {
	end  float64
	down []shades
}

// beyondEnd is how far an axis reaches, for the last label to be seen.
const beyondEnd = 1.01

// columnsPerPanel is about the width in pixels of a panel that has the sheet to itself.
const columnsPerPanel = 820

// A track is a policy's retries per bin.
type track struct {
	bin    float64
	counts result.Track
}

func (s *scene) retryTracks() ([]track, error) {
	var tracks []track
	for _, p := range s.set.Policies {
		if p.Series == nil {
			return nil, fmt.Errorf("the result has no series for policy %q: run again without --no-series", p.Name)
		}
		bin, err := readTrack(p.Series.Bin, p.Series.Retries)
		if err != nil {
			return nil, fmt.Errorf("policy %q: retries: %w", p.Name, err)
		}
		tracks = append(tracks, track{bin, p.Series.Retries})
	}
	return tracks, nil
}

// lastInstant returns the end of the time axis: where the last retry of any policy ends, and a little more of an outage that goes on
// from there; without retries, where the outages or else the calls end.
func (s *scene) lastInstant(tracks []track) float64 {
	var retries, calls float64
	for i, t := range tracks {
		retries = max(retries, float64(used(t.counts.First))*t.bin, float64(used(t.counts.P95))*t.bin)
		calls = max(calls, min(float64(used(s.set.Policies[i].Series.Calls.First))*t.bin, maxSeconds))
	}
	var outages float64
	for _, w := range append(s.worlds, s.world) {
		for _, o := range w.outages {
			if outages = max(outages, o.from); !math.IsInf(o.to, 1) {
				outages = max(outages, o.to)
			}
		}
	}
	switch {
	case retries > 0:
		return max(retries, min(outages, 1.2*retries))
	case outages > 0:
		return outages
	case calls > 0:
		return calls
	}
	return 1
}

// used counts the bins up to the last that is not 0.
func used(counts []int64) int {
	n := len(counts)
	for n > 0 && counts[n-1] == 0 {
		n--
	}
	return n
}

// peakAfter returns the highest bin of the first replication that begins at from or later; nil without retries there.
func (t track) peakAfter(from float64) *peak {
	var found *peak
	for i, n := range t.counts.First {
		start := float64(i) * t.bin
		if height := float64(n) / t.bin; n > 0 && start >= from && (found == nil || height > found.height) {
			found = &peak{start, height}
		}
	}
	return found
}

// arrivalScale fits the highest bar of any panel, and the capacity unless it is far above.
func (s *scene) arrivalScale(tracks []track, all []bars) scale {
	from := s.peak().from
	var top, detail float64
	for i, t := range tracks {
		top = max(top, all[i].between(0, maxSeconds))
		if p := t.peakAfter(from); p != nil && (detail == 0 || p.height < detail) {
			detail = p.height
		}
	}
	if most := s.mostCapacity(); most > 0 && (most <= 2*top || top == 0) {
		top = max(top, most)
		detail = most
	} else {
		detail = max(detail, top/100)
	}
	return newScale(top, detail)
}

func (s *scene) addArrivalPanels(sh *sheet, tracks []track, all []bars, x timeAxis, y scale) error {
	from := s.peak().from
	xticks := timeTicks(x.end, 10/sh.cols)
	yticks := y.ticks(float64(15 * px / sh.height))
	for i, t := range tracks {
		facts, err := s.arrivalFacts(i, sh.cols > 1)
		if err != nil {
			return err
		}
		p := newPlot(0, x.end*beyondEnd, y, yticks, xticks)
		w := s.worlds[i]
		p.Add(x.down[i], gridLines{})
		addBars(p, all[i], w.limits, policyColor(i))
		p.Add(capacityLine{w.limits, w.capacity, (i+1)%sh.cols == 0 || len(tracks) == 1})
		n := notes{bars: all[i], peak: t.peakAfter(from), capacity: w.capacity}
		if i == 0 || !slices.Equal(x.down[i], x.down[0]) {
			n.outages = x.down[i]
		}
		p.Add(n)
		if all[i].between(0, maxSeconds) == 0 {
			p.Add(remark("no retries"))
		}
		sh.panels = append(sh.panels, panel{p, policyColor(i), s.labels[i], facts})
	}
	return nil
}

func (s *scene) arrivalFacts(i int, brief bool) ([]fact, error) {
	term := s.peak()
	height, known, err := s.metric(i, term.key)
	if err != nil {
		return nil, err
	}
	facts := make([]fact, 3)
	if known {
		facts[0] = fact{lead: term.lead, value: rate(height)}
		if capacity := s.worlds[i].capacity; capacity > 0 {
			facts[0].trail = share(height/capacity) + " capacity"
		}
		if brief {
			facts[0].lead, facts[0].trail = "peak", strings.TrimSuffix(facts[0].trail, " capacity")
		}
	}
	for k, m := range []struct{ key, unit string }{{"jobs.dead", "dead"}, {"calls.total", "calls"}} {
		mean, known, err := s.metric(i, m.key)
		if err != nil {
			return nil, err
		}
		if known {
			facts[k+1] = fact{value: amount(mean), trail: m.unit}
		}
	}
	return facts, nil
}

// arrivalFinding sums the picture up: the policy that retries the least at once, beside the one that does the most.
func (s *scene) arrivalFinding() (string, error) {
	term := s.peak()
	const title = "Retries per second"
	low, high, n, err := s.extremes(term.key, false)
	if err != nil {
		return "", err
	}
	if n == 0 {
		if _, _, n, err = s.extremes(term.key, true); n > 0 {
			return title + ": none" + term.when, err
		}
		return title, err
	}
	switch {
	case n == 1 && s.worlds[low.number-1].capacity > 0:
		return titled(title+": %s peaks at "+rate(low.value)+term.when+", "+times(low.value/s.worlds[low.number-1].capacity)+" the capacity", low), nil
	case n == 1:
		return titled(title+": %s peaks at "+rate(low.value)+term.when, low), nil
	case rate(low.value) == rate(high.value):
		return title + ": " + s.alike(n, "peak") + " at " + rate(low.value) + term.when, nil
	}
	return titled(title+": %s peaks at "+rate(low.value)+term.when+", %s at "+rate(high.value), low, high), nil
}

// arrivalUnits says what a bar is and what its colours mean.
func (s *scene) arrivalUnits(all []bars, down shades, y scale) []string {
	bin, group, replicated := all[0].bin, 1, false
	for _, b := range all {
		if b.bin != bin {
			bin = 0
		}
		group = max(group, b.group)
		replicated = replicated || len(b.high) > 0
	}
	parts := []string{"Bars: retries per second in each bin"}
	if bin > 0 {
		parts[0] = "Bars: retries per second in bins of " + exactly(bin)
	}
	if group > 1 {
		parts[0] += fmt.Sprintf(" (the highest of every %d bins)", group)
	}
	if slices.ContainsFunc(s.worlds, func(w world) bool { return anyLimit(w.limits) }) {
		parts = append(parts, "full colour: above capacity")
	}
	if replicated {
		parts = append(parts, fmt.Sprintf("grey: 5–95 %% of %d replications", s.result.Replications))
	}
	parts = append(parts, shading(down)...)
	if w := y.words(); w != "" {
		parts = append(parts, w)
	}
	return parts
}

func (s *scene) replication() string {
	if s.result.Replications > 1 {
		return fmt.Sprintf("bars: replication 1 of %d", s.result.Replications)
	}
	return "one replication"
}

// addBars draws the band of all replications and the first replication in front of it.
func addBars(p *plot.Plot, b bars, limits []limit, c color.NRGBA) {
	if len(b.high) > 0 {
		p.Add(filled(b.area(b.high, padded(b.low, len(b.high))), spread))
	}
	if len(b.first) == 0 {
		return
	}
	p.Add(filled(b.area(b.first, nil), c))
	if anyLimit(limits) {
		p.Add(filled(b.area(b.capped(b.first, limits), nil), tint(c, 45)))
	}
}

// padded fills the zeros in that a track leaves out at its end.
func padded(values []float64, n int) []float64 {
	return append(append(make([]float64, 0, n), values...), make([]float64, max(0, n-len(values)))...)[:n]
}
