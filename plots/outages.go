package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"herdsim/sim/result"
)

// An outage is a half-open span in seconds; to is +Inf when it never ends.
type outage struct{ from, to float64 }

func readOutages(outages []result.Outage) ([]outage, error) {
	var read []outage
	for _, o := range outages {
		from, err := bounded(o.Start, maxSeconds)
		if err != nil {
			return nil, fmt.Errorf("outage %q: start_s: %w", o.Name, err)
		}
		to := math.Inf(1)
		if o.End != nil {
			if to, err = bounded(*o.End, maxSeconds); err != nil {
				return nil, fmt.Errorf("outage %q: end_s: %w", o.Name, err)
			}
		}
		if to < from {
			return nil, fmt.Errorf("outage %q: end_s %s lies before start_s %s", o.Name, o.End, o.Start)
		}
		read = append(read, outage{from, to})
	}
	slices.SortStableFunc(read, func(a, b outage) int { return int(sign(a.from - b.from)) })
	return read, nil
}

// A stretch is what a panel shades: an outage, or several with gaps between them that no eye could see.
type stretch struct {
	outage
	down float64 // seconds of it for which the dependency is down
}

// Outages are flapping when they merge into a stretch that is down for less than the share solid of its time.
// One of more than slim pixels is seen for itself.
const (
	solid = 0.9995
	slim  = 4
)

func (s stretch) flaps() bool { return s.down/(s.to-s.from) < solid }

// part writes the share of the time for which the dependency is down.
func (s stretch) part() string {
	switch p := 100 * s.down / (s.to - s.from); {
	case p < 0.05:
		return "< 0.1 %"
	case p >= 10 && p < 99.5:
		return trimmed(p, 0) + " %"
	default:
		return trimmed(p, 1) + " %"
	}
}

// words are what a stretch may be called, the best first.
func (s stretch) words() []string {
	if s.flaps() {
		return []string{"down " + s.part() + " of the time", "down " + s.part()}
	}
	return []string{"dependency down", "down"}
}

// Shades are stretches, drawn over the whole height of a panel: grey, or a paler grey where they flap.
type shades []stretch

// newShades merges outages, given by start, that a pixel of so many seconds does not part.
func newShades(outages []outage, pixel float64) shades {
	var all shades
	for _, o := range outages {
		n := len(all)
		switch {
		case o.from == o.to:
		case n > 0 && o.from <= all[n-1].to:
			all[n-1].down += max(0, o.to-all[n-1].to)
			all[n-1].to = max(all[n-1].to, o.to)
		case n > 0 && all[n-1].merges(o, pixel):
			all[n-1] = all[n-1].with(o)
		default:
			all = append(all, stretch{o, o.to - o.from})
		}
	}
	return all
}

// shading says what the shades of a panel mean.
func (s *scene) shading(down shades) []string {
	switch {
	case slices.ContainsFunc(down, stretch.flaps):
		return []string{"shaded: dependency down, paler: down part of the time"}
	case len(s.outages) > 0:
		return []string{"shaded: dependency down"}
	}
	return nil
}

func (s stretch) with(o outage) stretch {
	return stretch{outage{s.from, o.to}, s.down + o.to - o.from}
}

// merges reports whether an outage behind a stretch cannot be told from it: the gap is not seen, and neither would be by itself.
func (s stretch) merges(o outage, pixel float64) bool {
	if o.from > max(s.to, s.from+pixel)+pixel/2 {
		return false
	}
	return (s.flaps() || s.to-s.from < slim*pixel) && o.to-o.from < slim*pixel || !s.with(o).flaps()
}

// Plot implements plot.Plotter.
func (s shades) Plot(c draw.Canvas, p *plot.Plot) {
	for _, o := range s {
		from, to := o.on(c, p)
		color := shade
		if o.flaps() {
			color = paleShade
		}
		c.FillPolygon(color, []vg.Point{{X: from, Y: c.Min.Y}, {X: from, Y: c.Max.Y}, {X: to, Y: c.Max.Y}, {X: to, Y: c.Min.Y}})
	}
}

// on returns where a stretch lies on the canvas, cut at its edge, a pixel wide at least.
func (s stretch) on(c draw.Canvas, p *plot.Plot) (from, to vg.Length) {
	x := func(t float64) vg.Length { return c.X(p.X.Norm(min(max(t, p.X.Min), p.X.Max))) }
	from, to = x(s.from), x(s.to)
	return from, min(max(to, from+px), c.Max.X)
}
