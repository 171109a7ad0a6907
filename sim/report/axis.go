package report

import (
	"strings"
	"time"
)

// axis returns the line of time labels. A label begins at the column of its instant; labels are two columns apart at
// least, and the last one ends within the chart.
func (ch *chart) axis() string {
	end := ch.column * time.Duration(ch.count)
	long := end > longSpan*time.Second
	step := ch.tickStep(end, long)
	var b strings.Builder
	used := 0
	for at := time.Duration(0); at < end; at += step {
		label, column := ch.tick(at, long), int(at/ch.column)
		if column+columns(label) > ch.count && column > 0 {
			break
		}
		b.WriteString(strings.Repeat(" ", column-used) + label)
		used = column + columns(label)
	}
	return b.String()
}

// tickStep returns the shortest round step, in whole columns, that keeps labels apart.
func (ch *chart) tickStep(end time.Duration, long bool) time.Duration {
	apart := func(step time.Duration) bool {
		for at := time.Duration(0); at < end; at += step {
			if int64(columns(ch.tick(at, long))+2) > int64(step/ch.column) {
				return false
			}
		}
		return true
	}
	for _, step := range roundSpans() {
		if step%ch.column == 0 && apart(step) {
			return step
		}
	}
	return ch.column * time.Duration(ch.count) // only the first label
}

// tick returns an instant exactly: in seconds on a short axis, in days, hours, minutes and seconds on a long one.
func (ch *chart) tick(at time.Duration, long bool) string {
	if long && at%time.Second == 0 {
		return clockSpan(at)
	}
	if at < time.Second && at > 0 {
		return ch.exact(at.Seconds()*1e3) + "ms"
	}
	return ch.exact(at.Seconds()) + "s"
}

func (ch *chart) exact(v float64) string { return trimZeros(fixed(v, 9)) }
