package scenario

import (
	"strconv"
	"strings"
	"time"

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
		r := recipe{p.node, b.queue}
		made, ok := b.reader.built[r]
		if !ok {
			made = b.policy(p)
			b.reader.built[r] = made
		}
		list = append(list, made)
	}
	return list
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
	queue engine.Queue // the scenario's
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
	b.waits(v, &p, preset)
	return p
}

// budget reads the budget, of which there is exactly one unless a preset brings its own.
func (b *builder) budget(v named, p *Policy, preset bool) {
	attempts, retries := v.get("max_attempts"), v.get("max_retries")
	switch {
	case attempts != nil && retries != nil:
		b.conflict(attempts.key, "`max_attempts` and `max_retries` are both set in policy `"+v.name+"`",
			"max_attempts counts the first try (BullMQ, EchoMQ); max_retries does not (FlexiQ, Celery, Sidekiq): 4 means 5 tries")
	case attempts != nil:
		p.Budget = policy.Budget{Tries: triesOf(attempts, 0)}
	case retries != nil:
		p.Budget = policy.Budget{Tries: triesOf(retries, 1)}
	case !preset:
		b.conflict(v.key, "policy `"+v.name+"` has no budget", "write `max_attempts: 10` or `max_retries: 9`, which mean the same, or `max_attempts: unlimited`")
	}
}

// triesOf returns the tries in all, given how many of them the number leaves out.
func triesOf(v *value, uncounted int) int {
	if v.word == "unlimited" {
		return policy.Unlimited
	}
	return int(v.arg.number.num) + uncounted
}

// waits reads `delay` and `jitter`.
func (b *builder) waits(v named, p *Policy, preset bool) {
	delay, jitter := v.get("delay"), v.get("jitter")
	switch {
	case delay != nil:
		curve := b.curve(delay, p.Budget.Tries)
		spread, ok := b.jitter(jitter)
		if curve != nil && ok {
			p.Policy = policy.New(curve, spread)
		}
	case v.wrote("jitter") && preset:
		b.conflict(jitter.key, "`jitter` beside a preset needs `delay` beside it too", "a preset's wait and its jitter are one formula")
	case v.wrote("jitter"):
		b.conflict(jitter.key, "policy `"+v.name+"` has `jitter` but no `delay` that it could spread")
	case !preset && p.Budget.Tries > 1:
		b.conflict(v.key, "policy `"+v.name+"` has no `delay`", "such as `delay: {exponential: {base: 1s, cap: 60s}}`; only a policy with one try needs none")
	}
}

// curve reads `delay`; nil after an error.
func (b *builder) curve(v *value, tries int) policy.Curve {
	switch v.word {
	case "fixed":
		return policy.Fixed(v.arg.duration())
	case "ladder":
		var waits []time.Duration
		for _, item := range v.arg.arg.items {
			waits = append(waits, item.duration())
		}
		return policy.Ladder(waits)
	}
	base, factor, limit := v.arg.get("base").duration(), v.arg.get("factor"), v.arg.get("cap")
	growth := policy.Fraction{Num: factor.number.num, Den: factor.number.den}
	if growth.Den > 1_000_000 || 1_000_000%growth.Den > 0 {
		b.fail(factor.node, "`factor` has more than 6 decimals", "")
		return nil
	}
	if limit == nil {
		return policy.Exponential(base, growth, 0)
	}
	b.judgeCap(v.arg, base, growth, tries)
	return policy.Exponential(base, growth, limit.duration())
}

// judgeCap warns of a cap that does nothing and of one that does everything.
func (b *builder) judgeCap(v *value, base time.Duration, growth policy.Fraction, tries int) {
	limit := v.get("cap").duration()
	text, first := "cap "+v.get("cap").node.text, v.get("base").node.text
	if limit < base {
		b.warn(v.get("cap").node, text+" is below base "+first+": every wait is "+v.get("cap").node.text)
	}
	if tries < 2 || tries == policy.Unlimited {
		return
	}
	last := policy.Exponential(base, growth, 0).Base(tries - 1)
	if last >= limit {
		return
	}
	text += " is never reached: "
	if steps := tries - 2; steps == 0 || growth.Num == growth.Den {
		text += "every wait is " + first
	} else {
		text += "base " + first + " " + grown(growth, v.get("factor"), steps) + " is " + units.FormatDuration(last)
	}
	b.warn(v.get("cap").node, text)
}

// grown says how a base grows in so many steps: "doubled 4 times", "times 1.5 once".
func grown(growth policy.Fraction, factor *value, steps int) string {
	how := "doubled"
	if growth.Num != 2*growth.Den {
		how = "times " + strings.TrimSuffix(factor.node.text, ".0")
	}
	switch steps {
	case 1:
		return how + " once"
	case 2:
		return how + " twice"
	}
	return how + " " + strconv.Itoa(steps) + " times"
}

// jitter reads `jitter`; false after an error.
func (b *builder) jitter(v *value) (policy.Jitter, bool) {
	switch v.word {
	case "full":
		return policy.Full{}, true
	case "equal":
		return policy.Equal{}, true
	case "add":
		lo, hi := v.arg.items[0].duration(), v.arg.items[1].duration()
		if lo > hi {
			b.fail(v.arg.at(), "`add` goes from "+units.FormatDuration(lo)+" down to "+units.FormatDuration(hi), "write the smaller one first")
			return nil, false
		}
		return policy.Add{Lo: lo, Hi: hi}, true
	case "ratio":
		return policy.Ratio{Fraction: policy.Fraction{Num: v.arg.number.num, Den: v.arg.number.den}}, true
	case "up":
		return policy.Up{Fraction: policy.Fraction{Num: v.arg.number.num, Den: v.arg.number.den}}, true
	}
	return policy.None{}, true
}
