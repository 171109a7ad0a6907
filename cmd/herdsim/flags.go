package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/engine"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

// A checked flag hands its text to a function that keeps it or says what is wrong.
type checked func(text string) error

func (c checked) Set(text string) error { return c(text) }

// String is empty: help names the defaults in words.
func (checked) String() string { return "" }

// Type is never shown: every usage names its value.
func (checked) Type() string { return "value" }

// whole reads a whole number from low to high.
func whole(low, high uint64, keep func(uint64)) checked {
	return func(text string) error {
		n, err := units.Integer(text)
		if err != nil {
			return err
		}
		if n < low || n > high {
			return fmt.Errorf("%s is out of range: from %d to %d", units.Quote(text), low, high)
		}
		keep(n)
		return nil
	}
}

// filled keeps a text that says something: an empty one comes from a variable that is not set.
func filled(at *string) checked {
	return func(text string) error {
		if text == "" {
			return errors.New("its value is empty: leave the flag out, or give it one")
		}
		*at = text
		return nil
	}
}

// bindWord adds a flag whose value is one of some words; the first is the default.
func bindWord(flags *pflag.FlagSet, at *string, name string, words []string, usage string) {
	*at = words[0]
	flags.Var(checked(func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%s is none of %s%s", units.Quote(text), strings.Join(words, ", "), didYouMean(text, words))
		}
		*at = text
		return nil
	}), name, usage)
	offer(flags, name, words)
}

// bindOverrides adds the flags that change a scenario.
func bindOverrides(flags *pflag.FlagSet, o *scenario.Overrides) {
	bindSeed(flags, o)
	flags.VarP(whole(1, math.MaxInt32, func(n uint64) { count := int(n); o.Replications = &count }), "replications", "n",
		"run each policy `N` times, with other draws each time (default: the scenario's, else 1)")
	bindPolicyAndSet(flags, o)
}

func bindSeed(flags *pflag.FlagSet, o *scenario.Overrides) {
	flags.Var(whole(0, math.MaxUint64, func(n uint64) { o.Seed = &n }), "seed",
		"whole number `N` as the seed of all random draws (default: the scenario's, else 1)")
}

func bindPolicyAndSet(flags *pflag.FlagSet, o *scenario.Overrides) {
	flags.Var(filled(&o.Policies), "policy", "only the policies whose names match `GLOB`, e.g. 'full*' (default: all)")
	flags.Var(checked(func(text string) error {
		path, value, found := strings.Cut(text, "=")
		if !found || path == "" {
			return fmt.Errorf("%s is not of the form PATH=VALUE, e.g. policies.full.max_attempts=12", units.Quote(text))
		}
		o.Sets = append(o.Sets, scenario.Setting{Path: path, Value: value})
		return nil
	}), "set", "`PATH=VALUE` puts a YAML value at a dotted path of the scenario; may be repeated (default: none)")
}

// repetition returns the flags of o that a repetition of the run needs beside its seed and number of replications.
func repetition(o scenario.Overrides) []string {
	var args []string
	for _, s := range o.Sets {
		args = append(args, "--set", s.Path+"="+s.Value)
	}
	if o.Policies != "" {
		args = append(args, "--policy", o.Policies)
	}
	for _, term := range o.Also {
		args = append(args, "--metric", term)
	}
	return args
}

func bindMetric(flags *pflag.FlagSet, o *scenario.Overrides) {
	flags.StringArrayVar(&o.Also, "metric", nil,
		"also measure `TERM`, e.g. 'retries.peak(window=100ms, after=60s)'; may be repeated (default: none)")
}

// An effort is what a simulation may cost.
type effort struct {
	cores     int
	maxEvents uint64 // 0: the engine's default
	progress  string // auto, always, never
	auto      auto
}

func (e *effort) bind(flags *pflag.FlagSet) {
	e.cores = runtime.GOMAXPROCS(0)
	flags.Var(whole(1, 1<<16, func(n uint64) { e.cores = int(n) }), "cores",
		"run `N` replications at once; the result does not depend on it (default: one for each CPU)")
	bindMaxEvents(flags, &e.maxEvents)
	bindWord(flags, &e.progress, "progress", []string{"auto", "always", "never"},
		"`WHEN` to show a progress bar: auto (on a terminal, after one second), always or never (default: auto)")
}

func bindMaxEvents(flags *pflag.FlagSet, at *uint64) {
	flags.Var(whole(1, engine.MaxEventsLimit, func(n uint64) { *at = n }), "max-events",
		fmt.Sprintf("give up after `N` events of one policy and replication, at most %d (default: %d)", uint64(engine.MaxEventsLimit), engine.DefaultMaxEvents))
}

// A voice is how the command speaks.
type voice struct {
	color  string // auto, always, never
	quiet  bool
	format string // of diagnostics: full, concise
}

// bind adds the flags; quiet is what the command prints when it is.
func (v *voice) bind(flags *pflag.FlagSet, quiet string) {
	bindWord(flags, &v.color, "color", []string{"auto", "always", "never"},
		"`WHEN` to colour text: auto (on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE forces it), always or never (default: auto)")
	flags.BoolVarP(&v.quiet, "quiet", "q", false, "errors alone on standard error, and on standard output "+quiet+" (default: off)")
}

// bindFormat adds the flag that chooses how diagnostics are written.
func (v *voice) bindFormat(flags *pflag.FlagSet) {
	bindWord(flags, &v.format, "format", []string{"full", "concise"},
		"`FORM` of errors and warnings: full, or concise (one line each, `file:line:col: error: …`) (default: full)")
}

// colored says whether text for a stream is coloured.
func (a *app) colored(v *voice, s stream) bool {
	switch {
	case v.color != "auto":
		return v.color == "always"
	case a.env("NO_COLOR") != "":
		return false
	case a.env("CLICOLOR_FORCE") != "" && a.env("CLICOLOR_FORCE") != "0":
		return true
	}
	return s.terminal && a.env("TERM") != "dumb"
}
