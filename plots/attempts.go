package plots

import (
	"fmt"
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// attempts draws how many jobs were done after how many tries, one panel per policy, and how many of them ended dead.
func attempts(s *scene) (*sheet, error) {
	all, err := s.tallies()
	if err != nil {
		return nil, err
	}
	last, top := 1, 0.0
	for _, t := range all {
		last = max(last, t.last)
	}
	sh := gridSheet(len(all))
	group := groupOf(last, sh.cols)
	for i := range all {
		all[i] = all[i].grouped(group)
		for _, b := range all[i].bars {
			top = max(top, b.jobs)
		}
	}
	if err := s.addAttemptPanels(sh, all, last, group, newScale(top, top)); err != nil {
		return nil, err
	}
	sh.title, err = s.deadFinding("Attempts used")
	sh.subtitle = subtitle(s.workload(), s.attemptUnits(group))
	sh.caption = s.caption(s.means("over the panels: "))
	return sh, err
}

// gridSheet returns a sheet for n panels of bars that are counted.
func gridSheet(n int) *sheet {
	switch {
	case n > 12:
		return &sheet{cols: 4, height: 90 * px}
	case n > 4:
		return &sheet{cols: 3, height: 110 * px}
	case n > 1:
		return &sheet{cols: 2, height: 130 * px}
	}
	return &sheet{cols: 1, height: 150 * px}
}

// groupOf returns how many of the counted things share a bar, where a panel has one of several columns.
func groupOf(last, cols int) int { return int(roundUp(max(1, float64(last)/float64(maxBars/cols)))) }

// maxBars is how many bars a panel has room for that has the sheet to itself.
const maxBars = 120

// A tally counts the finished jobs of one policy by attempts used.
type tally struct {
	bars []tallyBar
	last int // most attempts used
}

type tallyBar struct {
	attempt    int // the first of its group
	jobs, dead float64
}

func (s *scene) tallies() ([]tally, error) {
	var all []tally
	for _, p := range s.set.Policies {
		var t tally
		for _, row := range p.Attempts {
			jobs, err := bounded(row.Jobs, maxAmount)
			if err != nil {
				return nil, fmt.Errorf("policy %q: attempt %d: jobs: %w", p.Name, row.Attempt, err)
			}
			dead, err := bounded(row.Dead, jobs)
			if err != nil {
				return nil, fmt.Errorf("policy %q: attempt %d: dead: %w", p.Name, row.Attempt, err)
			}
			if row.Attempt < 1 || row.Attempt > maxAttempts {
				return nil, fmt.Errorf("policy %q: attempt %d is not from 1 to %d", p.Name, row.Attempt, maxAttempts)
			}
			if jobs > 0 {
				t.bars = append(t.bars, tallyBar{row.Attempt, jobs, dead})
				t.last = max(t.last, row.Attempt)
			}
		}
		all = append(all, t)
	}
	return all, nil
}

const maxAttempts = 1_000_000_000 // a try is two events: no run has more unless --max-events is raised

// grouped adds the bars of every n attempts up.
func (t tally) grouped(n int) tally {
	sums := map[int]int{} // first attempt of the group → index of its bar
	out := tally{last: t.last}
	for _, b := range t.bars {
		first := (b.attempt-1)/n*n + 1
		i, ok := sums[first]
		if !ok {
			i = len(out.bars)
			sums[first] = i
			out.bars = append(out.bars, tallyBar{attempt: first})
		}
		out.bars[i].jobs += b.jobs
		out.bars[i].dead += b.dead
	}
	return out
}

func (s *scene) addAttemptPanels(sh *sheet, all []tally, last, group int, y scale) error {
	xticks := attemptTicks(last, group, 20/sh.cols)
	yticks := y.ticks(float64(24 * px / sh.height))
	end := float64((last+group-1)/group*group) + 0.5
	for i, t := range all {
		dead, known, err := s.metric(i, "jobs.dead")
		if err != nil {
			return err
		}
		facts := []fact{{}}
		if known {
			facts[0] = fact{value: amount(dead), trail: "dead"}
		}
		p := newPlot(0.5, end, y, yticks, xticks)
		p.Add(gridLines{}, tallyBars{t, float64(group), i})
		if len(t.bars) == 0 {
			p.Add(remark("no finished jobs"))
		}
		sh.panels = append(sh.panels, panel{p, policyColor(i), s.labels[i], facts})
	}
	return nil
}

// attemptTicks marks the first attempt and multiples of a round number, about n in all. With groups a number stands at the end of
// the group that it closes.
func attemptTicks(last, group, n int) plot.ConstantTicks {
	step := max(group, int(roundUp(float64(last)/float64(n))))
	step = (step + group - 1) / group * group
	ticks := plot.ConstantTicks{{Value: 1, Label: "1"}}
	for a := step; a <= last; a += step {
		at := float64(a)
		if group > 1 {
			at += 0.5
		}
		if a > 1 {
			ticks = append(ticks, plot.Tick{Value: at, Label: strconv.Itoa(a)})
		}
	}
	return ticks
}

// tallyBars draws a tally: pale what succeeded, in full colour what died.
type tallyBars struct {
	tally  tally
	group  float64
	policy int
}

// Plot implements plot.Plotter. The largest dead part is labelled.
func (t tallyBars) Plot(c draw.Canvas, p *plot.Plot) {
	var most *tallyBar
	for i, b := range t.tally.bars {
		t.box(c, p, b, 0, b.dead, policyColor(t.policy))
		t.box(c, p, b, b.dead, b.jobs, tint(policyColor(t.policy), 40))
		if b.dead > 0 && (most == nil || b.dead > most.dead) {
			most = &t.tally.bars[i]
		}
	}
	if most != nil {
		t.name(c, p, *most)
	}
}

func (t tallyBars) box(c draw.Canvas, p *plot.Plot, b tallyBar, from, to float64, clr color.NRGBA) {
	if from == to {
		return
	}
	left, right := t.edges(c, p, b)
	low, high := c.Y(p.Y.Norm(from)), c.Y(p.Y.Norm(to))
	c.FillPolygon(clr, []vg.Point{{X: left, Y: low}, {X: left, Y: high}, {X: right, Y: high}, {X: right, Y: low}})
}

func (t tallyBars) edges(c draw.Canvas, p *plot.Plot, b tallyBar) (left, right vg.Length) {
	start := float64(b.attempt) - 0.5
	return c.X(p.X.Norm(start + 0.1*t.group)), c.X(p.X.Norm(start + 0.9*t.group))
}

func (t tallyBars) name(c draw.Canvas, p *plot.Plot, b tallyBar) {
	s := bold(11*px, ink)
	txt := amount(b.dead) + " dead"
	left, right := t.edges(c, p, b)
	x := min(max((left+right-s.Width(txt))/2, c.Min.X), c.Max.X-s.Width(txt))
	top := b.jobs
	for _, other := range t.tally.bars {
		if l, r := t.edges(c, p, other); r > x-3*px && l < x+s.Width(txt) {
			top = max(top, other.jobs)
		}
	}
	y := c.Y(p.Y.Norm(top)) + 4*px
	halo := textBox(face(s), x, y, txt)
	c.SetColor(paper)
	c.Fill(halo.Path())
	put(c, s, x, y, txt)
}

// deadFinding names the policies that leave the fewest and the most jobs dead.
func (s *scene) deadFinding(title string) (string, error) {
	low, high, n, err := s.extremes("jobs.dead", true)
	if err != nil {
		return "", err
	}
	switch {
	case n == 0:
		return title, nil
	case high.value == 0:
		return title + ": no job ends dead", nil
	case n == 1:
		return titled(title+": %s leaves "+jobs(low.value)+" dead", low), nil
	case amount(low.value) == amount(high.value):
		return title + ": " + s.alike(n, "leave") + " " + jobs(low.value) + " dead", nil
	}
	return titled(title+": %s leaves "+jobs(low.value)+" dead, %s "+amount(high.value), low, high), nil
}

func jobs(n float64) string {
	switch amount(n) {
	case "0":
		return "no job"
	case "1":
		return "1 job"
	}
	return amount(n) + " jobs"
}

func (s *scene) attemptUnits(group int) []string {
	txt := "Bars: finished jobs by attempts used"
	if group > 1 {
		txt += fmt.Sprintf(", %d attempts to a bar", group)
	}
	if n := s.result.Replications; n > 1 {
		txt += fmt.Sprintf(", mean of %d replications", n)
	}
	return []string{txt, "full colour: dead", "pale: succeeded"}
}
