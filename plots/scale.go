package plots

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// headroom is the share of a panel's height that data may reach; labels stand above it.
const headroom = 0.82

// A scale maps amounts from 0 on to the height of a panel: linearly, by the square root or by the logarithm of 1 + x/unit, all of
// which start at 0.
type scale struct {
	top  float64 // the largest amount drawn; it lies at headroom
	kind scaleKind
	unit float64
}

type scaleKind int

const (
	linear scaleKind = iota
	root
	logarithmic
)

// newScale chooses the gentlest scale on which detail, the smallest amount that matters, is still seen beside top.
func newScale(top, detail float64) scale {
	if top <= 0 {
		return scale{top: 1}
	}
	switch ratio := top / detail; {
	case !(detail > 0) || ratio <= 6:
		return scale{top: top}
	case ratio <= 300:
		return scale{top: top, kind: root}
	}
	return scale{top: top, kind: logarithmic, unit: math.Pow10(exponent(detail) - 1)}
}

// words describe the scale to a reader, who expects a linear one.
func (s scale) words() string {
	switch s.kind {
	case root:
		return "square-root scale"
	case logarithmic:
		return "logarithmic scale"
	}
	return ""
}

func (s scale) height(x float64) float64 {
	switch s.kind {
	case root:
		return math.Sqrt(x)
	case logarithmic:
		return math.Log1p(x / s.unit)
	}
	return x
}

// Normalize makes a scale an axis' plot.Normalizer. The axis' own range does not matter.
func (s scale) Normalize(_, _, x float64) float64 {
	return s.height(x) / s.height(s.top) * headroom
}

// ticks returns round amounts from 0 to the top, at least a share gap of the panel's height apart.
func (s scale) ticks(gap float64) plot.ConstantTicks {
	ticks := plot.ConstantTicks{{Value: 0, Label: "0"}}
	if s.kind == linear {
		step := roundUp(s.top * gap / headroom)
		for i := 1; float64(i)*step <= s.top*1.0001; i++ {
			ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: tickText(float64(i) * step)})
		}
		return ticks
	}
	last := math.Inf(1)
	for _, v := range s.ladder() {
		if at := s.Normalize(0, 0, v); last-at >= gap && at >= gap {
			ticks = append(ticks, plot.Tick{Value: v, Label: tickText(v)})
			last = at
		}
	}
	return ticks
}

// ladder lists the round amounts below the top, the largest first: powers of ten, and 2 and 5 times those on a square-root scale.
func (s scale) ladder() []float64 {
	var values []float64
	for e := exponent(s.top); e >= -3 && len(values) < 24; e-- {
		for _, m := range []float64{5, 2, 1} {
			if v := m * math.Pow10(e); v <= s.top && (m == 1 || s.kind == root) {
				values = append(values, v)
			}
		}
	}
	return values
}

// exponent returns ⌊log10 x⌋ for x > 0, read off the decimal form because math.Log10 is not exact and differs between machines.
func exponent(x float64) int {
	text := strconv.FormatFloat(x, 'e', -1, 64)
	e, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		panic("plots: " + err.Error())
	}
	return e
}

// roundUp returns the smallest of 1, 2 and 5 times a power of ten that is at least x.
func roundUp(x float64) float64 {
	p := math.Pow10(exponent(x))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= x {
			return m * p
		}
	}
	return 10 * p
}

func tickText(x float64) string {
	if x >= 1e6 {
		return large(x)
	}
	if x >= 1 && x == math.Trunc(x) {
		return grouped(int64(x))
	}
	return trimmed(x, max(0, 2-exponent(x)))
}

// timeTicks returns at most n instants, round in seconds, minutes, hours or days, from 0 to end.
func timeTicks(end float64, n int) plot.ConstantTicks {
	step := roundUp(end / float64(n))
	if step > 10 {
		steps := []float64{15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400}
		if i := slices.IndexFunc(steps, func(s float64) bool { return end/s <= float64(n) }); i >= 0 {
			step = steps[i]
		} else {
			step = roundUp(end/86400/float64(n)) * 86400
		}
	}
	write := instant
	if end >= longRun {
		write = parted
	}
	var ticks plot.ConstantTicks
	for i := 0; float64(i)*step <= end; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: write(float64(i) * step)})
	}
	return ticks
}
