package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/units"
)

// An Env holds what the arguments of a term may refer to.
type Env struct {
	Cohorts []string
	Outages []Outage // repetitions may share a name
}

// An Outage is a span in which the dependency is down; To is clock.End when it has no end.
type Outage struct {
	Name     string
	From, To clock.Time
}

// A TermError says what is wrong with a term, and where.
type TermError struct {
	Offset, Length int    // of the part that is wrong, in bytes of the text
	Message        string // lower case
	Hint           string // how to write it right; may be empty
}

// ParseTerm reads a metric with its arguments, e.g. "retries.peak(window=100ms, after=outage.end)". The arguments after
// and before are durations from the start, or an edge of an outage: outage.start (of the one that starts first),
// outage.end (of the one that ends last), outage.NAME.start or outage.NAME.end.
func ParseTerm(text string, env Env) (Term, *TermError) {
	p := termParser{text: text, env: env}
	id, rest := p.head()
	m, known := find(text[id.from:id.to])
	switch {
	case p.err != nil:
	case !known:
		p.fail(id, "unknown metric "+units.Quote(text[id.from:id.to]), metricHint(text[id.from:id.to]))
	default:
		p.metric, p.term.ID = m, m.id
		p.arguments(rest)
		p.whole(id)
	}
	if p.err != nil {
		return Term{}, p.err
	}
	return p.term, nil
}

// termParser keeps the first error.
type termParser struct {
	text   string
	env    Env
	metric metric
	term   Term
	seen   arguments
	last   extent // of the later of after and before
	err    *TermError
}

// An extent is text[from:to].
type extent struct{ from, to int }

func (p *termParser) fail(at extent, message, hint string) {
	if p.err == nil {
		p.err = &TermError{Offset: at.from, Length: at.to - at.from, Message: message, Hint: hint}
	}
}

// blanks may stand between the parts of a term, which YAML may have folded over lines.
const blanks = " \t\r\n"

// trim takes the blanks off both ends.
func (p *termParser) trim(e extent) extent {
	s := p.text[e.from:e.to]
	e.from += len(s) - len(strings.TrimLeft(s, blanks))
	e.to -= len(s) - len(strings.TrimRight(s, blanks))
	if e.to < e.from {
		e.to = e.from
	}
	return e
}

// head finds the metric's name, and what its parentheses hold.
func (p *termParser) head() (id, inside extent) {
	all := p.trim(extent{0, len(p.text)})
	open := strings.IndexByte(p.text[all.from:all.to], '(')
	if open < 0 {
		if all.from == all.to {
			p.fail(all, "no metric is named", "write for example `jobs.dead`")
		}
		return all, extent{all.to, all.to}
	}
	open += all.from
	shut := strings.IndexByte(p.text[open:all.to], ')')
	switch {
	case shut < 0:
		p.fail(extent{open, all.to}, "the parenthesis is not closed", "write `)` at the end")
		return all, all
	case open+shut+1 < all.to:
		p.fail(extent{open + shut + 1, all.to}, "nothing may follow the arguments", "")
	}
	return p.trim(extent{all.from, open}), p.trim(extent{open + 1, open + shut})
}

func (p *termParser) arguments(inside extent) {
	if inside.from == inside.to {
		return
	}
	from := inside.from
	for _, part := range strings.Split(p.text[inside.from:inside.to], ",") {
		p.argument(p.trim(extent{from, from + len(part)}))
		from += len(part) + 1
	}
}

// argument reads one name=value.
func (p *termParser) argument(all extent) {
	text := p.text[all.from:all.to]
	equals := strings.IndexByte(text, '=')
	if equals < 0 {
		hint := "write `name=value`"
		if name, value, colon := strings.Cut(text, ":"); colon {
			hint = "write " + units.Quote(strings.TrimSpace(name)+"="+strings.TrimSpace(value))
		}
		p.fail(all, units.Quote(text)+" is not an argument", hint)
		return
	}
	key := p.trim(extent{all.from, all.from + equals})
	value := p.trim(extent{all.from + equals + 1, all.to})
	if arg, ok := p.key(key); ok {
		p.value(arg, value)
	}
}

// key finds the argument of that name.
func (p *termParser) key(at extent) (arguments, bool) {
	name := p.text[at.from:at.to]
	i := slices.Index(argumentNames(), name)
	if i < 0 {
		hint := nearest(name, p.metric.takes.names())
		if hint == "" {
			hint = p.takes()
		}
		p.fail(at, "unknown argument "+units.Quote(name), hint)
		return 0, false
	}
	arg := arguments(1 << i)
	switch {
	case p.metric.takes&arg == 0:
		p.fail(at, fmt.Sprintf("`%s` takes no `%s`", p.metric.id, name), p.takes())
	case p.seen&arg != 0:
		p.fail(at, fmt.Sprintf("`%s` is given twice", name), "")
	}
	p.seen |= arg
	return arg, p.err == nil
}

// takes lists what the metric takes, for a hint.
func (p *termParser) takes() string {
	return "it takes `" + strings.Join(p.metric.takes.names(), "`, `") + "`"
}

func (p *termParser) value(arg arguments, at extent) {
	if at.from == at.to {
		p.fail(at, "the value is missing", "")
		return
	}
	switch arg {
	case byWindow:
		p.term.Window = p.duration(at)
		if p.term.Window == 0 {
			p.fail(at, "a window must be longer than 0", "")
		}
	case byAfter:
		p.term.After, p.last = p.instant(at), at
	case byBefore:
		p.term.Before, p.last = p.instant(at), at
	case byRetry:
		p.term.Retry = p.retry(at)
	case byCohort:
		p.term.Cohort = p.cohort(at)
	}
}

// whole checks the arguments together.
func (p *termParser) whole(id extent) {
	if p.seen&byBefore != 0 && p.term.After >= p.term.Before {
		p.fail(p.last, "`before` must be later than `after`", "")
	}
	if missing := p.metric.needs &^ p.seen; missing != 0 {
		name := missing.names()[0]
		p.fail(id, fmt.Sprintf("`%s` needs `%s`", p.metric.id, name),
			fmt.Sprintf("write for example `%s(%s=1)`", p.metric.id, name))
	}
}

func (p *termParser) duration(at extent) time.Duration {
	d, err := units.Duration(p.text[at.from:at.to])
	p.unit(at, err)
	return d
}

// unit passes on an error of units.
func (p *termParser) unit(at extent, err error) {
	var detail *units.Error
	switch {
	case errors.As(err, &detail):
		p.fail(at, detail.Message, detail.Hint)
	case err != nil:
		p.fail(at, err.Error(), "")
	}
}

func (p *termParser) retry(at extent) int {
	k, err := units.Integer(p.text[at.from:at.to])
	p.unit(at, err)
	switch {
	case err != nil:
	case k < 1:
		p.fail(at, "retries count from 1", "write `1` for the first retry")
	case k > math.MaxInt32:
		p.fail(at, "no job has so many retries", fmt.Sprintf("write at most `%d`", math.MaxInt32))
	}
	return int(k)
}

func (p *termParser) cohort(at extent) string {
	name := p.text[at.from:at.to]
	if !slices.Contains(p.env.Cohorts, name) {
		p.fail(at, "unknown cohort "+units.Quote(name), nearestOf(name, p.env.Cohorts, "cohorts"))
	}
	return name
}

func (p *termParser) instant(at extent) clock.Time {
	name, edge := strings.CutPrefix(p.text[at.from:at.to], "outage.")
	if !edge {
		return clock.Time(p.duration(at))
	}
	return p.edge(at, name)
}
