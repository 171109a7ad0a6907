package main

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"herdsim/sim/clock"
	"herdsim/sim/experiment"
	"herdsim/sim/result"
)

// text is the answer for people.
func (a *planAnswer) text() []byte {
	parts := []string{a.costText()}
	for _, f := range a.policies {
		parts = append(parts, f.text(a.load, a.confidence))
	}
	return []byte(strings.Join(parts, "\n"))
}

// costText says what a run takes.
func (a *planAnswer) costText() string {
	c := a.cost
	text := fmt.Sprintf("%s: %s", shown(a.file.Path), plural(c.Runs, "run", "runs"))
	if c.Runs > 1 {
		var parts []string
		if c.Cases > 1 {
			parts = append(parts, plural(c.Cases, "case", "cases"))
		}
		parts = append(parts, plural(len(a.chosen.Policies), "policy", "policies"), plural(c.Replications, "replication", "replications"))
		text += " (" + strings.Join(parts, " × ") + ")"
	}
	text += ", the series of which take at most " + bytesText(c.SeriesBytes) + "\n"
	if set := settingsLine(a.chosen.Set); set != "" {
		text += "case: " + set + "\n"
	}
	return text + a.loadText()
}

// loadText says how many jobs a run has.
func (a *planAnswer) loadText() string {
	text := "jobs of a run: " + amountText(a.load.Jobs)
	if !a.load.Exact {
		text += " on average"
	}
	if a.load.Bytes > 0 {
		text += ", those there from the start take " + bytesText(a.load.Bytes)
	}
	return text + "\n"
}

// amountText writes a number of things, in whole ones where it is large.
func amountText(n *big.Rat) string {
	if !n.IsInt() {
		n, _ = new(big.Rat).SetString(n.FloatString(1))
	}
	return result.Exact(n).String()
}

func bytesText(n uint64) string {
	const k = 1024
	switch {
	case n < k:
		return strconv.FormatUint(n, 10) + " bytes"
	case n < k*k:
		return strconv.FormatFloat(float64(n)/k, 'f', 0, 64) + " KiB"
	case n < k*k*k:
		return strconv.FormatFloat(float64(n)/(k*k), 'f', 1, 64) + " MiB"
	}
	return strconv.FormatFloat(float64(n)/(k*k*k), 'f', 1, 64) + " GiB"
}

// text says what is known of the policy: its waits, how long they last, what they outlast.
func (f *forecast) text(load experiment.Load, confidence float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", f.title())
	if f.retries < 0 {
		b.WriteString("tries without limit")
	} else {
		fmt.Fprintf(&b, "%s (%s)", plural(f.retries, "retry", "retries"), plural(f.retries+1, "try", "tries"))
	}
	if most := attempts(load, f.retries); most != nil {
		fmt.Fprintf(&b, ", %s to %s attempts a run", amountText(load.Jobs), amountText(most))
	}
	b.WriteByte('\n')
	if f.unknown != "" {
		fmt.Fprintf(&b, "  waits: not foreseen: %s\n", f.unknown)
	} else if len(f.waits) > 0 {
		b.WriteString(waitTable(f.waits, f.elapsed > 0))
		if more := f.retries - len(f.waits); more > 0 {
			fmt.Fprintf(&b, "… and %d more\n", more)
		}
	}
	if f.rough() {
		b.WriteString("  " + roughRemark)
	}
	if f.elapsed > 0 && f.unknown == "" {
		b.WriteString("  " + f.endsRemark())
	}
	b.WriteString(f.lastsText(confidence))
	if f.unforeseen != "" {
		fmt.Fprintf(&b, "  what it outlasts is not foreseen: %s\n", f.unforeseen)
	}
	for _, o := range f.outages {
		if line := f.outageText(o, confidence); line != "" {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

// attempts returns the most attempts that a run can have, given the retries of the budget, negative for no limit; nil when there
// is no such number.
func attempts(load experiment.Load, retries int) *big.Rat {
	if retries < 0 {
		return nil
	}
	return new(big.Rat).Mul(load.Jobs, big.NewRat(int64(retries)+1, 1))
}

func (f *forecast) title() string {
	if f.label == f.name {
		return f.name
	}
	return f.name + " (" + f.label + ")"
}

// lastsText says how long the waits of the whole budget last.
func (f *forecast) lastsText(confidence float64) string {
	if f.total == nil || f.retries == 0 {
		return ""
	}
	text := "  the waits last " + rangeText(*f.total)
	if f.likely >= 0 && f.total.Min < f.total.Max {
		text += fmt.Sprintf("; for %s of jobs at least %s", percent(confidence), roundedSpan(f.likely))
	}
	if f.elapsed > 0 {
		text += ", were there no max_elapsed"
	}
	return text + "\n"
}

// outageText says what the policy makes of an outage; "" when that is not known.
func (f *forecast) outageText(o outlook, confidence float64) string {
	if o.To == clock.End {
		return fmt.Sprintf("outlasts %s%s: never, it has no end", o.Name, forWhom(o.Outage))
	}
	if o.Outlasting == nil {
		return ""
	}
	text := fmt.Sprintf("outlasts %s (%s%s): %s of jobs", o.Name, span(o.Span), forWhom(o.Outage), percent(o.Given.Chance))
	switch {
	case f.retries == 0: // no wait is known that more retries would have
		return text
	case o.Likely == nil:
		return text + fmt.Sprintf("; no budget of up to %d retries does for %s", o.Most, percent(confidence))
	case o.Likely.Retries == f.retries:
		return text + fmt.Sprintf("; no smaller budget does for %s", percent(confidence))
	}
	return text + fmt.Sprintf("; %s would for %s", plural(o.Likely.Retries, "retry", "retries"), percent(confidence))
}
