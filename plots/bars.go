package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"herdsim/sim/result"
)

// Bars are a track as it is drawn: one rate per column. A column holds one bin, or the largest of several where the bins are
// narrower than a pixel.
type bars struct {
	bin       float64 // seconds
	group     int     // bins per column
	first     []float64
	low, high []float64 // 5 and 95 % quantiles over replications; empty for one replication
}

// newBars turns counts per bin into rates, in columns no narrower than end/maxColumns seconds.
func newBars(bin float64, t result.Track, end float64, maxColumns int) bars {
	b := bars{bin: bin, group: 1}
	if need := math.Ceil(end / bin / float64(maxColumns)); need > 1 {
		b.group = int(min(need, float64(max(1, len(t.First), len(t.P95)))))
	}
	b.first = b.columns(t.First, largest)
	b.low = b.columns(t.P5, smallest)
	b.high = b.columns(t.P95, largest)
	return b
}

func largest(a, b int64) int64  { return max(a, b) }
func smallest(a, b int64) int64 { return min(a, b) }

func (b bars) columns(counts []int64, pick func(a, b int64) int64) []float64 {
	var columns []float64
	for from := 0; from < len(counts); from += b.group {
		n := counts[from]
		for _, v := range counts[from:min(from+b.group, len(counts))] {
			n = pick(n, v)
		}
		if from+b.group > len(counts) {
			n = pick(n, 0) // the zeros that a track leaves out at its end
		}
		columns = append(columns, float64(n)/b.bin)
	}
	return columns
}

// width returns the seconds that one column spans.
func (b bars) width() float64 { return b.bin * float64(b.group) }

// area outlines the columns from high down to low; low may be nil, for the base line.
func (b bars) area(high, low []float64) plotter.XYs {
	outline := b.steps(high)
	under := b.steps(low)
	if len(under) == 0 {
		under = plotter.XYs{{X: 0}, {X: b.width() * float64(len(high))}}
	}
	for i := len(under) - 1; i >= 0; i-- {
		outline = append(outline, under[i])
	}
	return outline
}

func (b bars) steps(values []float64) plotter.XYs {
	var line plotter.XYs
	for i, v := range values {
		if i > 0 && v == values[i-1] {
			line[len(line)-1].X = float64(i+1) * b.width()
			continue
		}
		line = append(line, plotter.XY{X: float64(i) * b.width(), Y: v}, plotter.XY{X: float64(i+1) * b.width(), Y: v})
	}
	return line
}

// between returns the highest rate, of any replication drawn, in the columns that touch [from, to] seconds.
func (b bars) between(from, to float64) float64 {
	var top float64
	for _, values := range [][]float64{b.first, b.high} {
		for i := int(min(max(from, 0)/b.width(), float64(len(values)))); i < len(values) && float64(i)*b.width() <= to; i++ {
			top = max(top, values[i])
		}
	}
	return top
}

func filled(outline plotter.XYs, c color.Color) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: c}
}

// readTrack checks what newBars relies on: counts that are no less than 0 and rates and instants within bounds.
func readTrack(bin result.Number, t result.Track) (float64, error) {
	width, err := bounded(bin, maxSeconds)
	if err != nil || width < 1e-9 {
		return 0, fmt.Errorf("bin_s %s is not a width in seconds from 1e-9 on", bin)
	}
	for _, counts := range [][]int64{t.First, t.P5, t.P95} {
		if float64(len(counts))*width > maxSeconds {
			return 0, fmt.Errorf("%d bins of %ss reach beyond the end of time", len(counts), bin)
		}
		for i, n := range counts {
			if n < 0 || float64(n)/width > maxAmount {
				return 0, fmt.Errorf("bin %d holds %d, which is no count", i, n)
			}
		}
	}
	return width, nil
}
