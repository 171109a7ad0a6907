package scenario

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"herdsim/sim/units"
)

// Schema returns the format as a JSON Schema, draft 7, for editors and validators. It is made from the field table. What it
// refuses Parse refuses too, but for a field that only `matrix` or --set writes; it cannot say what Parse says of several
// values together, of sizes behind a unit, of references by name, or inside expressions.
func Schema() []byte {
	root := object{
		{"$schema", "http://json-schema.org/draft-07/schema#"},
		{"title", "herdsim scenario, version 1"},
	}
	root = append(root, schemaOf(format)...)
	root.set("allOf", []any{object{{"properties", object{{"version", object{{"const", json.Number("1")}}}}}}})
	root.set("patternProperties", object{{"^x-", object{{"description", "anything: a place for anchors"}}}})
	root.set("definitions", definitions())
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		panic("scenario: " + err.Error())
	}
	return b.Bytes()
}

// An object is a JSON object that keeps its order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// set gives a key a value, in its old place if it has one.
func (o *object) set(key string, value any) {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{key, value})
}

// definitions are the scalars that many fields share.
func definitions() object {
	zero := object{{"enum", []any{json.Number("0"), "0"}}} // a span without a unit
	span, rate := units.DurationPattern(), units.RatePattern()
	return object{
		{"duration", object{{"anyOf", []any{zero, spelled(span)}}}},
		{"some_duration", spelled(span, "[1-9]")},
		{"no_duration", object{{"anyOf", []any{zero, spelled(span, "^[^1-9]*$")}}}},
		{"rate", spelled(rate)},
		{"some_rate", spelled(rate, "^[1-9]")},
		{"percent", spelled(units.PercentPattern())},
		{"some_size", spelled(units.SizePattern(), "^[1-9]")},
		{"name", object{{"type", []string{"string", "boolean"}}, {"pattern", units.NamePattern()}}},
		{"text", object{{"type", []string{"string", "number", "boolean"}}}},
	}
}

func matching(pattern string) object { return object{{"pattern", pattern}} }

// spelled is a text that matches every pattern.
func spelled(patterns ...string) object {
	if len(patterns) == 1 {
		return object{{"type", "string"}, {"pattern", patterns[0]}}
	}
	var all []any
	for _, p := range patterns {
		all = append(all, matching(p))
	}
	return object{{"type", "string"}, {"allOf", all}}
}

// refer leads to a definition. What stands beside a $ref counts for nothing in draft 7: it is wrapped.
func refer(name string) object {
	return object{{"allOf", []any{object{{"$ref", "#/definitions/" + name}}}}}
}

// schemaOf describes the values of a shape.
func schemaOf(s *shape) object {
	switch s.kind {
	case durationKind:
		if s.bounds.above == "" {
			return refer("duration")
		}
		return refer("some_duration")
	case rateKind:
		if s.bounds.above == "" {
			return refer("rate")
		}
		return refer("some_rate")
	case fractionKind:
		return object{{"anyOf", []any{bounded("number", s.bounds), object{{"$ref", "#/definitions/percent"}}}}}
	case integerKind:
		return bounded("integer", s.bounds)
	case signedKind:
		return bounded("integer", bounds{least: "-" + s.bounds.most, most: s.bounds.most})
	case booleanKind:
		return object{{"type", "boolean"}}
	case textKind:
		return refer("text")
	case nameKind:
		return refer("name")
	case sizeKind:
		return refer("some_size")
	case treeKind:
		return object{{"not", object{{"type", "null"}}}}
	}
	return schemaOfMany(s)
}

// schemaOfMany describes maps, lists and choices.
func schemaOfMany(s *shape) object {
	switch s.kind {
	case recordKind:
		o := mapOf(s.fields)
		if s == policyShape {
			o.set("allOf", presetOptions())
		}
		return o
	case namesKind:
		return object{
			{"type", "object"},
			{"minProperties", 1},
			{"propertyNames", matching(units.NamePattern())},
			{"additionalProperties", schemaOf(s.item)},
		}
	case listKind:
		o := object{{"type", "array"}, {"items", schemaOf(s.item)}, {"minItems", max(1, s.length)}}
		if s.length > 0 {
			o.set("maxItems", s.length)
		}
		return o
	case matrixKind:
		return object{
			{"type", "object"},
			{"minProperties", 1},
			{"propertyNames", object{{"not", matching(`^(?:` + strings.Join(fixedFields, "|") + `)(?:\.|$)`)}}},
			{"additionalProperties", object{{"type", "array"}, {"minItems", 1}}},
		}
	}
	return schemaOfChoice(s)
}

func schemaOfChoice(s *shape) object {
	var forms []any
	var words []string
	for _, w := range s.words {
		words = append(words, w.text)
	}
	if words != nil {
		forms = append(forms, object{{"enum", words}})
	}
	if s.plain != nil {
		forms = append(forms, schemaOf(s.plain))
	}
	if s.form != nil {
		forms = append(forms, schemaOf(s.form))
	}
	if len(s.fields) > 0 {
		o := mapOf(s.fields)
		o.set("minProperties", 1)
		o.set("maxProperties", 1)
		forms = append(forms, o)
	}
	if len(forms) == 1 {
		return forms[0].(object)
	}
	return object{{"anyOf", forms}}
}

// bounded is a JSON number within bounds in JSON's own notation.
func bounded(name string, b bounds) object {
	o := object{{"type", name}}
	least, most := b.least, b.most
	if least == "" && b.above == "" {
		least = "0"
	}
	if most == "" && name == "integer" {
		most = "18446744073709551615" // of units.Integer
	}
	for _, limit := range []struct{ keyword, value string }{{"minimum", least}, {"exclusiveMinimum", b.above}, {"maximum", most}} {
		if limit.value != "" {
			o.set(limit.keyword, json.Number(limit.value))
		}
	}
	return o
}

// mapOf is a map of known fields.
func mapOf(fields []field) object {
	var properties object
	var required []string
	for i := range fields {
		f := &fields[i]
		properties.set(f.name, describedBy(f, schemaOf(f.shape)))
		if f.required {
			required = append(required, f.name)
		}
	}
	o := object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if required != nil {
		o.set("required", required)
	}
	return o
}

// plainDefault is a default as JSON has it.
func plainDefault(f *field) any {
	if f.shape.kind == booleanKind {
		return f.def == "true"
	}
	if _, _, err := units.Fraction(f.def); err == nil && !strings.HasSuffix(f.def, "%") {
		return json.Number(f.def)
	}
	return f.def
}

var linked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// describedBy puts what the table says of a field before what its values are.
func describedBy(f *field, values object) object {
	doc := linked.ReplaceAllString(f.doc, "$1")
	o := object{{"description", doc}}
	if f.def != "" && f.def != empty {
		o.set("default", plainDefault(f))
	}
	return append(o, values...)
}
