package preset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/policy"
	"herdsim/sim/units"
)

// A reader hands a preset its options and collects what is wrong with them. After a problem it goes on with a value that
// is safe to build from, so that one pass finds every mistake.
type reader struct {
	preset   *Preset
	given    []Entry // under the options' own names
	problems []Problem
	warnings []Problem
}

// read sorts the user's options by name. Values are left to the preset.
func read(p *Preset, options Value) *reader {
	r := &reader{preset: p}
	if options.Kind != Map && options.Kind != Null {
		r.problem(options.Ref, "options of preset "+p.Name+" must be a map, found "+options.Kind.shape(), "")
	}
	for _, e := range options.Map {
		r.take(e)
	}
	return r
}

// take files one entry under its option.
func (r *reader) take(e Entry) {
	o := r.preset.option(e.Key)
	switch {
	case o == nil:
		r.unknown(e.KeyRef, "option "+units.Quote(e.Key)+" in preset "+r.preset.Name, r.preset.names())
	case e.Value.Kind == Null:
	case o.Later:
		r.problem(e.KeyRef, "option `"+o.Name+"` of preset "+r.preset.Name+" is not supported yet", "leave it out")
	case r.has(o.Name):
		r.problem(e.KeyRef, fmt.Sprintf("option `%s` of preset %s is set twice", o.Name, r.preset.Name), alsoKnownAs(o))
	default:
		e.Key = o.Name
		r.given = append(r.given, e)
	}
}

func alsoKnownAs(o *Option) string {
	if len(o.Aliases) == 0 {
		return ""
	}
	return "`" + strings.Join(append([]string{o.Name}, o.Aliases...), "` and `") + "` are the same"
}

// option returns the option of that name or alias.
func (p *Preset) option(name string) *Option {
	i := slices.IndexFunc(p.Options, func(o Option) bool { return o.Name == name || slices.Contains(o.Aliases, name) })
	if i < 0 {
		return nil
	}
	return &p.Options[i]
}

// names returns the options that can be set.
func (p *Preset) names() []string {
	var names []string
	for _, o := range p.Options {
		if !o.Later {
			names = append(names, o.Name)
		}
	}
	return names
}

// has reports whether the user set the option.
func (r *reader) has(name string) bool { return r.find(name) != nil }

func (r *reader) find(name string) *Entry {
	i := slices.IndexFunc(r.given, func(e Entry) bool { return e.Key == name })
	if i < 0 {
		return nil
	}
	return &r.given[i]
}

// value returns what the user set, else the default; null when there is none.
func (r *reader) value(name string) Value {
	if e := r.find(name); e != nil {
		return e.Value
	}
	o := r.preset.option(name)
	if o == nil {
		panic("preset: " + r.preset.Name + " has no option " + name)
	}
	if o.Default == "" {
		return Value{}
	}
	return Value{Kind: Scalar, Text: o.Default}
}

func (r *reader) problem(ref int, message, hint string) {
	r.problems = append(r.problems, Problem{Ref: ref, Message: message, Hint: hint})
}

// warn says of a value that is taken what it does.
func (r *reader) warn(ref int, message string) {
	r.warnings = append(r.warnings, Problem{Ref: ref, Message: message})
}

// unknown reports a name that is not one of the allowed.
func (r *reader) unknown(ref int, what string, allowed []string) {
	r.problems = append(r.problems, Problem{Ref: ref, Message: "unknown " + what, Allowed: allowed})
}

// scalar returns the text of a single value that is not quoted.
func (r *reader) scalar(v Value, what, want string) (string, bool) {
	switch {
	case v.Kind != Scalar:
		r.problem(v.Ref, fmt.Sprintf("`%s` must be %s, found %s", what, want, v.Kind.shape()), "")
	case v.Quoted:
		r.problem(v.Ref, fmt.Sprintf("`%s` must be %s, found a text", what, want), "write it without quotes")
	default:
		return v.Text, true
	}
	return "", false
}

// truth reads true or false; true after a problem.
func (r *reader) truth(v Value, what string) bool {
	text, ok := r.scalar(v, what, "true or false")
	if !ok {
		return true
	}
	truth, err := units.Boolean(text)
	if err != nil {
		r.bad(v.Ref, what, err)
	}
	return truth || err != nil
}

// integer reads a whole number of [low, high]; low after a problem.
func (r *reader) integer(v Value, what string, low, high uint64) uint64 {
	text, ok := r.scalar(v, what, "a whole number")
	if !ok {
		return low
	}
	n, err := units.Integer(text)
	switch {
	case err != nil:
		r.bad(v.Ref, what, err)
	case n < low || n > high:
		r.problem(v.Ref, fmt.Sprintf("`%s` is %d, outside %d to %d", what, n, low, high), "")
	default:
		return n
	}
	return low
}

// tries reads a number of tries or retries.
func (r *reader) tries(name string, low uint64) int {
	return int(r.integer(r.value(name), name, low, policy.Unlimited-2))
}

// millis reads a whole number of milliseconds, at least low.
func (r *reader) millis(v Value, what string, low uint64) time.Duration {
	const high = uint64(clock.Longest / time.Millisecond)
	if d, err := units.Duration(v.Text); err == nil && v.Text != "0" {
		r.problem(v.Ref, fmt.Sprintf("`%s` is a whole number of milliseconds, found `%s`", what, v.Text),
			"write `"+strconv.FormatInt(d.Milliseconds(), 10)+"`")
		return time.Duration(low) * time.Millisecond
	}
	return time.Duration(r.integer(v, what, low, high)) * time.Millisecond
}

// decimal reads a number of [0, high] that need not be whole.
func (r *reader) decimal(v Value, what string, high uint64) policy.Fraction {
	text, ok := r.scalar(v, what, "a number")
	if !ok {
		return policy.Fraction{Num: 0, Den: 1}
	}
	num, den, err := units.Fraction(text)
	switch {
	case err != nil:
		r.bad(v.Ref, what, err)
	case strings.HasSuffix(text, "%"):
		r.problem(v.Ref, fmt.Sprintf("`%s` is a number, found %s", what, units.Quote(text)), "write it without `%`")
	case num/den > high || num/den == high && num%den > 0:
		r.problem(v.Ref, fmt.Sprintf("`%s` is %s, outside 0 to %d", what, text, high), "")
	default:
		return policy.Fraction{Num: num, Den: den}
	}
	return policy.Fraction{Num: 0, Den: 1}
}

// list returns the items of a list of a given length, or of any length when it is negative.
func (r *reader) list(v Value, what string, length int) ([]Value, bool) {
	switch {
	case v.Kind != List:
		r.problem(v.Ref, fmt.Sprintf("`%s` must be a list, found %s", what, v.Kind.shape()), "")
	case length >= 0 && len(v.List) != length:
		r.problem(v.Ref, fmt.Sprintf("`%s` must be a list of %d, found %d", what, length, len(v.List)), "")
	default:
		return v.List, true
	}
	return nil, false
}

// bad reports a text that does not parse.
func (r *reader) bad(ref int, what string, err error) {
	p := Problem{Ref: ref, Message: "`" + what + "`: " + err.Error()}
	if e, ok := err.(*units.Error); ok {
		p.Message, p.Hint = "`"+what+"`: "+e.Message, e.Hint
	}
	r.problems = append(r.problems, p)
}
