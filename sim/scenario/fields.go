package scenario

// The format: every field, supported or not. The walker, the paths of --set and matrix, the suggestions for mistyped names
// and the reference page all read this table and nothing else.

// format is the shape of a document.
var format = record(
	field{name: "version", shape: integers(bounds{}), required: true, doc: "version of the format: 1"},
	field{name: "name", shape: &shape{kind: nameKind}, doc: "name of the scenario; by default the file's name without its ending"},
	field{name: "description", shape: text(), doc: "free text"},
	field{name: "seed", shape: integers(bounds{}), def: "1", doc: "seed of every random draw"},
	field{name: "replications", shape: integers(bounds{least: "1", most: "100000"}), def: "1", doc: "runs of each policy, each with draws of its own"},
	field{name: "stop", shape: stopShape, def: empty, doc: "when a run ends"},
	field{name: "cohorts", shape: names("cohort", cohortShape), required: true, doc: "who enqueues jobs: names of your choice"},
	field{name: "queue", shape: queueShape, def: empty, doc: "how due retries come back"},
	field{name: "workers", shape: workersShape, def: empty, doc: "who runs the jobs; by default no limit and no service time"},
	field{name: "dependency", shape: dependencyShape, def: empty, doc: "the service that every job calls; by default it never fails"},
	field{name: "dead_letter", shape: deadLetterShape, def: empty, doc: "what becomes of dead jobs, each of which leaves a letter; by default letters are kept"},
	field{name: "policies", shape: names("policy", policyShape), required: true, doc: "what is compared: names of your choice; the first is the baseline"},
	field{name: "metrics", shape: metricsShape, def: empty, doc: "what is measured beside the standard set"},
	field{name: "matrix", shape: &shape{kind: matrixKind}, doc: "dotted paths, each with a list of values; every combination is a case"},
	field{name: "checks", shape: list(checkShape), doc: "what must hold: expressions, or maps with the fields below; see [checks](checks.md)"},
)

var stopShape = record(
	field{name: "at", shape: someDuration(), def: "30d", doc: "everything before it happens"},
	field{name: "when", shape: &shape{kind: choiceKind, words: []word{{text: "drained"}, {text: "never"}}}, def: "drained", doc: "drained: also once every job is finished and none is to come; never: only at `at`"},
)

var cohortShape = record(
	field{name: "count", shape: count(), doc: "jobs; needed without `arrivals` and with `spread`, otherwise no limit unless given"},
	field{name: "at", shape: anyDuration(), def: "0s", doc: "instant of the first job, or from which jobs arrive"},
	field{name: "arrivals", shape: oneOf(
		field{name: "every", shape: someDuration(), doc: "one job after another at this distance"},
		field{name: "spread", shape: someDuration(), doc: "`count` jobs uniformly at random over this span"},
		field{name: "constant", shape: happenings(), doc: "evenly at this rate"},
		field{name: "poisson", shape: happenings(), doc: "at random at this mean rate"},
		field{name: "csv", shape: text(), doc: "file beside the scenario: instants in seconds from `at`, one a line, in any order"},
	), doc: "how jobs arrive; by default all at once"},
	field{name: "for", shape: someDuration(), doc: "span from `at` in which jobs arrive; by default until `stop.at`"},
	field{name: "service", shape: spanOfTime(), doc: "overrides `workers.service`"},
	field{name: "delay", shape: anyDuration(), def: "0s", doc: "the first run is put on the schedule, due so much later"},
	field{name: "priority", shape: integers(bounds{}), def: "0", doc: "lower runs first, with `queue.order: priority`"},
	field{name: "poison", shape: boolean(), def: "false", doc: "its calls fail with cause `poison` whenever the dependency would answer"},
	field{name: "key", shape: text(), doc: "jobs of one key, of whichever cohort, never run together: those of a busy key are skipped, not waited behind"},
	field{name: "payload", shape: &shape{kind: sizeKind, bounds: bounds{above: "0B", most: "1024MiB"}}, doc: "size of a job's payload: what its letter holds once it is dead, such as `2KiB`; by default none is counted"},
	field{name: "policy", shape: &shape{kind: nameKind}, doc: "one of `policies`: its delay, jitter and budget hold for this cohort, whichever policy is compared"},
)

var queueShape = record(
	field{name: "order", shape: anyWord("fifo", "lifo", "priority", "oldest"), def: "fifo", doc: "which pending job runs first: the one that became pending first, or last; by `priority` of the cohort; by job number"},
	field{name: "retries", shape: anyWord("tail", "head", "after_fresh"), def: "tail", doc: "where a promoted retry joins: as any job does; ahead of all; claimed only when no first attempt is pending"},
	field{name: "promote", shape: promoteShape, def: empty, doc: "sweeps that move due jobs to pending; by default each job at its due instant"},
	field{name: "resolution", shape: someDuration(), def: "1ns", doc: "due instants are floored to it"},
	field{name: "visibility", shape: someDuration(), doc: "how long the lease of a claimed job lasts: a job not finished by then becomes pending again, a duplicate; by default no lease ends; see [losses](losses.md)"},
	field{name: "renew", shape: boolean(), def: "false", doc: "workers renew the leases of what they run or hold: a lease ends `visibility` after a crash and never otherwise"},
	field{name: "lease_end", shape: anyWord("redeliver", "fail"), def: "redeliver", doc: "what the end of a lease does: another delivery of the same attempt, which costs nothing; or a failure, cause `timeout`, that spends an attempt and is followed by the next at once"},
	field{name: "max_stalls", shape: integers(bounds{most: "1000000"}), doc: "how often a job stalls, its lease ending before it is finished, and lives: one stall more is its death, reason `stalled`, unless it has spent the budget anyway; by default any number; see [losses](losses.md)"},
	field{name: "hold", shape: anyWord("schedule", "worker"), def: "schedule", doc: "where a waiting job is kept: on the schedule; or by a worker, without a slot and without sweeps, under a lease that begins with the wait, and lost if it crashes"},
)

var promoteShape = record(
	field{name: "every", shape: &shape{kind: choiceKind, plain: anyDuration(), fields: []field{
		{name: "uniform", shape: pairOf(anyDuration()), doc: "each interval is drawn afresh, uniform over the whole nanoseconds from the first to the second"},
	}}, def: "0s", doc: "from one sweep to the next; 0s: each job at its due instant"},
	field{name: "by", shape: anyWord("timer", "worker"), def: "timer", doc: "who sweeps: a process of its own at each tick; or a worker between jobs, and a tick at which there is work for every worker is missed"},
	field{name: "phase", shape: &shape{kind: choiceKind, words: []word{{text: "random"}}, plain: anyDuration()}, def: "0s", doc: "instant of the first sweep; with `uniform`, from when the intervals run"},
	field{name: "batch", shape: integers(bounds{least: "1", most: "2147483647"}), doc: "most promotions of one sweep; by default no limit"},
	field{name: "drain", shape: boolean(), def: "false", doc: "batch after batch until nothing is due"},
	field{name: "anchor", shape: anyWord("grid", "after"), def: "grid", doc: "from when the next interval counts: from the tick before, or from when the last sweep's work was done"},
	field{name: "pollers", shape: integers(bounds{least: "1", most: "1000"}), def: "1", doc: "independent sweeps, spread evenly over `every`; with `uniform` each draws its own intervals"},
	field{name: "cost", shape: anyDuration(), def: "0s", doc: "time that one promotion takes: those of a sweep follow one another"},
	field{name: "first", shape: anyWord("due", "retries", "scheduled"), def: "due", doc: "who is promoted first: the first due; due retries; or due first runs"},
)

var workersShape = record(
	field{name: "count", shape: integers(bounds{least: "1", most: "10000000"}), doc: "workers; by default no limit"},
	field{name: "service", shape: spanOfTime(), def: "0s", doc: "how long a succeeding call works"},
	field{name: "timeout", shape: someDuration(), doc: "longest call, from its beginning: one that takes longer fails at that instant, cause `timeout`; by default calls end by themselves"},
	field{name: "crashes", shape: names("crash", record(
		field{name: "at", shape: anyDuration(), required: true, doc: "instant of the crash"},
		field{name: "workers", shape: count(), required: true, doc: "how many crash: those of the lowest numbers that are up, as free workers of the lowest numbers claim first"},
		field{name: "for", shape: someDuration(), required: true, doc: "how long they are away"},
	)), doc: "workers that go away, and with them what they run or hold: names of your choice; needs `count`"},
)

var metricsShape = record(
	field{name: "bin", shape: &shape{kind: choiceKind, words: []word{{text: "auto"}}, plain: someDuration()}, def: "auto", doc: "width of the histograms' bins; auto: 1s, doubled until 4096 bins cover the longest run"},
	field{name: "window", shape: someDuration(), def: "1s", doc: "window of peaks"},
	field{name: "also", shape: list(text()), doc: "further metrics with arguments, such as `retries.peak(window=100ms, after=60s)`"},
)
