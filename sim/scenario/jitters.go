package scenario

import "herdsim/sim/policy"

// jitterWords are the jitters without parameters.
var jitterWords = []struct {
	word
	jitter policy.Jitter
}{
	{word{text: "none"}, policy.None{}},
	{word{text: "full"}, policy.Full{}},
	{word{text: "equal"}, policy.Equal{}},
	{word{text: "memoryless"}, policy.Memoryless{}},
}

// A readJitter turns the value of its field into a jitter, nil after an error.
type readJitter = func(b *builder, v *value) policy.Jitter

// jitters are the jitters with parameters.
var jitters = []row[readJitter]{
	{
		field{name: "add", shape: pairOf(anyDuration()), doc: "d plus a span between the two"},
		func(b *builder, v *value) policy.Jitter {
			if !b.rises(v, "add") {
				return nil
			}
			return policy.Add{Lo: v.items[0].duration(), Hi: v.items[1].duration()}
		},
	},
	{
		field{name: "ratio", shape: share(), doc: "d ± this share of it"},
		func(_ *builder, v *value) policy.Jitter { return policy.Ratio{Fraction: v.fraction()} },
	},
	{
		field{name: "up", shape: fractions(bounds{most: "1000"}), doc: "d plus up to this share of it"},
		func(_ *builder, v *value) policy.Jitter { return policy.Up{Fraction: v.fraction()} },
	},
	{
		field{name: "down", shape: share(), doc: "d less up to this share of it"},
		func(_ *builder, v *value) policy.Jitter { return policy.Down{Fraction: v.fraction()} },
	},
	{
		field{name: "scale", shape: pairOf(fractions(bounds{most: "1000"})), doc: "d times a number between the two"},
		func(b *builder, v *value) policy.Jitter {
			if !b.rises(v, "scale") {
				return nil
			}
			return policy.Scale{Lo: v.items[0].fraction(), Hi: v.items[1].fraction()}
		},
	},
	{
		field{name: "comb", shape: record(
			field{name: "teeth", shape: integers(bounds{least: "1", most: "1000000000"}), required: true, doc: "how many"},
			field{name: "spacing", shape: someDuration(), required: true, doc: "how far apart after the first failure"},
		), doc: "d plus spacing·n·a whole number below teeth"},
		func(_ *builder, v *value) policy.Jitter {
			return policy.Comb{Teeth: v.get("teeth").number.num, Spacing: v.get("spacing").duration()}
		},
	},
}

var jitterShape = &shape{kind: choiceKind, words: jitterTexts(), fields: fieldsOf(jitters)}

func jitterTexts() []word {
	var words []word
	for _, w := range jitterWords {
		words = append(words, w.word)
	}
	return words
}

// jitter reads `jitter`; nil after an error.
func (b *builder) jitter(v *value) policy.Jitter {
	for _, w := range jitterWords {
		if w.text == v.word {
			return w.jitter
		}
	}
	return rowNamed(jitters, v.word).read(b, v.arg)
}

// rises checks that a pair does not begin with its larger one.
func (b *builder) rises(v *value, name string) bool {
	lo, hi := v.items[0], v.items[1]
	if lo.number.compare(hi.number) > 0 {
		b.fail(v.at(), "`"+name+"` goes from "+lo.node.text+" down to "+hi.node.text, "write the smaller one first")
		return false
	}
	return true
}
