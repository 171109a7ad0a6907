package scenario

// Shapes that several fields share.

func anyDuration() *shape { return &shape{kind: durationKind} }

func someDuration() *shape          { return &shape{kind: durationKind, bounds: bounds{above: "0s"}} }
func boolean() *shape               { return &shape{kind: booleanKind} }
func text() *shape                  { return &shape{kind: textKind} }
func integers(b bounds) *shape      { return &shape{kind: integerKind, bounds: b} }
func signed(most string) *shape     { return &shape{kind: signedKind, bounds: bounds{most: most}} }
func fractions(b bounds) *shape     { return &shape{kind: fractionKind, bounds: b} }
func count() *shape                 { return integers(bounds{least: "1"}) }
func share() *shape                 { return fractions(bounds{most: "1"}) }
func list(item *shape) *shape       { return &shape{kind: listKind, item: item} }
func pairOf(item *shape) *shape     { return &shape{kind: listKind, item: item, length: 2} }
func record(fields ...field) *shape { return &shape{kind: recordKind, fields: fields} }

// ofKinds is a record that has one of the fields that are named first.
func ofKinds(kinds []string, fields ...field) *shape {
	s := record(fields...)
	s.kinds = kinds
	return s
}

// names is a map of the user's names to items of one shape.
func names(noun string, item *shape) *shape { return &shape{kind: namesKind, noun: noun, item: item} }

// oneOf is a map with exactly one of the fields.
func oneOf(fields ...field) *shape { return &shape{kind: choiceKind, fields: fields} }

// anyWord is one of several words.
func anyWord(all ...string) *shape {
	s := &shape{kind: choiceKind}
	for _, w := range all {
		s.words = append(s.words, word{text: w})
	}
	return s
}

// rates is a rate of at most one happening in a nanosecond, the unit of the clock.
func rates(above string) *shape {
	return &shape{kind: rateKind, bounds: bounds{above: above, most: "1000000000/s"}}
}

// happenings is a rate at which something does happen.
func happenings() *shape { return rates("0/s") }

// spanOfTime is a duration or a distribution of durations.
func spanOfTime() *shape {
	return &shape{kind: choiceKind, plain: anyDuration(), fields: []field{
		{name: "exponential", shape: record(field{name: "mean", shape: someDuration(), required: true, doc: "the mean"}), doc: "exponentially distributed"},
		{name: "uniform", shape: pairOf(anyDuration()), doc: "uniform over the whole nanoseconds from the first to the second"},
		{name: "lognormal", shape: record(
			field{name: "p50", shape: someDuration(), required: true, doc: "the median"},
			field{name: "p99", shape: someDuration(), required: true, doc: "the 99th percentile, at least `p50`"},
		), doc: "lognormally distributed"},
		{name: "cycle", shape: list(anyDuration()), doc: "in turn, by the job's index in the cohort, from 0; the same at every try"},
	}}
}
