package scenario

import (
	"fmt"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/units"
)

var ladderShape = &shape{kind: choiceKind, plain: list(anyDuration()), form: record(
	field{name: "waits", shape: list(anyDuration()), doc: "one after another; this or `at`"},
	field{name: "at", shape: list(anyDuration()), doc: "instants of the retries, counted from the job's arrival, instead of waits; a retry whose instant has passed is due at once. Behind the list they go on by its last step, or by `past_end`"},
	field{name: "past_end", shape: &shape{kind: choiceKind, words: []word{{text: "last"}, {text: "stop"}}, plain: anyDuration()}, def: "last", doc: "the wait behind the list: the last one again, or a duration; stop: there is none, and the list is the budget"},
	field{name: "align", shape: &shape{kind: choiceKind, words: []word{{text: "start"}, {text: "end"}}}, def: "start", doc: "end: the list's end falls on the last retry; of a long list the first waits are left out, of a short one the first repeats"},
)}

// ladder reads `ladder`: a list, or a map that holds one.
func ladder(b *builder, v *value, tries int) spreading {
	if v.arg != nil {
		return b.rungs(v.arg, v, tries)
	}
	waits, at := v.get("waits"), v.get("at")
	switch {
	case waits != nil && at != nil:
		b.conflict(at.key, "`ladder` has `waits` and `at`", "waits follow one another, instants count from the job's arrival: choose one")
	case waits != nil:
		return b.rungs(waits, v, tries)
	case at != nil:
		return b.offsets(at, v, tries)
	default:
		b.conflict(v.key, "`ladder` has neither `waits` nor `at`")
	}
	return nil
}

// rungs makes the ladder of a list of waits. v holds the other options; those of a list alone are not there.
func (b *builder) rungs(list, v *value, tries int) spreading {
	waits := durations(list)
	pastEnd := v.get("past_end")
	if align := v.get("align"); align != nil && align.word == "end" {
		if tries == policy.Unlimited {
			b.conflict(align.key, "`align: end` needs a last retry", "give the policy a budget that ends")
			return nil
		}
		if v.wrote("past_end") {
			b.warn(pastEnd.at(), "`past_end` has no effect: with `align: end` the list ends at the last retry")
		}
		return spread(policy.LadderToEnd(waits, max(tries-1, 1)))
	}
	b.judgeRungs(list, tries)
	if pastEnd != nil && pastEnd.arg != nil {
		waits = append(waits, pastEnd.arg.duration())
	}
	return spread(policy.Ladder(waits))
}

// offsets makes the ladder of a list of instants. Behind its end they go on by the last step, or by `past_end`.
func (b *builder) offsets(list, v *value, tries int) spreading {
	at := durations(list)
	for i := range at[1:] {
		if at[i] > at[i+1] {
			b.fail(list.items[i+1].node, "`at` falls from "+units.FormatDuration(at[i])+" to "+units.FormatDuration(at[i+1]), "instants are counted from the job's arrival")
			return nil
		}
	}
	if align := v.get("align"); align.word == "end" {
		b.conflict(align.key, "`align: end` beside `at`", "instants that count from the job's arrival cannot be moved: write `waits`")
		return nil
	}
	b.judgeRungs(list, tries)
	step := at[len(at)-1]
	if len(at) > 1 {
		step -= at[len(at)-2]
	}
	if pastEnd := v.get("past_end"); pastEnd.arg != nil {
		step = pastEnd.arg.duration()
	}
	return func(j policy.Jitter) policy.Policy { return policy.FromArrival(policy.Offsets(at, step), j) }
}

// judgeRungs warns of a budget that ends before the list.
func (b *builder) judgeRungs(list *value, tries int) {
	if n := len(list.items); tries > 1 && tries-1 < n {
		b.warn(list.at(), fmt.Sprintf("only %d of the %d entries of the ladder are used: the budget has no more retries", tries-1, n))
	}
}

// stopsAfter returns the tries in all that `delay` itself allows: a ladder that stops at its end is a budget. It returns 0
// for no limit.
func stopsAfter(delay *value) int {
	if delay == nil || delay.word != "ladder" || delay.arg.arg != nil {
		return 0
	}
	v := delay.arg
	list := v.get("waits")
	if list == nil {
		list = v.get("at")
	}
	if list == nil || v.get("past_end").word != "stop" || v.get("align").word == "end" {
		return 0
	}
	return len(list.items) + 1
}

func durations(list *value) []time.Duration {
	var all []time.Duration
	for _, item := range list.items {
		all = append(all, item.duration())
	}
	return all
}
