package scenario

import (
	"strconv"
	"strings"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// A row is one way to write a curve or a jitter: the field that holds its parameters, and what reads them.
type row[R any] struct {
	field
	read R
}

// rowNamed returns the row of a field.
func rowNamed[R any](rows []row[R], name string) row[R] {
	for _, r := range rows {
		if r.name == name {
			return r
		}
	}
	panic("scenario: no row for " + name)
}

// fieldsOf returns the fields of the rows.
func fieldsOf[R any](rows []row[R]) []field {
	var fields []field
	for _, r := range rows {
		fields = append(fields, r.field)
	}
	return fields
}

// A readCurve turns the value of its field into a spreading, nil after an error. tries are the policy's tries in all.
type readCurve = func(b *builder, v *value, tries int) spreading

// A spreading makes a policy with a jitter. It returns nil when it can take none but policy.None.
type spreading = func(policy.Jitter) policy.Policy

// spread is the spreading of a curve.
func spread(c policy.Curve) spreading {
	return func(j policy.Jitter) policy.Policy { return policy.New(c, j) }
}

// curves are the forms of `delay`.
var curves = []row[readCurve]{
	{
		field{name: "fixed", shape: anyDuration(), doc: "always the same"},
		func(_ *builder, v *value, _ int) spreading { return spread(policy.Fixed(v.duration())) },
	},
	{
		field{name: "linear", shape: record(
			field{name: "first", shape: anyDuration(), required: true, doc: "the first wait"},
			field{name: "step", shape: anyDuration(), required: true, doc: "how much longer each wait is than the one before"},
		), doc: "first + step·(n−1)"},
		func(_ *builder, v *value, _ int) spreading {
			return spread(policy.Linear{First: v.get("first").duration(), Step: v.get("step").duration()})
		},
	},
	{
		field{name: "exponential", shape: record(
			field{name: "base", shape: someDuration(), required: true, doc: "the first wait"},
			field{name: "factor", shape: fractions(bounds{least: "1", most: "1000000"}), def: "2", doc: "growth from one wait to the next, up to 6 decimals"},
			field{name: "cap", shape: someDuration(), doc: "longest wait, before the jitter; by default none"},
		), doc: "min(cap, base·factor^(n−1))"},
		exponential,
	},
	{
		field{name: "power", shape: record(
			field{name: "base", shape: someDuration(), required: true, doc: "unit of the power"},
			field{name: "exponent", shape: integers(bounds{least: "1", most: "62"}), required: true, doc: "power to which n+shift is raised"},
			field{name: "offset", shape: anyDuration(), def: "0s", doc: "added to every wait"},
			field{name: "shift", shape: signed("1000000"), def: "0", doc: "added to n; where n+shift is negative, it counts as 0"},
		), doc: "base·(n+shift)^exponent + offset"},
		power,
	},
	{
		field{name: "fibonacci", shape: record(
			field{name: "base", shape: someDuration(), required: true, doc: "the first wait"},
		), doc: "base times 1, 2, 3, 5, 8, …, each the sum of the two before"},
		func(_ *builder, v *value, _ int) spreading { return spread(policy.Fibonacci(v.get("base").duration())) },
	},
	{
		field{name: "ladder", shape: ladderShape, doc: "waits of a list; as a list alone: one after another, the last repeats"},
		ladder,
	},
	{
		field{name: "decorrelated", shape: record(
			field{name: "base", shape: someDuration(), required: true, doc: "least wait, and the one that the first is drawn from"},
			field{name: "cap", shape: someDuration(), doc: "longest wait; by default none"},
		), doc: "uniform over [base, 3·the last wait], at most cap, the last wait being that before `min_wait`, `max_wait` and `round_wait`; takes no `jitter`"},
		decorrelated,
	},
}

// delay reads `delay` and `jitter`; nil after an error.
func (b *builder) delay(v, jitter *value, tries int) policy.Policy {
	with := rowNamed(curves, v.word).read(b, v.arg, tries)
	j := b.jitter(jitter)
	if with == nil || j == nil {
		return nil
	}
	p := with(j)
	if p == nil {
		b.conflict(jitter.key, "`jitter` beside `"+v.word+"`, which takes none", "its waits are random by themselves")
	}
	return p
}

func exponential(b *builder, v *value, tries int) spreading {
	base, factor := v.get("base").duration(), v.get("factor")
	growth := factor.fraction()
	if growth.Den > 1_000_000 || 1_000_000%growth.Den > 0 {
		b.fail(factor.node, "`factor` has more than 6 decimals", "")
		return nil
	}
	limit := time.Duration(0)
	if cap := v.get("cap"); cap != nil {
		limit = cap.duration()
		b.judgeCap(v, policy.Exponential(base, growth, 0), growth, tries-2)
	}
	return spread(policy.Exponential(base, growth, limit))
}

func power(_ *builder, v *value, _ int) spreading {
	shift := int64(v.get("shift").number.num)
	if v.get("shift").minus {
		shift = -shift
	}
	return spread(policy.Power{
		Unit: v.get("base").duration(), Exponent: int(v.get("exponent").number.num), Offset: v.get("offset").duration(), Shift: shift,
	})
}

func decorrelated(b *builder, v *value, tries int) spreading {
	base, limit := v.get("base").duration(), time.Duration(0)
	if cap := v.get("cap"); cap != nil {
		limit = cap.duration()
		if growth := (policy.Fraction{Num: 3, Den: 1}); tries > 1 {
			b.judgeCap(v, policy.Exponential(base, growth, 0), growth, tries-1)
		}
	}
	return func(j policy.Jitter) policy.Policy {
		if j != (policy.None{}) {
			return nil
		}
		return policy.Decorrelated(base, limit)
	}
}

// judgeCap warns of a cap that does nothing and of one that does everything, given the longest waits without it, how they
// grow, and how often in the life of a job.
func (b *builder) judgeCap(v *value, longest policy.Curve, growth policy.Fraction, steps int) {
	limit := v.get("cap").duration()
	text, first := "cap "+v.get("cap").node.text, v.get("base").node.text
	if limit < v.get("base").duration() {
		b.warn(v.get("cap").node, text+" is below base "+first+": every wait is "+v.get("cap").node.text)
	}
	if steps < 0 || steps >= policy.Unlimited-2 {
		return
	}
	last := longest.Base(steps + 1)
	if last >= limit {
		return
	}
	text += " is never reached: "
	if steps == 0 || growth.Num == growth.Den {
		text += "every wait is " + first
	} else {
		text += "base " + first + " " + grown(growth, v.get("factor"), steps) + " is " + units.FormatDuration(last)
	}
	b.warn(v.get("cap").node, text)
}

// grown says how a base grows in so many steps: "doubled 4 times", "times 1.5 once".
func grown(growth policy.Fraction, factor *value, steps int) string {
	how := ""
	switch {
	case growth.Num == 2*growth.Den:
		how = "doubled"
	case growth.Num == 3*growth.Den:
		how = "tripled"
	default:
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
