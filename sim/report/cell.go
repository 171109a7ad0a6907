package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/result"
)

// A unit is what a metric counts, as it is shown.
type unit int

const (
	plain   unit = iota // a count or a ratio
	rate                // per second
	seconds             // an instant or a span
	memory              // bytes
)

// unitOf returns the unit of a metric by its key, e.g. "retries.peak(after=60s)".
func unitOf(key string) unit {
	id, _, _ := strings.Cut(key, "(")
	name := id[strings.LastIndexByte(id, '.')+1:]
	switch {
	case id == "dead.payload":
		return memory
	case id == "retries.peak" || id == "calls.peak":
		return rate
	case strings.HasSuffix(name, "_at"), name == "spread", id == "drain.time", strings.HasPrefix(id, "recovery."),
		strings.HasPrefix(id, "latency."), strings.HasPrefix(id, "fresh.wait."), strings.HasPrefix(id, "promotion.lag."):
		return seconds
	}
	return plain
}

// mean returns the mean of a metric without its interval.
func (s style) mean(m result.Metric, u unit) string {
	v := m.Mean.Float()
	if u == seconds {
		return s.span(v)
	}
	return group(sensible(v)) + suffix(u)
}

// interval returns the mean of a metric with half the width of its 95 % interval, both to the digits that the interval
// makes sense of; without an interval it returns the mean.
func (s style) interval(m result.Metric, u unit) string {
	if m.CI95 == nil {
		return s.mean(m, u)
	}
	v := m.Mean.Float()
	half := max(m.CI95[1].Float()-v, v-m.CI95[0].Float(), 0)
	tail := suffix(u)
	if u == seconds {
		if math.Abs(v) >= longSpan || half >= longSpan {
			return s.span(v) + " " + s.plusMinus + " " + s.span(half)
		}
		var scale float64
		scale, tail = s.scale(v)
		v, half = v*scale, half*scale
	}
	places := decimals(v, half)
	width := "0"
	if half > 0 {
		width = group(fixed(half, places))
	}
	return group(fixed(v, places)) + " " + s.plusMinus + " " + width + tail
}

// scale returns the unit in which a short span is shown, and how many of it make a second.
func (s style) scale(v float64) (perSecond float64, name string) {
	switch a := math.Abs(v); {
	case a == 0 || a >= 0.9995: // what rounds to a second is one
		return 1, "s"
	case a >= 0.9995e-3:
		return 1e3, "ms"
	}
	return 1e6, s.micro
}

func suffix(u unit) string {
	switch u {
	case rate:
		return "/s"
	case memory:
		return " B"
	}
	return ""
}

// decimals returns how many decimals to show of a mean whose interval is ± half: two significant digits of the half if
// they are below 36, else one (the rule of the Particle Data Group), and never more than six digits of the mean.
func decimals(mean, half float64) int {
	if half == 0 {
		return places(sensible(mean))
	}
	mantissa, e := split(half)
	n := -e
	if mantissa < 3.55 {
		n++
	}
	room := 6
	if math.Abs(mean) >= 1 {
		_, e = split(mean)
		room = 5 - e
	}
	return max(0, min(n, room))
}

// split returns m and e with |v| = m·10^e, 1 <= m < 10. It reads the decimal form: the last bit of a logarithm differs
// from one processor to the next.
func split(v float64) (m float64, e int) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	m, _ = strconv.ParseFloat(mantissa, 64)
	e, _ = strconv.Atoi(exponent)
	return m, e
}

func places(text string) int {
	_, after, _ := strings.Cut(text, ".")
	return len(after)
}

// sensible returns a number without an interval: whole numbers whole, others to three significant digits, or to one
// decimal from 100 to 1000 and none above.
func sensible(v float64) string {
	a := math.Abs(v)
	switch {
	case v == math.Trunc(v) && a < 1e15, a >= 1000:
		return fixed(v, 0)
	case a >= 100:
		return trimZeros(fixed(v, 1))
	case a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	_, e := split(v)
	return trimZeros(fixed(v, 2-e))
}

func fixed(v float64, places int) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

func trimZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// group puts a space between thousands from 10 000 on.
func group(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	whole, rest, point := strings.Cut(text, ".")
	if len(whole) < 5 || strings.ContainsAny(whole, "e+") {
		return sign + text
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return sign + whole
}

// longSpan is the number of seconds from which spans are shown in minutes, hours and days.
const longSpan = 600

// span returns a span of seconds in few digits: "0.5ms", "59.3s", "245s", "18m20s", "1h15m", "3d4h".
func (s style) span(v float64) string {
	a := math.Abs(v)
	switch {
	case v < 0:
		return "-" + s.span(a)
	case a == 0:
		return "0s"
	case a < 100:
		scale, name := s.scale(a)
		return sensible(a*scale) + name
	case a < longSpan-0.5:
		return fixed(a, 0) + "s"
	case a < 3600:
		return clockSpan(time.Duration(math.Round(a)) * time.Second)
	case a < 48*3600:
		return clockSpan(time.Duration(math.Round(a/60)) * time.Minute)
	case a < 1e9:
		return clockSpan(time.Duration(math.Round(a/3600)) * time.Hour)
	}
	return strconv.FormatFloat(a, 'g', 4, 64) + "s"
}

// exactSpan returns a span with every digit: "250ms", "99.991s", "1h1m1s". From 1e9 seconds on it is as span is.
func (s style) exactSpan(n result.Number) string {
	d := nanoseconds(n)
	switch {
	case n.Float() >= 1e9:
		return s.span(n.Float())
	case d >= longSpan*time.Second && d%time.Minute == 0:
		return clockSpan(d)
	case d >= longSpan*time.Second:
		return clockSpan(d.Truncate(time.Minute)) + nanos(d%time.Minute, time.Second) + "s"
	case d > 0 && d < time.Millisecond:
		return strings.Replace(d.String(), "µs", s.micro, 1)
	case d > 0 && d < time.Second:
		return nanos(d, time.Millisecond) + "ms"
	}
	return nanos(d, time.Second) + "s"
}

// nanos returns how many units a span is, exactly.
func nanos(d, unit time.Duration) string {
	return trimZeros(fmt.Sprintf("%d.%0*d", d/unit, len(strconv.FormatInt(int64(unit), 10))-1, d%unit))
}

// clockSpan returns whole seconds exactly, in days, hours, minutes and seconds; what is zero is left out.
func clockSpan(d time.Duration) string {
	var b strings.Builder
	for _, part := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / part.size; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + part.name)
			d -= n * part.size
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}
