package scenario

import "herdsim/sim/engine"

// retryBudget reads `retry_budget` of a policy, which overrides a preset's, and `on_empty`; nil when there is none, or after
// an error.
func (b *builder) retryBudget(v named, preset *engine.RetryBudget) *engine.RetryBudget {
	var r *engine.RetryBudget
	switch budget := v.get("retry_budget"); {
	case budget != nil:
		r = b.tokens(budget)
	case preset != nil:
		r = preset
	case v.wrote("on_empty"):
		b.conflict(v.get("on_empty").key, "`on_empty` in policy `"+v.name+"` has no meaning without `retry_budget`")
	}
	if r != nil {
		r.Wait = v.get("on_empty").word == "wait"
	}
	return r
}

// tokens reads `retry_budget` itself.
func (b *builder) tokens(budget *value) *engine.RetryBudget {
	if !b.oneSource(budget) || !b.fits(budget) {
		return nil
	}
	r := &engine.RetryBudget{AtFire: budget.get("check").word == "fire", PerWorker: b.perWorker(budget)}
	if w := budget.get("bucket"); w != nil {
		r.Bucket = w.number.num
	}
	if w := budget.get("refill"); w != nil {
		r.Refill = w.rate
	}
	if w := budget.get("per_success"); w != nil {
		r.PerSuccess = w.fraction()
	}
	if w := budget.get("threshold"); w != nil {
		r.Threshold = w.fraction()
	}
	if w := budget.get("ratio"); w != nil {
		r.PerFirst = w.fraction()
	}
	if w := budget.get("reserve"); w != nil {
		r.Reserve = w.rate
	}
	return r
}

// oneSource checks that exactly one of the fields is there that say where tokens come from.
func (b *builder) oneSource(v *value) bool {
	var first *value
	for _, name := range []string{"refill", "per_success", "ratio"} {
		w := v.get(name)
		if w == nil {
			continue
		}
		if first != nil {
			b.conflict(w.key, "`"+first.key.text+"` and `"+name+"` are both set in `retry_budget`", "choose one")
			return false
		}
		first = w
	}
	if first == nil {
		b.conflict(v.at(), "nothing fills `retry_budget`",
			"`refill: 10/s`: tokens over time; `per_success: 0.1`: tokens of successes; `ratio: 20%`: tokens of first calls")
	}
	return first != nil
}

// fits checks that the other fields go with that one.
func (b *builder) fits(v *value) bool {
	before := b.errors
	if w := v.get("threshold"); w != nil && v.get("per_success") == nil {
		b.conflict(w.key, "`threshold` in `retry_budget` has no meaning without `per_success`")
	}
	if w := v.get("reserve"); w != nil && v.get("ratio") == nil {
		b.conflict(w.key, "`reserve` in `retry_budget` has no meaning without `ratio`")
	}
	if v.get("ratio") == nil && v.get("bucket") == nil {
		b.conflict(v.at(), "`retry_budget` has no `bucket`", "the most tokens that it holds, such as `bucket: 100`")
	}
	return b.errors == before
}

// perWorker reads `per`.
func (b *builder) perWorker(v *value) bool {
	per := v.get("per")
	if per.word == "worker" && b.in.Workers.Count == 0 {
		b.conflict(per.key, "`per: worker` in `"+v.key.text+"` needs workers that can be told apart", "give `workers` a `count`")
	}
	return per.word == "worker"
}

// breaker reads `breaker` of a policy; nil when there is none.
func (b *builder) breaker(v *value) *engine.BreakerRule {
	if !usable(v) {
		return nil
	}
	return &engine.BreakerRule{
		Failures: int(v.get("failures").number.num), Within: v.get("within").duration(), Open: v.get("open").duration(),
		Probes: int(v.get("probes").number.num), PerWorker: b.perWorker(v), AtSchedule: v.get("check").word == "schedule",
	}
}
