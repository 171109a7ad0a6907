package scenario

import (
	"herdsim/sim/preset"
)

// presetOptions says which options a policy may have, given its preset: one rule for each preset, and one that the preset is
// one of them.
func presetOptions() []any {
	known := object{{"properties", object{{"preset", object{{"enum", preset.Names()}}}}}}
	rules := []any{known}
	for _, name := range preset.Names() {
		p, _ := preset.Lookup(name)
		var options object
		for _, o := range p.Options {
			s := optionSchema(o)
			for _, alias := range append([]string{o.Name}, o.Aliases...) {
				options.set(alias, s)
			}
		}
		rules = append(rules, object{
			{"if", object{{"properties", object{{"preset", object{{"const", name}}}}}, {"required", []string{"preset"}}}},
			{"then", object{{"properties", object{{"options", object{{"type", "object"}, {"properties", options}, {"additionalProperties", false}}}}}}},
		})
	}
	return rules
}

// optionSchema describes an option in words: its values are the library's own.
func optionSchema(o preset.Option) object {
	doc := o.Doc + " (" + o.Type
	if o.Unit != "" {
		doc += ", " + o.Unit
	}
	if o.Default != "" {
		doc += "; default " + o.Default
	}
	doc += ")"
	if o.Later {
		return object{{"description", doc + ". Not supported yet"}, {"type", "null"}}
	}
	return object{{"description", doc}}
}
