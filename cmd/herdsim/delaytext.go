package main

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"herdsim/sim/plan"
	"herdsim/sim/result"
)

// A delayAnswer is what is known of a policy's waits, as far as it was asked for.
type delayAnswer struct {
	*subject
	attempt int // the one that was asked for alone; 0: none
	waits   []plan.Wait
	outlast *plan.Outlasting
	samples [][]time.Duration
	seed    uint64
	ends    struct{ possibly, surely int } // attempts after which max_elapsed can and must end a job; 0: none of the budget's
}

// findEnds finds where max_elapsed ends a job.
func (a *delayAnswer) findEnds() (err error) {
	most := a.retries
	if most < 0 {
		most = plan.MostRetries
	}
	a.ends.possibly, a.ends.surely, err = plan.Ends(a.policy, min(most, plan.MostRetries), a.elapsed)
	return err
}

// rough reports whether the laws shown have no closed form.
func (a *delayAnswer) rough() bool {
	return slices.ContainsFunc(a.waits, func(w plan.Wait) bool { return w.Rough }) || a.outlast != nil && a.outlast.Rough
}

func (a *delayAnswer) text() []byte {
	var parts []string
	switch {
	case a.attempt > 0 && len(a.waits) > 0:
		parts = append(parts, a.literal(a.waits[0]))
	case len(a.waits) > 0:
		parts = append(parts, a.table())
	}
	if a.outlast != nil {
		parts = append(parts, lasting(a.outlast))
	}
	if len(a.samples) > 0 {
		parts = append(parts, a.drawn())
	}
	if a.rough() {
		parts = append(parts, roughRemark)
	}
	return []byte(strings.Join(parts, "\n"))
}

// roughRemark says how right the numbers of waits are that have no closed form.
const roughRemark = "means are right to five digits, chances to 0.05 %: the law of these waits is computed in cells\n"

// endsRemark says where max_elapsed ends a job that fails again and again.
func (a *delayAnswer) endsRemark() string {
	text := fmt.Sprintf("max_elapsed %s ", span(a.elapsed))
	switch p, s := a.ends.possibly, a.ends.surely; {
	case p == 0:
		return text + "leaves time for every try of the budget\n"
	case p == s:
		return text + fmt.Sprintf("ends a job after attempt %d: there is no time for the next try\n", p)
	case s == 0:
		return text + fmt.Sprintf("can end a job after attempt %d, and need not before the budget is spent\n", p)
	default:
		return text + fmt.Sprintf("can end a job after attempt %d, and surely has after attempt %d\n", p, s)
	}
}

// literal is one wait: its value in the units that code is written in, and what the cap did.
func (a *delayAnswer) literal(w plan.Wait) string {
	text := span(w.Min) + " = " + millis(w.Min) + " ms"
	if w.Min < w.Max {
		text = fmt.Sprintf("%s to %s = %s to %s ms, %s on average", span(w.Min), span(w.Max), millis(w.Min), millis(w.Max), meanSpan(w.Mean))
	}
	text += "   " + capRemark(w) + "\n"
	if a.elapsed > 0 {
		text += fmt.Sprintf("max_elapsed %s leaves %s of jobs another try after it\n", span(a.elapsed), percent(w.Tried))
	}
	return text
}

func capRemark(w plan.Wait) string {
	if !w.Capped {
		return "not capped"
	}
	return "capped: " + span(w.Uncapped) + " > " + span(w.Price)
}

// millis writes a span in milliseconds, exactly.
func millis(d time.Duration) string { return result.Exact(big.NewRat(int64(d), 1e6)).String() }

// table has a line for each wait.
func (a *delayAnswer) table() string {
	text := waitTable(a.waits, a.elapsed > 0)
	if more := a.retries - len(a.waits); a.retries >= 0 && more > 0 {
		text += fmt.Sprintf("… and %d more: --attempts %d shows all\n", more, a.retries)
	}
	if a.elapsed > 0 {
		text += a.endsRemark()
	}
	return text
}

// waitTable has a line for each wait, and with max_elapsed how many jobs come to the next try.
func waitTable(waits []plan.Wait, elapsed bool) string {
	head := []string{"attempt", "wait drawn from", "mean", "capped", "waited so far  min / mean / max"}
	if elapsed {
		head = slices.Insert(head, 4, "next try")
	}
	rows := [][]string{head}
	for _, w := range waits {
		capped := "no"
		if w.Capped {
			capped = "yes"
		}
		row := []string{strconv.Itoa(w.Attempt), source(w), meanSpan(w.Mean), capped, totalText(w.Total)}
		if elapsed {
			row = slices.Insert(row, 4, percent(w.Tried))
		}
		rows = append(rows, row)
	}
	return columns(rows)
}

// columns sets rows in columns, the first to the right.
func columns(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				b.WriteString(pad + cell)
			case len(row) - 1:
				b.WriteString("   " + cell)
			default:
				b.WriteString("   " + cell + pad)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// source says what a wait is drawn from.
func source(w plan.Wait) string {
	switch {
	case w.Min == w.Max:
		return span(w.Min)
	case w.Step > 1:
		return fmt.Sprintf("[%s, %s] by %s", span(w.Min), span(w.Max), span(w.Step))
	}
	return fmt.Sprintf("[%s, %s]", span(w.Min), span(w.Max))
}

func totalText(t plan.Total) string {
	if t.Min == t.Max {
		return span(t.Min)
	}
	return span(t.Min) + " / " + meanSpan(t.Mean) + " / " + span(t.Max)
}

// lasting says which budgets outlast a span.
func lasting(o *plan.Outlasting) string {
	if o.Surely != nil && o.Likely != nil && o.OnAverage != nil && o.Surely.Retries == o.Likely.Retries && o.Surely.Retries == o.OnAverage.Retries {
		text := budgetText(o.Surely)
		if n := o.Surely.Retries; n > 0 {
			text += fmt.Sprintf("; %s last %s", plural(n-1, "retry", "retries"), rangeText(o.Before))
		}
		return text + "\n" + given(o)
	}
	return fmt.Sprintf("to outlast %s:\n", span(o.Span)) + columns([][]string{
		{"surely", never(o, o.Surely)},
		{"on average", never(o, o.OnAverage) + enough(o.OnAverage)},
		{"for " + percent(o.Confidence) + " of jobs", never(o, o.Likely) + enough(o.Likely)},
	}) + given(o)
}

// given says how the policy's own budget does.
func given(o *plan.Outlasting) string {
	if o.Given == nil {
		return ""
	}
	return "the policy's own budget: " + budgetText(o.Given) + enough(o.Given) + "\n"
}

func never(o *plan.Outlasting, b *plan.Budget) string {
	if b == nil {
		return fmt.Sprintf("not with any budget of up to %d retries", o.Most)
	}
	return budgetText(b)
}

// enough says for how many a budget is enough.
func enough(b *plan.Budget) string {
	switch {
	case b == nil:
		return ""
	case b.Chance == 0:
		return "; never enough"
	case b.Chance == 1:
		return "; always enough"
	}
	return "; enough for " + percent(b.Chance) + " of jobs"
}

func budgetText(b *plan.Budget) string {
	return fmt.Sprintf("%s (%s): they last %s", plural(b.Retries, "retry", "retries"), plural(b.Retries+1, "try", "tries"), rangeText(b.Total))
}

func rangeText(t plan.Total) string {
	if t.Min == t.Max {
		return span(t.Min)
	}
	return fmt.Sprintf("%s to %s, %s on average", span(t.Min), span(t.Max), meanSpan(t.Mean))
}

// drawn lists samples, a line for each job.
func (a *delayAnswer) drawn() string {
	var b strings.Builder
	fmt.Fprintf(&b, "drawn with seed %d:\n", a.seed)
	for job, waits := range a.samples {
		fmt.Fprintf(&b, "job %d:", job)
		total := time.Duration(0)
		for _, d := range waits {
			fmt.Fprintf(&b, " %s", lastingExactly(d))
			total += min(d, 1<<62-total) // far beyond any simulation's end
		}
		fmt.Fprintf(&b, "; in all %s\n", lastingExactly(total))
	}
	return b.String()
}

// percent writes a chance with one decimal, and never rounds to a certainty.
func percent(p float64) string {
	switch {
	case p > 0 && p < 0.0005:
		return "< 0.1 %"
	case p > 0.9995 && p < 1:
		return "> 99.9 %"
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*p, 'f', 1, 64), ".0") + " %"
}

// span writes a span as people say it: below a second exactly in the unit that fits, then exactly in seconds, from ten
// minutes on in days, hours, minutes and whole seconds.
func span(d time.Duration) string {
	switch {
	case d == 0:
		return "0s"
	case d < time.Second:
		return d.String()
	case d < 10*time.Minute:
		return seconds(d) + "s"
	}
	d = d.Round(time.Second)
	text := ""
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / u.size; n > 0 {
			text += strconv.FormatInt(int64(n), 10) + u.name
			d -= n * u.size
		}
	}
	return text
}

// roundedSpan writes a span to three digits.
func roundedSpan(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return span(d / unit * unit)
}

// meanSpan writes a mean, given in nanoseconds, to six digits.
func meanSpan(ns *big.Rat) string {
	d, _ := new(big.Rat).SetString(result.Derived(ns).String())
	whole := new(big.Int).Quo(d.Num(), d.Denom())
	if !whole.IsInt64() {
		return "more than " + span(1<<63-1)
	}
	return span(time.Duration(whole.Int64()))
}
