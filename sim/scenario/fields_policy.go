package scenario

var policyShape = record(
	field{name: "delay", shape: delayShape, doc: "the wait after the n-th failure; may be left out when there is one try"},
	field{name: "jitter", shape: jitterShape, def: "none", doc: "how the wait d is spread; beside a preset, instead of its own way"},
	field{name: "max_attempts", shape: tries("1"), doc: "tries in all, the first included; this, `max_retries`, or a ladder that stops"},
	field{name: "max_retries", shape: tries("0"), doc: "tries after the first"},
	field{name: "label", shape: text(), doc: "what reports call it; by default its name"},
	field{name: "preset", shape: text(), doc: "a real job queue; what is written beside it overrides it"},
	field{name: "options", shape: &shape{kind: treeKind}, doc: "options of the preset, in its own names and units"},
	field{name: "queue", shape: &shape{kind: choiceKind, words: []word{{text: "preset"}}, form: part(queueShape)}, doc: "preset: promote due retries as the preset's library does; a map overrides the scenario's `queue` for this policy, field by field"},
	field{name: "min_wait", shape: anyDuration(), def: "0s", doc: "shorter waits are raised to it, after the jitter"},
	field{name: "max_wait", shape: someDuration(), doc: "longer waits are cut to it, after the jitter and `min_wait`"},
	field{name: "round_wait", shape: someDuration(), def: "1ns", doc: "waits are floored to a multiple of it, after all else"},
	field{name: "retry_after", shape: anyWord("ignore", "honour", "clamp"), def: "ignore", doc: "what a job does that was told when to come back: nothing; waits at least until then, however long; or the same, but the hint asks for no more than `max_wait`"},
	field{name: "max_elapsed", shape: someDuration(), doc: "longest time from arrival to a due retry: a job whose next retry would be due later is dead"},
	field{name: "uncharged", shape: list(anyCause()), doc: "causes whose failures spend no budget: the attempt's number grows, the wait does not"},
	field{name: "not_retryable", shape: list(anyCause()), doc: "causes of which a job is dead at once"},
	field{name: "retry_budget", shape: retryBudgetShape, doc: "tokens that the retries of all its jobs share"},
	field{name: "on_empty", shape: anyWord("dead", "wait"), def: "dead", doc: "of a retry for which `retry_budget` has no token: the job is dead, or the retry waits in a line"},
	field{name: "breaker", shape: breakerShape, doc: "after too many failures it stops the attempts of all its jobs for a while"},
	field{name: "layers", shape: list(record(
		field{name: "tries", shape: integers(bounds{least: "1", most: "1000000"}), required: true, doc: "tries of this layer, each of which is a call, or all the tries of the next layer"},
		field{name: "delay", shape: delayShape, doc: "the waits between them, in which the worker is held; by default none"},
		field{name: "jitter", shape: jitterShape, def: "none", doc: "how those waits are spread"},
	)), doc: "loops of tries inside each attempt, the outermost first: as long as one of them has a try left, a failed call does not fail the attempt"},
	field{name: "workers", shape: part(workersShape), doc: "overrides the scenario's `workers` for this policy, field by field and crash by crash"},
	field{name: "dependency", shape: part(dependencyShape), doc: "overrides the scenario's `dependency` for this policy, field by field, outage by outage and phase by phase; a capacity of another kind as a whole"},
	field{name: "dead_letter", shape: part(deadLetterShape), doc: "overrides the scenario's `dead_letter` for this policy, field by field"},
)

var retryBudgetShape = record(
	field{name: "bucket", shape: count(), doc: "the most tokens that can be saved up; with `refill` or `per_success` it is full at 0s, with `ratio` empty and by default without limit"},
	field{name: "refill", shape: happenings(), doc: "tokens that come by themselves; this, `per_success` or `ratio`"},
	field{name: "per_success", shape: share(), doc: "part of a token that each success brings"},
	field{name: "threshold", shape: share(), doc: "with `per_success`: each failed attempt takes a token and a retry none, but retries are made only while more than this share of `bucket` is there"},
	field{name: "ratio", shape: share(), doc: "part of a token that each first call brings: retries per first call"},
	field{name: "reserve", shape: happenings(), doc: "with `ratio`: tokens that come by themselves as well, and are used first; no more are saved up than come in one unit of the rate"},
	field{name: "per", shape: anyWord("policy", "worker"), def: "policy", doc: "who shares it: all jobs of the policy, or those that one worker runs, if the number of workers is limited"},
	field{name: "check", shape: anyWord("schedule", "fire"), def: "schedule", doc: "when a retry needs its token: when it is scheduled, or when a worker has claimed it"},
)

var breakerShape = record(
	field{name: "failures", shape: integers(bounds{least: "1", most: "1000000"}), required: true, doc: "it opens at so many failed attempts"},
	field{name: "within", shape: someDuration(), required: true, doc: "the last of them less than this after the first"},
	field{name: "open", shape: someDuration(), required: true, doc: "how long it then stops every attempt: no call is made, the cause is `breaker`"},
	field{name: "probes", shape: integers(bounds{least: "1", most: "1000000"}), def: "1", doc: "attempts that it lets through after that; it closes when all of them have succeeded, and opens again when one fails"},
	field{name: "per", shape: anyWord("policy", "worker"), def: "policy", doc: "who shares it: all jobs of the policy, or those that one worker runs, if the number of workers is limited"},
	field{name: "check", shape: anyWord("fire", "schedule"), def: "fire", doc: "when it is asked: when a worker has claimed an attempt, or when a retry is scheduled, which is then put off and not refused"},
)

// tries is a budget; the most leaves room for the first try.
func tries(least string) *shape {
	return &shape{kind: choiceKind, words: []word{{text: "unlimited"}}, plain: integers(bounds{least: least, most: "2147483645"})}
}

var delayShape = oneOf(fieldsOf(curves)...)
