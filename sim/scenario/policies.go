package scenario

import (
	"strconv"

	"herdsim/sim/engine"
	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// policies reads `policies`.
func (b *builder) policies(v *value) []Policy {
	b.judgeLabels(v)
	var list []Policy
	for _, p := range v.names {
		if p.bad {
			continue
		}
		list = append(list, b.inhabitant(p))
	}
	return list
}

// inhabitant reads a policy and the world in which it lives.
func (b *builder) inhabitant(p named) Policy {
	home := b.in
	defer func() { b.in = home }()
	own := b.ownWorld(p)
	if own != nil {
		b.in = own
	}
	r := recipe{p.node, b.in.Queue, b.in.Workers.Count}
	made, ok := b.reader.built[r]
	if !ok {
		made = b.policy(p)
		b.reader.built[r] = made
	}
	made.Overrides = overrides(p)
	if made.World = own; made.queue != nil {
		made.World = new(*b.in)
		made.World.Queue = *made.queue
	}
	return made
}

// judgeLabels warns of labels that name two policies.
func (b *builder) judgeLabels(v *value) {
	names, taken := map[string]bool{}, map[string]string{}
	for _, p := range v.names {
		names[p.name] = true
	}
	for _, p := range v.names {
		label := p.get("label")
		if !usable(label) {
			continue
		}
		text := "label " + units.Quote(label.word) + " of policy `" + p.name + "` is also "
		if other, ok := taken[label.word]; ok {
			b.warn(label.at(), text+"that of policy `"+other+"`")
		} else if label.word != p.name && names[label.word] {
			b.warn(label.at(), text+"the name of another policy")
		}
		taken[label.word] = p.name
	}
}

// A recipe is all that a policy depends on.
type recipe struct {
	node  *node
	queue engine.Queue // of its world
	hands int          // how many workers that has
}

// policy reads one policy: a preset, or a delay, a jitter and a budget; what is written beside a preset overrides it.
func (b *builder) policy(v named) Policy {
	p := Policy{Name: v.name, Label: v.name}
	if label := v.get("label"); label != nil {
		b.oneLine(label, maxLabel, "`label` of policy `"+v.name+"`")
		p.Label = label.word
	}
	preset := v.get("preset") != nil
	if preset {
		b.preset(v, &p)
	} else {
		b.needsPreset(v)
	}
	b.budget(v, &p, preset)
	p.Discipline = b.discipline(v, p.Discipline)
	b.waits(v, &p, preset)
	return p
}

// budget reads the budget. There is exactly one of its two spellings, unless a preset brings its own or a ladder is one.
func (b *builder) budget(v named, p *Policy, preset bool) {
	attempts, retries := v.get("max_attempts"), v.get("max_retries")
	stop := stopsAfter(v.get("delay"))
	switch {
	case attempts != nil && retries != nil:
		b.conflict(attempts.key, "`max_attempts` and `max_retries` are both set in policy `"+v.name+"`",
			"max_attempts counts the first try (BullMQ, EchoMQ); max_retries does not (FlexiQ, Celery, Sidekiq): 4 means 5 tries")
	case attempts != nil:
		p.Budget.Tries = b.within(stop, attempts, triesOf(attempts, 0))
	case retries != nil:
		p.Budget.Tries = b.within(stop, retries, triesOf(retries, 1))
	case stop > 0:
		p.Budget.Tries = stop
	case !preset:
		b.conflict(v.key, "policy `"+v.name+"` has no budget", "write `max_attempts: 10` or `max_retries: 9`, which mean the same, or `max_attempts: unlimited`")
	}
	if elapsed := v.get("max_elapsed"); elapsed != nil {
		p.Budget.Elapsed = elapsed.duration()
	}
}

// within returns the tries that a budget and a ladder that stops, if there is one, both allow.
func (b *builder) within(stop int, budget *value, tries int) int {
	if stop == 0 || tries <= stop {
		return tries
	}
	if tries != policy.Unlimited {
		b.warn(budget.node, "the budget is never spent: the ladder stops after "+strconv.Itoa(stop)+" tries")
	}
	return stop
}

// triesOf returns the tries in all, given how many of them the number leaves out.
func triesOf(v *value, uncounted int) int {
	if v.word == "unlimited" {
		return policy.Unlimited
	}
	return int(v.arg.number.num) + uncounted
}

// waits reads `delay`, `jitter`, and what limits the waits.
func (b *builder) waits(v named, p *Policy, preset bool) {
	delay, jitter := v.get("delay"), v.get("jitter")
	switch {
	case delay != nil:
		p.Policy = b.delay(delay, jitter, p.Budget.Tries)
	case v.wrote("jitter") && p.Policy != nil:
		b.respread(jitter, p)
	case preset:
	case p.Budget.Tries > 1 || p.Discipline.Uncharged != 0:
		b.conflict(v.key, "policy `"+v.name+"` has no `delay`", "such as `delay: {exponential: {base: 1s, cap: 60s}}`; only a policy with one try and nothing `uncharged` needs none")
	default:
		for _, name := range []string{"jitter", "min_wait", "max_wait", "round_wait", "retry_after"} {
			if w := v.get(name); v.wrote(name) && w.word != "none" && w.word != "ignore" && (name == "jitter" || name == "retry_after" || w.duration() > 1) {
				b.conflict(w.key, "policy `"+v.name+"` has `"+name+"` but no `delay` whose waits it could change")
			}
		}
	}
	if limits, ok := b.limits(v); ok && p.Policy != nil {
		p.Policy = b.heeding(v, policy.Limit(p.Policy, limits), limits.Most)
	}
}

// respread puts a jitter in the place of a preset's own.
func (b *builder) respread(jitter *value, p *Policy) {
	j := b.jitter(jitter)
	if j == nil {
		return
	}
	other, ok := policy.Respread(p.Policy, j)
	if !ok {
		b.conflict(jitter.key, "`jitter` beside a preset whose waits are random by themselves", "write `delay` beside it too")
		return
	}
	p.Policy = other
}

// limits reads what is done to a wait after the jitter; false after an error.
func (b *builder) limits(v named) (policy.Limits, bool) {
	l := policy.Limits{Least: v.get("min_wait").duration(), Step: v.get("round_wait").duration()}
	most := v.get("max_wait")
	if most == nil {
		return l, true
	}
	l.Most = most.duration()
	switch {
	case l.Least > l.Most:
		b.fail(v.get("min_wait").node, "`min_wait` is above `max_wait` "+most.node.text, "")
		return l, false
	case l.Step > l.Most:
		b.warn(v.get("round_wait").node, "every wait is 0s: `max_wait` "+most.node.text+" is below `round_wait`")
	}
	return l, true
}
