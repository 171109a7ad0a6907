package scenario

var dependencyShape = record(append(behaviour(false),
	field{name: "outages", shape: names("outage", record(append(timing(),
		field{name: "cohorts", shape: list(&shape{kind: nameKind}), doc: "whose calls fail; by default all"},
	)...)), doc: "spans in which every call fails"},
	field{name: "phases", shape: names("phase", record(append(append(behaviour(true), timing()...),
		field{name: "cohorts", shape: list(&shape{kind: nameKind}), doc: "whose calls it concerns; by default all; not beside `stall`"},
		field{name: "stall", shape: boolean(), doc: "servers begin no work; what they have begun goes on"},
	)...)), doc: "spans in which some of the fields above differ; of those in force the last in the file wins, field by field"},
)...)

// timing is when an outage or a phase is in force.
func timing() []field {
	return []field{
		{name: "at", shape: anyDuration(), def: "0s", doc: "when it begins"},
		{name: "for", shape: someDuration(), doc: "how long it lasts; by default to the end"},
		{name: "every", shape: someDuration(), doc: "from the start of one repetition to the next, at least `for`"},
		{name: "times", shape: count(), doc: "repetitions in all; by default those that begin before `stop.at`"},
	}
}

// behaviour is what a phase may change. In a phase nothing has a default: what it leaves out stays as it is.
func behaviour(phase bool) []field {
	fields := []field{
		{name: "capacity", shape: capacityShape, doc: "limit of calls; by default none"},
		{name: "error_rate", shape: share(), def: "0", doc: "share of the admitted calls that fail at random"},
		{name: "latency", shape: &shape{kind: choiceKind, plain: anyDuration(), form: record(
			field{name: "base", shape: anyDuration(), required: true, doc: "latency of a lonely call"},
			field{name: "per_call", shape: anyDuration(), required: true, doc: "more for every other admitted call in flight"},
		)}, def: "0s", doc: "added to the service time of a succeeding call"},
		{name: "fail_after", shape: anyDuration(), def: "0s", doc: "how long a call that fails by outage, poison or error takes"},
		{name: "retry_after", shape: anyWord("none", "reset"), def: "none", doc: "what a refused caller is told: nothing, or when capacity is free again, as far as time alone tells; it knows nothing of outages"},
	}
	if phase {
		for i := range fields {
			fields[i].def = ""
		}
		fields[0].doc = "limit of calls, with a count of its own that begins at 0s; its bucket fills also while another capacity is in force"
	}
	return fields
}

var capacityKinds = []string{"rate", "concurrency", "servers"}

var capacityShape = ofKinds(capacityKinds,
	field{name: "rate", shape: rates(""), doc: "the first so many calls of each aligned window of the rate's unit are admitted; 0/s admits none"},
	field{name: "burst", shape: count(), doc: "a token bucket instead of windows: it holds so many tokens, all at 0s, and gains them evenly at `rate`; a call takes one"},
	field{name: "concurrency", shape: count(), doc: "instead of `rate`: most admitted calls in flight"},
	field{name: "servers", shape: integers(bounds{least: "1", most: "10000000"}), doc: "instead of `rate`: so many servers, and callers wait in a queue for them, first in, first out"},
	field{name: "service", shape: spanOfTime(), doc: "service time of those servers, to which the job's own service time and the latency are added; poison and error calls need it too"},
	field{name: "queue", shape: integers(bounds{}), doc: "most calls that wait for a server: one more is refused; by default no limit"},
	field{name: "drop_expired", shape: boolean(), def: "false", doc: "work whose caller has gone when its turn comes is left out; otherwise it is done for nobody"},
)
