package scenario

import "herdsim/sim/engine"

// What the words of `queue` stand for.
var (
	orders   = map[string]engine.Order{"fifo": engine.FIFO, "lifo": engine.LIFO, "priority": engine.Priority, "oldest": engine.Oldest}
	joinings = map[string]engine.Joining{"tail": engine.Tail, "head": engine.Head, "after_fresh": engine.AfterFresh}
	firsts   = map[string]engine.First{"due": engine.Due, "retries": engine.Retries, "scheduled": engine.FirstRuns}
)

// queueOf reads `queue`.
func (b *builder) queueOf(v *value) engine.Queue {
	q := engine.Queue{
		Order:      orders[v.get("order").word],
		Retries:    joinings[v.get("retries").word],
		Resolution: v.get("resolution").duration(),
	}
	b.promotion(v.get("promote"), &q)
	b.leases(v, &q)
	switch retries := v.get("retries"); {
	case q.Retries == engine.Head && q.Order == engine.LIFO:
		b.warn(retries.node, "`retries: head` has no effect: with `order: lifo` every job joins at the head")
	case q.Retries == engine.Head && q.Order == engine.Oldest:
		b.warn(retries.node, "`retries: head` has no effect: with `order: oldest` the job number alone decides")
	}
	return q
}

// promotion reads `queue.promote`.
func (b *builder) promotion(p *value, q *engine.Queue) {
	q.Drain = p.get("drain").truth
	q.RandomPhase = p.get("phase").word == "random"
	q.After = p.get("anchor").word == "after"
	if n := int(p.get("pollers").number.num); n > 1 {
		q.Pollers = n
	}
	q.ByWorker = p.get("by").word == "worker"
	q.Cost = p.get("cost").duration()
	q.First = firsts[p.get("first").word]
	if phase := p.get("phase").arg; phase != nil {
		q.Phase = phase.duration()
	}
	if batch := p.get("batch"); batch != nil {
		q.Batch = int(batch.number.num)
	}
	every := p.get("every")
	if every.word == "uniform" {
		if !b.rises(every.arg, "uniform") {
			return
		}
		if q.Every, q.EveryMost = every.arg.items[0].duration(), every.arg.items[1].duration(); q.EveryMost == 0 {
			b.fail(every.arg.items[1].node, "the longest interval between sweeps is 0s", "write `every: 0s` for an exact timer of each job")
		}
	} else {
		q.Every = every.arg.duration()
	}
	b.judgePromotion(p, q)
}

// judgePromotion warns of what has no effect.
func (b *builder) judgePromotion(p *value, q *engine.Queue) {
	for _, f := range []struct {
		name string
		said bool
	}{
		{"by", q.ByWorker},
		{"phase", p.wrote("phase")},
		{"batch", p.wrote("batch")},
		{"drain", p.wrote("drain")},
		{"anchor", q.After},
		{"pollers", q.Pollers > 1},
		{"cost", q.Cost > 0},
		{"first", q.First != engine.Due},
	} {
		if !q.Sweeps() && f.said {
			b.warn(p.get(f.name).node, "`"+f.name+"` has no effect: with `every: 0s` each job is promoted at its due instant")
		}
	}
	if q.After && q.Cost == 0 && q.Sweeps() {
		b.warn(p.get("anchor").node, "`anchor: after` has no effect: without `cost` a sweep's work takes no time")
	}
}

// needsWorkers fails what makes workers sweep between jobs, in a world in which there is always one that has none.
func (b *builder) needsWorkers(n *node, what string, in *World) {
	if usable(b.own["workers"]) && in.Workers.Count == 0 {
		b.fail(n, what+" needs `workers.count`: without it there is always a worker that has no job", "write for example `workers: {count: 10}`")
	}
}
