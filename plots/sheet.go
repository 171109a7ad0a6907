package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Measures of a sheet. Its width is that of a page of text on the web; its height grows with the rows of panels.
const (
	sheetWidth  = 960 * px
	margin      = 20 * px
	stripHeight = 27 * px // the line over each panel that names it
	rowGap      = 9 * px
	columnGap   = 22 * px
	timeLabels  = 18 * px // what the labels under the lowest panel of a column take
	lineHeight  = 18 * px
)

// A sheet is a picture ready to be drawn: a heading, a grid of panels that share both axes, and a caption.
type sheet struct {
	title    string
	subtitle []string
	caption  string
	cols     int
	height   vg.Length // of one panel's data
	right    vg.Length // space kept free right of the panels
	stacked  bool      // the facts of a strip stand under the name, for want of width
	bare     bool      // there is no strip over a panel
	panels   []panel   // row by row
}

// A panel is a plot, mostly of one policy, and what is written over it.
type panel struct {
	plot  *plot.Plot
	color color.Color
	label string
	facts []fact // each stands in a column of its own, at the same place in every panel
}

// A fact is a number with what it counts before or behind it. An empty one leaves its column blank.
type fact struct{ lead, value, trail string }

func (s *sheet) rows() int { return (len(s.panels) + s.cols - 1) / s.cols }

// labelledRows counts the rows with a panel that has none below it, whose instants are therefore written out.
func (s *sheet) labelledRows() int {
	if len(s.panels)%s.cols == 0 || s.rows() == 1 {
		return 1
	}
	return 2
}

func (s *sheet) heading() vg.Length { return 46*px + lineHeight*vg.Length(len(s.subtitle)) }

func (s *sheet) strip() vg.Length {
	switch {
	case s.bare:
		return rowGap
	case s.stacked:
		return stripHeight + lineHeight
	}
	return stripHeight
}

func (s *sheet) footing() vg.Length { return 34 * px }

func (s *sheet) size() (w, h vg.Length) {
	body := vg.Length(s.rows())*(s.strip()+rowGap+s.height) + vg.Length(s.labelledRows())*timeLabels
	return sheetWidth, s.heading() + body + s.footing()
}

// draw puts the sheet on a canvas of its size.
func (s *sheet) draw(p *pen) {
	c := draw.New(p)
	c.SetColor(paper)
	c.Fill(c.Rectangle.Path())
	s.drawHeading(c)
	small := plain(10.5*px, softInk)
	put(c, small, margin, 13*px, fit(small, s.caption, sheetWidth-2*margin))

	areas := s.align(c)
	columns := s.factColumns()
	var names []string
	for i, p := range s.panels {
		area := areas[i/s.cols][i%s.cols]
		p.plot.Draw(area)
		data := p.plot.DataCanvas(area)
		if i == 0 { // all areas are of one size
			names = s.names(data, columns)
		}
		if !s.bare {
			p.drawStrip(data, columns, names[i], s.stacked)
		}
	}
}

// names returns the labels of the panels as they fit into the strips.
func (s *sheet) names(data draw.Canvas, columns []vg.Length) []string {
	width := data.Max.X - data.Min.X - chip - chipGap
	if !s.stacked {
		for _, w := range columns {
			width -= w + factGap
		}
	}
	labels := make([]string, len(s.panels))
	for i, p := range s.panels {
		labels[i] = p.label
	}
	name, _, _ := stripStyles()
	return fitAll(name, labels, func(i int) (vg.Length, int) { return width, i + 1 })
}

func (s *sheet) drawHeading(c draw.Canvas) {
	title, sub := headingStyles()
	y := c.Max.Y - 34*px
	put(c, title, margin, y, fit(title, s.title, sheetWidth-2*margin))
	y -= 4 * px
	for _, line := range s.subtitle {
		y -= lineHeight
		put(c, sub, margin, y, line)
	}
}

func headingStyles() (title, sub text.Style) { return bold(18.5*px, ink), plain(12.5*px, softInk) }

// titled puts the labels of policies into a title, shortened as far as the width asks for and the longest first.
func titled(format string, policies ...score) string {
	title, _ := headingStyles()
	labels, shares := make([]string, len(policies)), make([]vg.Length, len(policies))
	for i, p := range policies {
		labels[i] = p.label
	}
	blank := make([]any, len(labels))
	for i := range blank {
		blank[i] = ""
	}
	room := sheetWidth - 2*margin - title.Width(fmt.Sprintf(format, blank...))
	for i := range labels {
		shares[i] = room / vg.Length(len(labels))
		for k, other := range labels {
			if k != i {
				shares[i] = max(shares[i], room-title.Width(other))
			}
		}
	}
	short := fitAll(title, labels, func(i int) (vg.Length, int) { return shares[i] - px, policies[i].number })
	filled := make([]any, len(labels))
	for i := range short {
		filled[i] = short[i]
	}
	return fmt.Sprintf(format, filled...)
}

// subtitle sets each group of phrases on lines of its own, at most maxLines to a group.
func subtitle(groups ...[]string) []string {
	const maxLines = 3
	_, sub := headingStyles()
	var lines []string
	for _, phrases := range groups {
		last := len(lines) + maxLines
		line := ""
		for _, phrase := range phrases {
			phrase = printable(phrase, "")
			switch joined := line + "; " + phrase; {
			case phrase == "":
			case line == "":
				line = phrase
			case sub.Width(joined) <= sheetWidth-2*margin || len(lines)+1 == last:
				line = joined
			default:
				lines = append(lines, line)
				line = phrase
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		lines[i] = fit(sub, line, sheetWidth-2*margin)
	}
	return lines
}

// align lays the panels out so that their data areas are of one size and in line.
func (s *sheet) align(c draw.Canvas) [][]draw.Canvas {
	grid := make([][]*plot.Plot, s.rows())
	for row := range grid {
		grid[row] = make([]*plot.Plot, s.cols)
		for col := range grid[row] {
			if i := row*s.cols + col; i < len(s.panels) {
				grid[row][col] = s.panels[i].plot
				if i+s.cols < len(s.panels) {
					hideLabels(&grid[row][col].X)
				}
				if col > 0 {
					hideLabels(&grid[row][col].Y)
				}
			}
		}
	}
	tiles := draw.Tiles{Rows: s.rows(), Cols: s.cols, PadTop: s.strip(), PadX: columnGap, PadY: s.strip() + rowGap}
	return plot.Align(grid, tiles, draw.Crop(c, margin, -margin-s.right, s.footing(), -s.heading()))
}

func hideLabels(a *plot.Axis) {
	var bare plot.ConstantTicks
	for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
		t.Label = ""
		bare = append(bare, t)
	}
	a.Tick.Marker = bare
}

// The styles of a strip: the policy's name, the numbers, and the words around them.
func stripStyles() (name, number, words text.Style) {
	return bold(13.5*px, ink), bold(12.5*px, ink), plain(12.5*px, softInk)
}

func (f fact) width() vg.Length {
	_, number, words := stripStyles()
	w := number.Width(f.value)
	for _, s := range []string{f.lead, f.trail} {
		if s != "" {
			w += words.Width(s) + wordGap
		}
	}
	return w
}

const (
	wordGap = 4 * px
	factGap = 24 * px
	chip    = 11 * px
	chipGap = 7 * px
)

// factColumns returns the width of each column of facts: that of the widest.
func (s *sheet) factColumns() []vg.Length {
	var widths []vg.Length
	for _, p := range s.panels {
		for i, f := range p.facts {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], f.width())
		}
	}
	return widths
}

// drawStrip writes what stands over a panel: its colour and name at the left, and its facts in columns at the right or, stacked,
// on a line of their own.
func (p panel) drawStrip(data draw.Canvas, columns []vg.Length, label string, stacked bool) {
	y := data.Max.Y + 10*px
	left := data.Max.X + factGap
	for _, w := range columns {
		left -= w + factGap
	}
	if stacked {
		left = data.Min.X
	}
	for i, f := range p.facts {
		f.draw(data, left+columns[i], y)
		left += columns[i] + factGap
	}
	if stacked {
		y += lineHeight
	}
	name, _, _ := stripStyles()
	x, low := data.Min.X, y-px
	data.FillPolygon(p.color, []vg.Point{{X: x, Y: low}, {X: x + chip, Y: low}, {X: x + chip, Y: low + chip}, {X: x, Y: low + chip}})
	put(data, name, x+chip+chipGap, y, label)
}

// draw writes a fact so that it ends at right.
func (f fact) draw(c draw.Canvas, right, y vg.Length) {
	_, number, words := stripStyles()
	x := right - f.width()
	if f.lead != "" {
		x = put(c, words, x, y, f.lead) + wordGap
	}
	x = put(c, number, x, y, f.value)
	if f.trail != "" {
		put(c, words, x+wordGap, y, f.trail)
	}
}
