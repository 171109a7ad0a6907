package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"herdsim/sim/result"
)

// An outage is a half-open span in seconds; to is +Inf when it never ends.
type outage struct {
	from, to float64
	whom     string // " for …", those whom it concerns; "" for everybody
}

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
		read = append(read, outage{from, to, forWhom(o.Cohorts)})
	}
	slices.SortStableFunc(read, func(a, b outage) int { return int(sign(a.from - b.from)) })
	return read, nil
}

// forSome stands for those whom an outage concerns where they cannot be named.
const forSome = " for some"

func forWhom(cohorts []string) string {
	var names []string
	for _, c := range cohorts {
		names = append(names, printable(c, "some"))
	}
	if names == nil {
		return ""
	}
	return " for " + strings.Join(names, ", ")
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
	if s.whom == "" && s.flaps() {
		return []string{"down " + s.part() + " of the time", "down " + s.part()}
	}
	if s.whom != "" {
		return []string{"dependency down" + s.whom, "down" + s.whom, "down" + forSome}
	}
	return []string{"dependency down", "down"}
}

// Shades are stretches, drawn over the whole height of a panel: grey, or a paler grey where they flap or are for some only.
type shades []stretch

// newShades merges outages, given by start, that a pixel of so many seconds does not part. What is for some lies below the rest.
func newShades(outages []outage, pixel float64) shades {
	var all, some shades
	for _, o := range outages {
		switch {
		case o.from == o.to:
		case o.whom == "":
			all = all.with(o, pixel)
		default:
			some = some.with(o, pixel)
		}
	}
	return append(some, all...)
}

// with merges an outage that begins no earlier than those before.
func (s shades) with(o outage, pixel float64) shades {
	if len(s) == 0 {
		return shades{{o, o.to - o.from}}
	}
	last := &s[len(s)-1]
	switch {
	case o.from <= last.to:
		last.down += max(0, o.to-last.to)
		last.to = max(last.to, o.to)
	case last.merges(o, pixel):
		*last = last.with(o)
	default:
		return append(s, stretch{o, o.to - o.from})
	}
	if last.whom != o.whom {
		last.whom = forSome
	}
	return s
}

// shading says what the shades of a panel mean.
func shading(down shades) []string {
	if len(down) == 0 {
		return nil
	}
	var paler []string
	if slices.ContainsFunc(down, func(s stretch) bool { return s.whom == "" && s.flaps() }) {
		paler = append(paler, "down part of the time")
	}
	if slices.ContainsFunc(down, func(s stretch) bool { return s.whom != "" }) {
		paler = append(paler, "down for some")
	}
	switch {
	case paler == nil:
		return []string{"shaded: dependency down"}
	case !slices.ContainsFunc(down, func(s stretch) bool { return s.whom == "" }):
		return []string{"shaded: dependency down for some"}
	}
	return []string{"shaded: dependency down, paler: " + strings.Join(paler, " or ")}
}

func (s stretch) with(o outage) stretch {
	return stretch{outage{s.from, o.to, s.whom}, s.down + o.to - o.from}
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
		if o.whom != "" || o.flaps() {
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
