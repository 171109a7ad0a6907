package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"herdsim/sim/result"
)

// dead draws the dead letters of every policy as they add up, in one panel, each line named at its end.
func dead(s *scene) (*sheet, error) {
	tracks, err := s.retryTracks()
	if err != nil {
		return nil, err
	}
	end := s.lastInstant(tracks)
	lines := make([]tollLine, len(tracks))
	top := 0.0
	for i, t := range tracks {
		counts := s.set.Policies[i].Series.Dead
		if _, err := readTrack(s.set.Policies[i].Series.Bin, counts); err != nil {
			return nil, fmt.Errorf("policy %q: dead: %w", s.set.Policies[i].Name, err)
		}
		end = max(end, float64(used(counts.First))*t.bin)
		if lines[i], err = s.tollLine(i, t.bin, counts.First); err != nil {
			return nil, err
		}
		top = max(top, lines[i].total(), lines[i].most)
	}
	end *= 1.03 // the height to which a line comes is seen
	down := newShades(s.outages, end/columnsPerPanel)
	names := newTollNames(lines)
	sh := &sheet{cols: 1, bare: true, right: names.width(), caption: s.caption(s.tollCaption())}
	sh.height = max(260*px, nameHeight*vg.Length(len(lines)+2))
	y := newScale(top, top)
	counts := slices.DeleteFunc(y.ticks(float64(24*px/sh.height)), func(t plot.Tick) bool { return t.Value != math.Trunc(t.Value) })
	p := newPlot(0, end, y, counts, timeTicks(end, 10))
	p.Add(down, gridLines{})
	for i := range lines {
		p.Add(lines[len(lines)-1-i].until(end)) // the first policies lie on top
	}
	p.Add(notes{outages: down}, names)
	sh.panels = []panel{{plot: p}}
	sh.title, err = s.deadFinding("Dead letters")
	sh.subtitle = subtitle(s.workload(), s.tollUnits(down))
	return sh, err
}

// A tollLine is the number of dead letters of one policy so far.
type tollLine struct {
	xys         plotter.XYs
	color       color.NRGBA
	label       string
	least, most float64 // of all replications, in the end
	mean        float64 // of them; only where there are several
	replicated  bool
}

// tollLine adds a track up; in a bin the line rises evenly.
func (s *scene) tollLine(i int, bin float64, counts []int64) (tollLine, error) {
	line := tollLine{xys: plotter.XYs{{}}, color: policyColor(i), label: s.labels[i]}
	sum := 0.0
	for k, n := range counts {
		if n == 0 {
			continue
		}
		if from := float64(k) * bin; line.last().X < from {
			line.xys = append(line.xys, plotter.XY{X: from, Y: sum})
		}
		sum += float64(n)
		line.xys = append(line.xys, plotter.XY{X: float64(k+1) * bin, Y: sum})
	}
	line.xys = thinned(line.xys, columnsPerPanel)
	line.least, line.most = sum, sum
	m, known := s.set.Policies[i].Metrics["dead.total"]
	if !known || s.result.Replications == 1 {
		return line, nil
	}
	for _, v := range []struct {
		at   *float64
		text result.Number
	}{{&line.least, m.Min}, {&line.most, m.Max}, {&line.mean, m.Mean}} {
		var err error
		if *v.at, err = bounded(v.text, maxAmount); err != nil {
			return line, fmt.Errorf("policy %q: metric dead.total: %w", s.set.Policies[i].Name, err)
		}
	}
	line.replicated = true
	return line, nil
}

func (l tollLine) last() plotter.XY { return l.xys[len(l.xys)-1] }

func (l tollLine) total() float64 { return l.last().Y }

// until returns the line drawn on to the end of the axis.
func (l tollLine) until(end float64) *plotter.Line {
	xys := append(slices.Clone(l.xys), plotter.XY{X: end, Y: l.total()})
	return &plotter.Line{XYs: xys, LineStyle: draw.LineStyle{Color: l.color, Width: 2.2 * px}}
}

// thinned leaves of a rising line about two points to each of n columns: the first and the last.
func thinned(xys plotter.XYs, n int) plotter.XYs {
	if len(xys) <= 2*n {
		return xys
	}
	width := xys[len(xys)-1].X / float64(n)
	var out plotter.XYs
	column := func(p plotter.XY) float64 { return math.Floor(p.X / width) }
	for i, p := range xys {
		if i == 0 || i == len(xys)-1 || column(xys[i-1]) != column(p) || column(xys[i+1]) != column(p) {
			out = append(out, p)
		}
	}
	return out
}

const (
	nameHeight = 16 * px
	nameGap    = 26 * px // from the lines' ends to their names
	nameWidth  = 230 * px
)

// tollNames writes the names of the lines beside their ends, the numbers before them.
type tollNames struct {
	lines []tollLine
	names []string // as they fit, with the mean behind them
}

func newTollNames(lines []tollLine) tollNames {
	_, style := tollStyles()
	labels, means := make([]string, len(lines)), make([]string, len(lines))
	for i, l := range lines {
		labels[i] = l.label
		if l.replicated {
			means[i] = ", mean " + amount(l.mean)
		}
	}
	names := fitAll(style, labels, func(i int) (vg.Length, int) { return nameWidth - style.Width(means[i]), i + 1 })
	for i := range names {
		names[i] += means[i]
	}
	return tollNames{lines, names}
}

func (n tollNames) width() vg.Length {
	number, name := tollStyles()
	widest := vg.Length(0)
	for i, l := range n.lines {
		widest = max(widest, number.Width(l.number())+5*px+name.Width(n.names[i]))
	}
	return nameGap + widest
}

// number is what the line comes to.
func (l tollLine) number() string { return amount(l.total()) }

// Plot implements plot.Plotter. Names are moved apart as far as they need to be, and a thin line leads to each.
func (n tollNames) Plot(c draw.Canvas, p *plot.Plot) {
	number, name := tollStyles()
	at := make([]vg.Length, len(n.lines))
	for i, l := range n.lines {
		at[i] = c.Y(p.Y.Norm(l.total()))
	}
	for i, y := range apart(at, nameHeight, c.Min.Y-nameHeight/2, c.Max.Y) {
		l := n.lines[i]
		x := c.Max.X + 4*px
		if l.replicated && l.most > l.least {
			low, high := c.Y(p.Y.Norm(l.least)), c.Y(p.Y.Norm(l.most))
			c.StrokeLine2(draw.LineStyle{Color: l.color, Width: 3 * px}, x, low, x, high)
		}
		c.StrokeLine2(draw.LineStyle{Color: l.color, Width: 1 * px}, x+4*px, at[i], c.Max.X+nameGap-4*px, y)
		end := put(c, number, c.Max.X+nameGap, middle(number, y), l.number())
		put(c, name, end+5*px, middle(name, y), n.names[i])
	}
}

// apart moves positions as little as their order allows so that neighbours are a gap apart and all lie between low and high,
// if there is room for that. Equal ones keep the order of their indices, from the top.
func apart(at []vg.Length, gap, low, high vg.Length) []vg.Length {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(sign(float64(at[b] - at[a]))) })
	type block struct { // n positions in a row
		first, n int
		want     vg.Length // where the first of them would be, if the row were alone
	}
	var blocks []block
	place := func(b block) vg.Length { return max(min(b.want, high), low+vg.Length(b.n-1)*gap) }
	for k, i := range order {
		b := block{k, 1, at[i]}
		for len(blocks) > 0 { // rows that would collide become one, and share the way to go
			last := blocks[len(blocks)-1]
			length := vg.Length(last.n) * gap
			if place(last)-length >= place(b) {
				break
			}
			total := vg.Length(last.n)*last.want + vg.Length(b.n)*(b.want+length)
			b = block{last.first, last.n + b.n, total / vg.Length(last.n+b.n)}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	out := make([]vg.Length, len(at))
	for _, b := range blocks {
		for k := range b.n {
			out[order[b.first+k]] = place(b) - vg.Length(k)*gap
		}
	}
	return out
}

func tollStyles() (number, name text.Style) { return bold(12.5*px, ink), plain(12.5*px, softInk) }

func (s *scene) tollUnits(down shades) []string {
	parts := []string{"Lines: dead letters so far"}
	if s.result.Replications > 1 {
		parts = append(parts, fmt.Sprintf("bars at their ends: the least and the most of %d replications", s.result.Replications))
	}
	return append(parts, shading(down)...)
}

func (s *scene) tollCaption() string {
	if s.result.Replications > 1 {
		return fmt.Sprintf("lines: replication 1 of %d", s.result.Replications)
	}
	return "one replication"
}
