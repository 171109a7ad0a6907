package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// instant writes a time in seconds as people say it: 250ms, 63.5s, 1h30m, 2d.
func instant(seconds float64) string {
	switch {
	case seconds == 0:
		return "0s"
	case seconds < 1:
		return significant(seconds)
	case seconds < longRun:
		return trimmed(seconds, 2) + "s"
	}
	return parted(seconds)
}

// exactly writes a time in seconds with every digit down to the nanosecond: 250ms, 99.991s, 1h1m1s.
func exactly(seconds float64) string {
	switch {
	case seconds > 0 && seconds < 1:
		return time.Duration(math.Round(seconds * 1e9)).String()
	case seconds < longRun:
		return trimmed(seconds, 9) + "s"
	}
	minutes := math.Floor(seconds / 60)
	if rest := trimmed(seconds-60*minutes, 9); rest != "0" {
		return calendar(60*minutes, 3) + rest + "s"
	}
	return calendar(60*minutes, 3)
}

// rounded writes a span with so many digits, if it is shorter than a long run.
func rounded(seconds float64, digits int) string {
	if seconds <= 0 || seconds >= longRun {
		return instant(seconds)
	}
	unit := math.Pow10(exponent(seconds) - digits + 1)
	return instant(math.Round(seconds/unit) * unit)
}

// longRun is from how many seconds on minutes and hours read better than seconds.
const longRun = 600

// parted writes whole seconds as days, hours, minutes and seconds: the largest that is not 0 and the next.
func parted(seconds float64) string { return calendar(seconds, 2) }

// calendar writes the largest part that is not 0 and those behind it, so many in all.
func calendar(seconds float64, parts int) string {
	left := int64(math.Round(seconds))
	units := []struct {
		name string
		size int64
	}{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}}
	var text string
	for _, u := range units {
		n := left / u.size
		left -= n * u.size
		if n > 0 {
			text += fmt.Sprintf("%d%s", n, u.name)
		}
		if text != "" {
			parts--
		}
		if parts == 0 {
			break
		}
	}
	if text == "" {
		return "0s"
	}
	return text
}

// significant writes less than a second in the unit that fits, with three digits.
func significant(seconds float64) string {
	d := time.Duration(math.Round(seconds * 1e9))
	for unit := time.Duration(1); ; unit *= 10 {
		if d/unit < 1000 {
			return d.Round(unit).String()
		}
	}
}

// amount writes a count or a mean of counts with about three significant digits or more; a point appears below 100 only.
func amount(x float64) string {
	switch {
	case x >= 1e7:
		return large(x)
	case x >= 99.95:
		return grouped(int64(math.Round(x)))
	case x >= 0.95 || x == 0:
		return trimmed(x, 1)
	case x >= 0.001:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return "<0.001"
}

func trimmed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// grouped sets a thin gap between thousands from five digits on.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func large(x float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e21, "Z"}, {1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if x >= u.size*0.9995 {
			return strconv.FormatFloat(x/u.size, 'g', max(3, digits(x/u.size)), 64) + u.name
		}
	}
	return grouped(int64(x))
}

func digits(x float64) int { return len(strconv.FormatInt(int64(x), 10)) }

// rate writes a number per second, without decimals from 10 on; a small one is a number per hour.
func rate(x float64) string {
	if x > 0 && x < 0.0095 {
		return amount(x*3600) + "/h"
	}
	if x >= 9.95 {
		x = math.Round(x)
	}
	return amount(x) + "/s"
}

// perSecond writes a rate as the axis of rates does: per second however small.
func perSecond(x float64) string {
	if x > 0 && x < 0.0095 {
		return trimmed(x, 1-exponent(x)) + "/s"
	}
	return rate(x)
}

// times writes a ratio: 20.9×, 131×.
func times(x float64) string {
	if x >= 99.95 {
		return amount(x) + "×"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + "×"
}

// share writes a ratio behind the number that it belongs to.
func share(x float64) string {
	switch {
	case x == 0:
		return "= 0×"
	case x < 0.05:
		return "< 0.1×"
	}
	return "= " + times(x)
}
