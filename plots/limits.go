package plots

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"herdsim/sim/result"
)

// A limit is the capacity from an instant on, per second; +Inf where the dependency has none.
type limit struct{ from, perSecond float64 }

// readLimits returns the capacity over time; always is what it is without steps, 0 for none.
func readLimits(steps []result.Step, always float64) ([]limit, error) {
	if always == 0 {
		always = math.Inf(1)
	}
	read := []limit{{0, always}}
	for i, s := range steps {
		from, err := bounded(s.From, maxSeconds)
		if err != nil {
			return nil, fmt.Errorf("step %d: from_s: %w", i, err)
		}
		perSecond := math.Inf(1)
		if s.Capacity != nil {
			if perSecond, err = bounded(*s.Capacity, maxAmount); err != nil {
				return nil, fmt.Errorf("step %d: capacity_per_s: %w", i, err)
			}
		}
		read = append(read, limit{from, perSecond})
	}
	return read, nil
}

// limitAt returns the capacity at an instant.
func limitAt(limits []limit, seconds float64) float64 {
	after := sort.Search(len(limits), func(i int) bool { return limits[i].from > seconds })
	return limits[max(0, after-1)].perSecond
}

// anyLimit reports whether the dependency has a capacity above 0 at any time.
func anyLimit(limits []limit) bool {
	return slices.ContainsFunc(limits, func(l limit) bool { return l.perSecond > 0 && !math.IsInf(l.perSecond, 1) })
}

// capped limits each column to what the dependency can take when it begins.
func (b bars) capped(values []float64, limits []limit) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = min(v, limitAt(limits, float64(i)*b.width()))
	}
	return out
}

// capacityLine is the dependency's capacity over time as a dashed line. The one outside phases is named in the margin, where no
// data is.
type capacityLine struct {
	limits    []limit
	perSecond float64 // outside phases
	named     bool
}

// Plot implements plot.Plotter. A capacity above the panel gets an arrow at the panel's top instead of a line.
func (l capacityLine) Plot(c draw.Canvas, p *plot.Plot) {
	style := draw.LineStyle{Color: ink, Width: 1.2 * px, Dashes: []vg.Length{5 * px, 3 * px}}
	for i, step := range l.limits {
		to := p.X.Max
		if i+1 < len(l.limits) {
			to = min(to, l.limits[i+1].from)
		}
		if at := p.Y.Norm(step.perSecond); step.perSecond > 0 && !math.IsInf(step.perSecond, 1) && at <= 1 && step.from < to {
			c.StrokeLine2(style, c.X(p.X.Norm(step.from)), c.Y(at), c.X(p.X.Norm(to)), c.Y(at))
		}
	}
	if !l.named || l.perSecond == 0 {
		return
	}
	small := plain(10.5*px, ink)
	txt, at := "capacity "+rate(l.perSecond), p.Y.Norm(l.perSecond)
	y := c.Y(at)
	if at > 1 {
		y, txt = c.Max.Y-6*px, "↑ "+txt
	}
	put(c, small, c.Max.X+marginGap, middle(small, y), txt)
}

const marginGap = 5 * px

// capacityMargin returns the space that the capacity's name needs right of the panels.
func capacityMargin(perSecond float64) vg.Length {
	return plain(10.5*px, ink).Width("↑ capacity "+rate(perSecond)) + marginGap
}
