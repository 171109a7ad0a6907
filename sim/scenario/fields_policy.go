package scenario

var policyShape = record(
	field{name: "delay", shape: delayShape, doc: "the wait after the n-th failure; may be left out when there is one try"},
	field{name: "jitter", shape: jitterShape, def: "none", doc: "how the wait d is spread"},
	field{name: "max_attempts", shape: tries("1"), doc: "tries in all, the first included"},
	field{name: "max_retries", shape: tries("0"), doc: "tries after the first"},
	field{name: "label", shape: text(), doc: "what reports call it; by default its name"},
	field{name: "preset", shape: text(), doc: "a real job queue; what is written beside it overrides it"},
	field{name: "options", shape: &shape{kind: treeKind}, doc: "options of the preset, in its own names and units"},
	field{name: "queue", shape: &shape{kind: choiceKind, words: []word{{text: "preset"}}, form: queueShape}, doc: "preset: promote due retries as the preset's library does"},
	field{name: "min_wait", shape: anyDuration(), def: "0s", doc: "least wait, after the jitter", later: true},
	field{name: "max_wait", shape: someDuration(), doc: "longest wait, after the jitter", later: true},
	field{name: "round_wait", shape: someDuration(), def: "1ns", doc: "waits are floored to it", later: true},
	field{name: "retry_after", shape: oneWord("ignore", "honour", "clamp"), def: "ignore", doc: "what a server's hint does", later: true},
	field{name: "max_elapsed", shape: someDuration(), doc: "longest time from arrival to a due retry", later: true},
	field{name: "uncharged", shape: list(text()), doc: "causes that spend no budget", later: true},
	field{name: "not_retryable", shape: list(text()), doc: "causes that kill at once", later: true},
	field{name: "retry_budget", shape: record(
		field{name: "bucket", shape: count(), doc: "tokens that all retries share"},
		field{name: "refill", shape: happenings(), doc: "tokens that come by themselves"},
		field{name: "per_success", shape: share(), doc: "tokens that a success brings"},
		field{name: "ratio", shape: share(), doc: "retries per first call"},
		field{name: "reserve", shape: happenings(), doc: "retries that are always allowed"},
	), doc: "retries that all jobs share", later: true},
	field{name: "on_empty", shape: oneWord("dead", "wait"), doc: "what an empty retry budget does", later: true},
	field{name: "breaker", shape: record(
		field{name: "failures", shape: count(), required: true, doc: "failures that open it"},
		field{name: "within", shape: someDuration(), required: true, doc: "span in which they are counted"},
		field{name: "open", shape: someDuration(), required: true, doc: "how long it stays open"},
		field{name: "probes", shape: count(), def: "1", doc: "calls that may try whether it can close"},
	), doc: "attempts are stopped while the dependency keeps failing", later: true},
	field{name: "layers", shape: list(record(
		field{name: "tries", shape: count(), required: true, doc: "tries of this layer"},
		field{name: "delay", shape: delayShape, doc: "waits between them"},
	)), doc: "tries inside each attempt", later: true},
	field{name: "dead_letter", shape: deadLetterShape, doc: "overrides the scenario's for this policy", later: true},
	field{name: "workers", shape: workersShape, doc: "overrides the scenario's for this policy", later: true},
	field{name: "dependency", shape: dependencyShape, doc: "overrides the scenario's for this policy", later: true},
)

// tries is a budget; the most leaves room for the first try.
func tries(least string) *shape {
	return &shape{kind: choiceKind, words: []word{{text: "unlimited"}}, plain: integers(bounds{least: least, most: "2147483645"})}
}

var delayShape = oneOf(
	field{name: "fixed", shape: anyDuration(), doc: "always the same"},
	field{name: "exponential", shape: record(
		field{name: "base", shape: someDuration(), required: true, doc: "the first wait"},
		field{name: "factor", shape: fractions(bounds{least: "1", most: "1000000"}), def: "2", doc: "growth from one wait to the next, up to 6 decimals"},
		field{name: "cap", shape: someDuration(), doc: "longest wait, before the jitter; by default none"},
	), doc: "min(cap, base·factor^(n−1))"},
	field{name: "ladder", shape: &shape{kind: choiceKind, plain: list(anyDuration()), form: record(
		field{name: "waits", shape: list(anyDuration()), doc: "one after another"},
		field{name: "past_end", shape: &shape{kind: choiceKind, words: []word{{text: "last"}, {text: "stop"}}, plain: anyDuration()}, def: "last", doc: "the wait behind the list"},
		field{name: "align", shape: oneWord("start", "end"), def: "start", doc: "which end of the list falls on the budget's"},
		field{name: "at", shape: list(anyDuration()), doc: "offsets from arrival instead of waits"},
	)}, doc: "one after another; the last repeats"},
	field{name: "linear", shape: record(
		field{name: "first", shape: anyDuration(), required: true, doc: "the first wait"},
		field{name: "step", shape: anyDuration(), required: true, doc: "how much longer the next one is"},
	), doc: "first + step·(n−1)", later: true},
	field{name: "power", shape: record(
		field{name: "base", shape: someDuration(), required: true, doc: "unit of the power"},
		field{name: "exponent", shape: count(), required: true, doc: "a whole number"},
		field{name: "offset", shape: anyDuration(), def: "0s", doc: "added to every wait"},
		field{name: "shift", shape: text(), doc: "added to n"},
	), doc: "base·(n+shift)^exponent + offset", later: true},
	field{name: "fibonacci", shape: record(
		field{name: "base", shape: someDuration(), required: true, doc: "unit of the series"},
	), doc: "base times 1, 1, 2, 3, 5, …", later: true},
	field{name: "decorrelated", shape: record(
		field{name: "base", shape: someDuration(), required: true, doc: "least wait"},
		field{name: "cap", shape: someDuration(), doc: "longest wait"},
	), doc: "uniform from base to three times the last wait", later: true},
)

var jitterShape = &shape{
	kind:  choiceKind,
	words: []word{{text: "none"}, {text: "full"}, {text: "equal"}, {text: "memoryless", later: true}},
	fields: []field{
		{name: "add", shape: pairOf(anyDuration()), doc: "d plus a span between the two"},
		{name: "ratio", shape: share(), doc: "d ± this share of it"},
		{name: "up", shape: fractions(bounds{most: "1000"}), doc: "d plus up to this share of it"},
		{name: "down", shape: share(), doc: "d less up to this share of it", later: true},
		{name: "scale", shape: pairOf(fractions(bounds{most: "1000"})), doc: "d times a number between the two", later: true},
		{name: "comb", shape: record(
			field{name: "teeth", shape: count(), required: true, doc: "how many"},
			field{name: "spacing", shape: someDuration(), required: true, doc: "how far apart"},
		), doc: "d plus spacing·n·a whole number below teeth", later: true},
	},
}
