package scenario

var policyShape = record(
	field{name: "delay", shape: delayShape, doc: "the wait after the n-th failure; may be left out when there is one try"},
	field{name: "jitter", shape: jitterShape, def: "none", doc: "how the wait d is spread; beside a preset, instead of its own way"},
	field{name: "max_attempts", shape: tries("1"), doc: "tries in all, the first included; this, `max_retries`, or a ladder that stops"},
	field{name: "max_retries", shape: tries("0"), doc: "tries after the first"},
	field{name: "label", shape: text(), doc: "what reports call it; by default its name"},
	field{name: "preset", shape: text(), doc: "a real job queue; what is written beside it overrides it"},
	field{name: "options", shape: &shape{kind: treeKind}, doc: "options of the preset, in its own names and units"},
	field{name: "queue", shape: &shape{kind: choiceKind, words: []word{{text: "preset"}}, form: queueShape, formLater: true}, doc: "preset: promote due retries as the preset's library does"},
	field{name: "min_wait", shape: anyDuration(), def: "0s", doc: "shorter waits are raised to it, after the jitter"},
	field{name: "max_wait", shape: someDuration(), doc: "longer waits are cut to it, after the jitter and `min_wait`"},
	field{name: "round_wait", shape: someDuration(), def: "1ns", doc: "waits are floored to a multiple of it, after all else"},
	field{name: "retry_after", shape: oneWord("ignore", "honour", "clamp"), def: "ignore", doc: "what a server's hint does", later: true},
	field{name: "max_elapsed", shape: someDuration(), doc: "longest time from arrival to a due retry: a job whose next retry would be due later is dead"},
	field{name: "uncharged", shape: list(anyCause()), doc: "causes whose failures spend no budget: the attempt's number grows, the wait does not"},
	field{name: "not_retryable", shape: list(anyCause()), doc: "causes of which a job is dead at once"},
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

var delayShape = oneOf(fieldsOf(curves)...)
