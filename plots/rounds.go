package plots

import (
	"errors"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"herdsim/sim/result"
)

// rounds draws how far each round of retries is spread, one panel per policy: a herd's n-th retries are its n-th round.
// Jitter that does not grow with the wait leaves a round about as wide as the one before.
func rounds(s *scene) (*sheet, error) {
	all, err := s.rounds()
	if err != nil {
		return nil, err
	}
	sh := gridSheet(len(all))
	last := 1
	for _, r := range all {
		last = max(last, r.last)
	}
	group := groupOf(last, sh.cols)
	for i := range all {
		all[i] = all[i].grouped(group)
	}
	y := roundScale(all)
	if err := s.addRoundPanels(sh, all, last, group, y); err != nil {
		return nil, err
	}
	sh.title = s.roundFinding(all)
	sh.subtitle = subtitle(s.workload(), roundUnits(group, y))
	sh.caption = s.caption(s.means("widths and instants: "))
	return sh, nil
}

// roundScale fits every bar and mark, and leaves the smallest bar visible; without bars, the smallest mark.
func roundScale(all []spreading) scale {
	var top, bar, mark float64
	smaller := func(least *float64, x float64) {
		if x > 0 && (*least == 0 || x < *least) {
			*least = x
		}
	}
	for _, r := range all {
		for _, b := range r.bars {
			top = max(top, b.width, b.mean)
			smaller(&bar, b.width)
			smaller(&mark, b.mean)
		}
	}
	if bar == 0 {
		bar = mark
	}
	return newScale(top, max(bar, top/1e6))
}

// A spreading holds the rounds of one policy.
type spreading struct {
	bars []roundBar
	last int // number of the last round
}

type roundBar struct {
	retry       int     // the first of its group
	width, mean float64 // seconds: from the 5th to the 95th percentile; since the start
}

func (s *scene) rounds() ([]spreading, error) {
	var all []spreading
	for _, p := range s.set.Policies {
		var r spreading
		for _, row := range p.Retries {
			b, err := readRound(row)
			if err != nil {
				return nil, fmt.Errorf("policy %q: retry %d: %w", p.Name, row.Retry, err)
			}
			r.bars = append(r.bars, b)
			r.last = max(r.last, row.Retry)
		}
		all = append(all, r)
	}
	return all, nil
}

func readRound(row result.RoundRow) (roundBar, error) {
	if row.Retry < 1 || row.Retry > maxAttempts {
		return roundBar{}, fmt.Errorf("is not from 1 to %d", maxAttempts)
	}
	var at [3]float64
	for i, n := range []result.Number{row.P5, row.Mean, row.P95} {
		var err error
		if at[i], err = bounded(n, maxSeconds); err != nil {
			return roundBar{}, err
		}
	}
	if at[2] < at[0] {
		return roundBar{}, errors.New("p95_s lies before p5_s")
	}
	return roundBar{row.Retry, at[2] - at[0], at[1]}, nil
}

// grouped keeps the widest of every n rounds.
func (r spreading) grouped(n int) spreading {
	out := spreading{last: r.last}
	for _, b := range r.bars {
		first := (b.retry-1)/n*n + 1
		if k := len(out.bars) - 1; k >= 0 && out.bars[k].retry == first {
			if b.width >= out.bars[k].width {
				out.bars[k].width, out.bars[k].mean = b.width, b.mean
			}
			continue
		}
		b.retry = first
		out.bars = append(out.bars, b)
	}
	return out
}

func (s *scene) addRoundPanels(sh *sheet, all []spreading, last, group int, y scale) error {
	xticks := attemptTicks(last, group, 20/sh.cols)
	yticks := timed(y.ticks(float64(24 * px / sh.height)))
	end := float64((last+group-1)/group*group) + 0.5
	for i, r := range all {
		p := newPlot(0.5, end, y, yticks, xticks)
		p.Add(gridLines{}, roundBars{r, float64(group), policyColor(i)})
		facts := []fact{{}}
		if n := len(r.bars); n > 0 {
			facts[0] = fact{lead: fmt.Sprintf("retry %d:", r.last), value: rounded(r.bars[n-1].width, 3), trail: "wide"}
		} else {
			p.Add(remark("no retries"))
		}
		sh.panels = append(sh.panels, panel{p, policyColor(i), s.labels[i], facts})
	}
	return nil
}

// timed labels ticks as seconds.
func timed(ticks plot.ConstantTicks) plot.ConstantTicks {
	for i := range ticks {
		ticks[i].Label += "s"
	}
	return ticks
}

// roundBars draws each round's width as a bar and the instant around which it lies as a mark.
type roundBars struct {
	spreading
	group float64
	color color.NRGBA
}

// Plot implements plot.Plotter.
func (r roundBars) Plot(c draw.Canvas, p *plot.Plot) {
	for _, b := range r.bars {
		left, right := r.edges(c, p, b)
		if b.width > 0 {
			top := c.Y(p.Y.Norm(b.width))
			c.FillPolygon(tint(r.color, 45), []vg.Point{{X: left, Y: c.Min.Y}, {X: left, Y: top}, {X: right, Y: top}, {X: right, Y: c.Min.Y}})
		}
		mark := c.Y(p.Y.Norm(b.mean))
		c.StrokeLine2(draw.LineStyle{Color: r.color, Width: 3 * px}, left, mark, right, mark)
	}
	r.name(c, p)
}

// name writes the widths at the feet of the bars, all of them or none, with as many digits as there is room for.
func (r roundBars) name(c draw.Canvas, p *plot.Plot) {
	s := plain(10*px, ink)
	slot := (c.Max.X - c.Min.X) * vg.Length(r.group/(p.X.Max-p.X.Min))
	for _, digits := range []int{3, 2} {
		room := vg.Length(0)
		for _, b := range r.bars {
			room = max(room, s.Width(rounded(b.width, digits)))
		}
		if room+px > 0.8*slot {
			continue
		}
		for _, b := range r.bars {
			left, right := r.edges(c, p, b)
			txt, y := rounded(b.width, digits), c.Min.Y+5*px
			if mark := c.Y(p.Y.Norm(b.mean)); mark < y+s.FontExtents().Ascent+2*px {
				y = max(y, mark+4*px)
			}
			put(c, s, (left+right-s.Width(txt))/2, y, txt)
		}
		return
	}
}

func (r roundBars) edges(c draw.Canvas, p *plot.Plot, b roundBar) (left, right vg.Length) {
	start := float64(b.retry) - 0.5
	return c.X(p.X.Norm(start + 0.1*r.group)), c.X(p.X.Norm(start + 0.9*r.group))
}

// roundFinding compares the narrowest and the widest window of the last round that all policies with retries have.
func (s *scene) roundFinding(all []spreading) string {
	const title = "Rounds of retries"
	common, n := 0, 0
	for _, r := range all {
		if r.last > 0 {
			if n++; n == 1 || r.last < common {
				common = r.last
			}
		}
	}
	var low, high score
	for i, r := range all {
		for _, b := range r.bars {
			if b.retry != common {
				continue
			}
			this := score{s.labels[i], i + 1, b.width}
			if low.label == "" || this.value < low.value {
				low = this
			}
			if high.label == "" || this.value > high.value {
				high = this
			}
		}
	}
	which := fmt.Sprintf("%s: retry %d spreads over ", title, common)
	switch {
	case n == 0:
		return title + ": none"
	case low.label == "":
		return title
	case high.value == 0:
		return fmt.Sprintf("%s: retry %d comes all at once", title, common)
	case n == 1 || rounded(low.value, 3) == rounded(high.value, 3):
		return titled(which+rounded(low.value, 3)+" with %s", low)
	}
	if low.value == 0 {
		which = fmt.Sprintf("%s: retry %d comes ", title, common)
		return titled(which+"all at once with %s, over "+rounded(high.value, 3)+" with %s", low, high)
	}
	return titled(which+rounded(low.value, 3)+" with %s, over "+rounded(high.value, 3)+" with %s", low, high)
}

func roundUnits(group int, y scale) []string {
	parts := []string{"Bars: time from the 5th to the 95th percentile of each round", "mark: the round's mean instant"}
	if group > 1 {
		parts[0] = fmt.Sprintf("Bars: time from the 5th to the 95th percentile of the widest of every %d rounds", group)
		parts[1] = "mark: its mean instant"
	}
	if w := y.words(); w != "" {
		parts = append(parts, w)
	}
	return parts
}
