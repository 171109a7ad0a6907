package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// clumped returns the two clumps of a metric as one cell: what lies around which mean, and in how many replications.
func (s style) clumped(m result.Metric, u unit) string {
	var parts []string
	for _, c := range m.Clumps {
		parts = append(parts, fmt.Sprintf("%s (%d)", s.mean(result.Metric{Mean: c.Mean}, u), c.Replications))
	}
	return strings.Join(parts, " or ")
}

// shares lists the shares of the replications in each clump of the metrics that a text has shown since the last time.
func (t *text) shares() {
	for _, c := range t.clumps[t.told:] {
		var parts []string
		known := 0
		for _, k := range c.metric.Clumps {
			known += k.Replications
		}
		for _, k := range c.metric.Clumps {
			low, high := k.CI95.Float()
			span := t.mean(result.Metric{Mean: k.Min}, c.unit) + " to " + t.mean(result.Metric{Mean: k.Max}, c.unit)
			parts = append(parts, fmt.Sprintf("%d of %d replications (%s) %s", k.Replications, known, t.percents(low, high), span))
		}
		t.wrapped("two clumps, "+c.name+": "+strings.Join(parts, ", ")+"; a mean of both would describe none", 2)
	}
	t.told = len(t.clumps)
}

// percents returns an interval of shares.
func (s style) percents(low, high float64) string {
	return fixed(100*low, 0) + s.absent + fixed(100*high, 0) + hard + "%"
}

// A clumpedCell is a cell that shows two clumps.
type clumpedCell struct {
	name   string // policy and metric
	metric result.Metric
	unit   unit
}

// noteClumps keeps a clumped metric for the lines below the table; each once.
func (t *text) noteClumps(e entry, key string, m result.Metric) {
	name := t.clean(labelOf(e.p)) + ", " + t.clean(key)
	if len(t.result.Cases) > 1 {
		name += ", case " + strconv.Itoa(e.index+1)
	}
	for _, c := range t.clumps {
		if c.name == name {
			return
		}
	}
	t.clumps = append(t.clumps, clumpedCell{name, m, unitOf(key)})
}

// count returns the cell of a metric that counts each job once. Of no job among N in all replications it shows the N, where
// there is room: nothing seen is not nothing, and how much it may be depends on N.
func (t *text) count(e entry, key string, d detail) string {
	m := e.p.Metrics[key]
	s := m.Share
	if m.Max.Float() > 0 || s == nil || s.Count > 0 {
		return t.value(e, key, d.intervals)
	}
	if t.fewest == 0 || s.Of < t.fewest {
		t.fewest = s.Of
	}
	if d.jobs {
		return "0 of " + wholes(s.Of)
	}
	return "0"
}

func wholes(n int64) string { return group(strconv.FormatInt(n, 10)) }

// explainNone says what a count of none may hide.
func (t *text) explainNone() {
	if t.fewest > 0 {
		t.wrapped("0 of "+together(wholes(t.fewest)+" jobs")+" in all replications: were their fates independent, a share of up to 3/N, "+
			together(t.percent(3/float64(t.fewest)))+", would go unseen in one of twenty results", 2)
	}
}

// percent returns a share in two significant digits.
func (s style) percent(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 2, 64) + " %"
}

// sharesOf lists the shares of the jobs that a policy's metrics are.
func (t *text) sharesOf(p *result.Policy) {
	for _, key := range slices.Sorted(maps.Keys(p.Metrics)) {
		if s := p.Metrics[key].Share; s != nil {
			t.wrapped(t.clean(key)+": "+wholes(s.Count)+" of "+together(wholes(s.Of)+" jobs")+", "+together(t.share(s)), 2)
		}
	}
}

// share returns a share of the jobs with its interval.
func (s style) share(of *result.Share) string {
	low, high := of.CI95.Float()
	switch of.Count {
	case 0:
		return "< " + s.percent(high)
	case of.Of:
		return "> 100 % - " + s.percent(1-low)
	}
	_, e := split(100 * (high - low))
	places := min(max(0, 1-e), 6)
	return fixed(100*float64(of.Count)/float64(of.Of), places) + " % (" + fixed(100*low, places) + s.absent + fixed(100*high, places) + " %)"
}
