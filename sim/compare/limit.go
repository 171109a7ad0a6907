package compare

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"herdsim/sim/diag"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/units"
)

// A Limit is how much a metric may change.
type Limit struct {
	text     string
	metric   string
	above    bool     // a larger change is beyond it, else a smaller one
	relative bool     // amount is a share of the value before
	amount   *big.Rat // in the metric's unit
}

// ParseLimit reads `METRIC > +5%`, `METRIC > +10`, `METRIC < -2s` or `METRIC > 0`: a change beyond which a comparison fails. The metric must
// be one of the results', whose names are given.
func ParseLimit(text string, known []string) (Limit, error) {
	at := strings.LastIndexAny(text, "<>")
	if at < 0 {
		return Limit{}, errors.New("want a metric, `>` or `<`, and a change, e.g. 'dead.total > +5%'")
	}
	l := Limit{text: strings.Join(strings.Fields(text), " "), metric: strings.TrimSpace(text[:at]), above: text[at] == '>'}
	if !slices.Contains(known, l.metric) {
		return Limit{}, unknownMetric(l.metric, known)
	}
	amount := strings.TrimSpace(text[at+1:])
	if strings.HasPrefix(amount, "=") {
		return Limit{}, errors.New("write `>` or `<`: a limit is exceeded when the whole interval lies beyond it")
	}
	rest, minus := strings.CutPrefix(amount, "-")
	switch more, plus := strings.CutPrefix(amount, "+"); {
	case plus:
		rest = more
	case !minus && amount != "0":
		return Limit{}, fmt.Errorf("%s is no change: write it with its sign, e.g. `+5%%`, `+10` or `-2s`", units.Quote(amount))
	}
	var err error
	if l.amount, l.relative, err = amountOf(rest, l.metric); err != nil {
		return Limit{}, err
	}
	if minus {
		l.amount.Neg(l.amount)
	}
	return l, nil
}

func unknownMetric(name string, known []string) error {
	if near, ok := diag.Nearest(name, known); ok {
		return fmt.Errorf("the results have no metric %s: did you mean `%s`?", units.Quote(name), near)
	}
	return fmt.Errorf("the results have no metric %s", units.Quote(name))
}

// amountOf reads how much, without its sign: a share, or so many of the metric's units.
func amountOf(text, metric string) (amount *big.Rat, relative bool, err error) {
	if strings.HasSuffix(text, "%") {
		amount, err = fraction(text)
		return amount, true, err
	}
	id, _, _ := strings.Cut(metric, "(")
	switch (metrics.Term{ID: id}).Dimension() {
	case metrics.Span, metrics.Instant:
		d, err := units.Duration(text)
		return big.NewRat(int64(d), 1e9), false, err
	case metrics.Rate:
		if !strings.Contains(text, "/") && text != "0" {
			return nil, false, fmt.Errorf("%s is a rate: write a change as `%s/s`", metric, text)
		}
		per, _ := strings.CutSuffix(text, "/s")
		amount, err = fraction(per)
		return amount, false, err
	}
	amount, err = fraction(text)
	return amount, false, err
}

func fraction(text string) (*big.Rat, error) {
	num, den, err := units.Fraction(text)
	if err != nil {
		return nil, err
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den)), nil
}

// Known lists the metrics of both results by which a limit may speak.
func Known(d *result.Delta) []string {
	names := map[string]bool{}
	for i := range d.Rows {
		names[d.Rows[i].Metric] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Judge says for every policy in every case whether the change lies beyond the limit: with its whole interval, so that luck alone
// rarely fails a comparison. A change relative to the value before is judged by after - (1+r)·before, replication by
// replication, whose interval allows for the doubt about before. Where replications have lost their values, as a drain
// time when jobs are stuck, the limit is exceeded. The results need two replications.
func (l Limit) Judge(d *result.Delta) []result.Limited {
	var all []result.Limited
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Metric == l.metric {
			all = append(all, l.judge(r))
		}
	}
	return all
}

func (l Limit) judge(r *result.DeltaRow) result.Limited {
	v := result.Limited{Limit: l.text, Set: r.Set, Policy: r.Policy}
	if r.Lost > 0 {
		v.Beyond, v.Why = true, fmt.Sprintf("of the replications that had a value %d have none", r.Lost)
		return v
	}
	excess := l.excess(r)
	if len(excess) == 0 {
		v.Why = "no replication has a value in both results"
		return v
	}
	low, high, several := result.Interval(excess)
	v.Excess = new(result.MeanOf(excess))
	if !several {
		v.Open, v.Why = true, "one replication has a value: there is no interval"
		return v
	}
	v.CI95 = &result.Bounds{result.MeanOf([]*big.Rat{low}), result.MeanOf([]*big.Rat{high})}
	v.Beyond = low.Sign() > 0
	v.Open = !v.Beyond && high.Sign() > 0
	return v
}

// excess returns how far each replication's change lies beyond the limit.
func (l Limit) excess(r *result.DeltaRow) []*big.Rat {
	if r.Before == nil || r.After == nil {
		return nil
	}
	var all []*big.Rat
	for i, b := range r.Before.Values {
		a := r.After.Values[i]
		if a == nil || b == nil {
			continue
		}
		allowed := l.amount
		if l.relative {
			allowed = new(big.Rat).Mul(l.amount, b.Rat())
		}
		e := new(big.Rat).Sub(a.Rat(), b.Rat())
		e.Sub(e, allowed)
		if !l.above {
			e.Neg(e)
		}
		all = append(all, e)
	}
	return all
}
