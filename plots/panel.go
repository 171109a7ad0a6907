package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// newPlot returns an empty plot of the house style over [left, right] and the scale.
func newPlot(left, right float64, y scale, yticks, xticks plot.ConstantTicks) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max = left, right
	p.Y.Min, p.Y.Max = 0, y.top
	p.Y.Scale = y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.Tick.Label.Font = plain(10.5*px, softInk).Font
		a.Tick.Label.Color = softInk
		a.Label.TextStyle.Font = plain(10.5*px, softInk).Font
		a.LineStyle = draw.LineStyle{Color: softInk, Width: 1 * px}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4 * px
	}
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	p.Y.Padding = 4 * px // keeps the lowest label clear of the first one below the panel
	p.X.Tick.Marker, p.Y.Tick.Marker = xticks, yticks
	return p
}

// gridLines draws a hairline at each tick of the vertical axis above 0.
type gridLines struct{}

// Plot implements plot.Plotter.
func (gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := c.Y(p.Y.Norm(t.Value)); t.Value > 0 {
			c.StrokeLine2(draw.LineStyle{Color: hairline, Width: 1 * px}, c.Min.X, y, c.Max.X, y)
		}
	}
}

// notes are the labels inside a panel: the peak and, where asked for, the outages.
type notes struct {
	bars     bars
	peak     *peak
	capacity float64 // per second; its line must not cross a label
	outages  shades
}

// A peak is the bar to point at.
type peak struct{ from, height float64 }

// Plot implements plot.Plotter. The peak's label comes first; an outage goes without one where there is no room.
func (n notes) Plot(c draw.Canvas, p *plot.Plot) {
	var taken []vg.Rectangle
	if n.peak != nil {
		taken = append(taken, n.peak.mark(c, p, n))
	}
	small := plain(10.5*px, softInk)
	y := c.Max.Y - 12*px
	for _, o := range n.outages {
		from, to := o.on(c, p)
		for _, txt := range o.words() {
			box := textBox(face(small), from+4*px, y, txt)
			free := !slices.ContainsFunc(taken, func(t vg.Rectangle) bool { return overlap(t, box) })
			if free && box.Max.X <= to {
				put(c, small, box.Min.X, y, txt)
				taken = append(taken, box)
				break
			}
		}
	}
}

// mark points at the peak with a small triangle and writes height and instant beside it, above every bar on the way
// and clear of the capacity's line.
func (k *peak) mark(c draw.Canvas, p *plot.Plot, n notes) vg.Rectangle {
	s := bold(11*px, ink)
	txt := perSecond(k.height) + " at " + instant(k.from)
	x, top := c.X(p.X.Norm(k.from+n.bars.bin/2)), c.Y(p.Y.Norm(k.height))
	side := 3.5 * px
	triangle := []vg.Point{{X: x, Y: top + 1.5*px}, {X: x - side, Y: top + 1.5*px + 1.6*side}, {X: x + side, Y: top + 1.5*px + 1.6*side}}
	c.FillPolygon(ink, triangle)

	left := x + side + 3*px
	if left+s.Width(txt) > c.Max.X {
		left = max(c.Min.X, x-side-3*px-s.Width(txt))
	}
	at := func(x vg.Length) float64 { return p.X.Min + float64((x-c.Min.X)/(c.Max.X-c.Min.X))*(p.X.Max-p.X.Min) }
	clear := c.Y(p.Y.Norm(n.bars.between(at(left-2*px), at(left+s.Width(txt)+2*px))))
	y := max(top+1.5*px, clear+4*px)
	if line := c.Y(p.Y.Norm(n.capacity)); n.capacity > 0 && y-s.FontExtents().Descent < line && line < y+s.FontExtents().Ascent {
		y = line + 4*px
	}
	y = min(y, c.Max.Y-s.FontExtents().Ascent)
	put(c, s, left, y, txt)
	box := textBox(face(s), left, y, txt)
	box.Min.X = min(box.Min.X, x-side)
	return box
}

// remark is what an empty panel says, just above its base line, where no other line crosses it.
type remark string

// Plot implements plot.Plotter.
func (r remark) Plot(c draw.Canvas, _ *plot.Plot) {
	s := plain(12.5*px, softInk)
	put(c, s, c.Center().X-s.Width(string(r))/2, c.Min.Y+4*px, string(r))
}
