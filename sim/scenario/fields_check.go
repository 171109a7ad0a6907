package scenario

import "herdsim/sim/check"

// checkShape is one check: the expression alone, or a map.
var checkShape = &shape{kind: choiceKind, plain: text(), form: record(
	field{name: "name", shape: &shape{kind: nameKind}, doc: "what reports call it; by default `check-1` and so on, by its position"},
	field{name: "expect", shape: text(), required: true, doc: "what must hold, such as `jobs.dead <= 10`"},
	field{name: "policies", shape: list(&shape{kind: nameKind}), doc: "whom it concerns; by default all"},
	field{name: "over", shape: anyWord(check.Manners()...), def: "every", doc: "how replications are judged: every one; by the mean; 95 % of them; by the 95 % interval of the mean"},
	field{name: "severity", shape: anyWord("error", "warn"), def: "error", doc: "warn: it is reported and fails nothing"},
	field{name: "hint", shape: text(), doc: "what to say when it does not hold"},
)}
