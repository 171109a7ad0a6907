package scenario

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// A builder turns the checked values of one case into a Scenario and checks what one field alone does not show. It leaves
// out parts in which something is wrong, so that one mistake is reported once.
type builder struct {
	walker
	reader            *reader
	stop              clock.Time
	own               worldly   // what the document says of its world
	in                *World    // of the document, or of the policy that is being read
	ranks             bool      // some queue goes by priority
	cohortNames       []string  // in the file's order
	axes              []address // paths of the matrix
	name, description string
}

// usable reports whether a part is there and right.
func usable(v *value) bool { return v != nil && !v.bad }

func (b *builder) scenario(v *value, o Overrides) Scenario {
	var s Scenario
	b.top(v, &s)
	s.Base.Stop = b.stop
	if w := v.get("cohorts"); w != nil {
		for _, c := range w.names {
			b.cohortNames = append(b.cohortNames, c.name)
		}
	}
	b.own = worldly{}
	for _, name := range worldFields {
		b.own[name] = v.get(name)
	}
	var known bool
	s.World, known = b.world(b.own)
	b.in, b.ranks = &s.World, s.Queue.Order == engine.Priority || ranks(v.get("policies"))
	if w := v.get("cohorts"); w != nil {
		before := b.errors
		s.Base.Cohorts = b.cohorts(w)
		s.Workload = workload(s.Base.Cohorts, b.stop)
		known = known && usable(w) && b.errors == before
	}
	var all []Policy
	if w := v.get("policies"); w != nil {
		all = b.policies(w)
		s.Policies = b.chosen(all, w, o.Policies)
		b.judgeEnds(w, all, &s)
		b.rules(v.get("cohorts"), &s, w, all)
		b.judgeHints(w, all, &s)
	}
	if w := v.get("metrics"); w != nil {
		s.Metrics = b.metrics(w, s.Base.RunOn)
		if known { // what the terms may name
			s.Metrics.Also = herdsOfReplays(b.terms(w, envOf(&s), o.Also), &s)
		}
	}
	if w, policies := v.get("checks"), v.get("policies"); w != nil && policies != nil && known {
		env := checkEnv(envOf(&s), policies)
		b.concerned(w, env.Policies)
		s.Checks, s.Knobs = b.checks(w, &s, env, all), b.knobs(v, &s, b.axes)
	}
	return s
}

// top reads the fields of the document itself.
func (b *builder) top(v *value, s *Scenario) {
	if w := v.get("version"); usable(w) && w.number.num != 1 {
		b.fail(w.node, "version "+w.node.text+" of the format is unknown", "write `1`")
	}
	if w := v.get("name"); usable(w) {
		b.name = w.word
	}
	if w := v.get("description"); usable(w) {
		b.description = w.word
		if utf8.RuneCountInString(w.word) > maxText {
			b.fail(w.node, fmt.Sprintf("`description` has more than %d characters", maxText), "")
		}
	}
	if w := v.get("seed"); usable(w) {
		s.Seed, s.Base.Seed = w.number.num, w.number.num
	}
	if w := v.get("replications"); usable(w) {
		s.Replications = int(w.number.num)
	}
	b.stop = clock.End
	if w := v.get("stop"); usable(w) {
		b.stop = clock.Time(w.get("at").duration())
		s.Base.RunOn = w.get("when").word == "never"
	}
}

// workers reads `workers`.
func (b *builder) workers(v *value) engine.Workers {
	w := engine.Workers{Service: b.service(v.get("service"))}
	if count := v.get("count"); count != nil {
		w.Count = int(count.number.num)
	}
	w.Crashes = b.crashes(v, w.Count)
	if timeout := v.get("timeout"); timeout != nil {
		w.Timeout = timeout.duration()
	}
	return w
}

// chosen keeps the policies whose names match the pattern.
func (b *builder) chosen(all []Policy, v *value, pattern string) []Policy {
	if pattern == "" {
		return all
	}
	var kept []Policy
	var names []string
	for _, p := range v.names {
		names = append(names, p.name)
	}
	for _, p := range all {
		matches, err := path.Match(pattern, p.Name)
		if err != nil {
			b.add(diag.Diagnostic{Message: "--policy " + units.Quote(pattern) + " is not a pattern", Notes: []string{"`*` stands for any text, `?` for one character, `[ab]` for one of them"}})
			return nil
		}
		if matches {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 && len(all) == len(names) {
		b.add(diag.Diagnostic{Message: "--policy " + units.Quote(pattern) + " matches no policy", Notes: []string{"there are: " + strings.Join(names, ", ")}})
	}
	return kept
}
