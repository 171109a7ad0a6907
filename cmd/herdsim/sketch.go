package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/preset"
)

// A sketch is a policy described by flags, each the text of a field of a scenario.
type sketch struct {
	base, factor, cap       string
	delay                   string
	jitter                  string
	preset, options         string
	maxAttempts, maxRetries string
}

func bindSketch(flags *pflag.FlagSet, s *sketch) {
	flags.Var(filled(&s.base), "base", "the first wait of an exponential curve is the duration `D`, e.g. 1s (default: none)")
	flags.Var(filled(&s.factor), "factor", "each wait is `F` times the one before it (default: 2)")
	flags.Var(filled(&s.cap), "cap", "no wait of the curve is longer than the duration `D`, before the jitter (default: none)")
	flags.Var(filled(&s.delay), "delay", "the curve is `YAML` as in a scenario, e.g. '{ladder: [5s, 5m]}', instead of --base (default: none)")
	flags.Var(filled(&s.jitter), "jitter", "the jitter is `YAML` as in a scenario, e.g. full or '{ratio: 20%}' (default: none)")
	flags.Var(filled(&s.maxAttempts), "max-attempts", "the budget is `N` tries, the first included (default: the preset's, else no limit)")
	flags.Var(filled(&s.maxRetries), "max-retries", "the budget is `N` tries after the first (default: the preset's, else no limit)")
	flags.Var(filled(&s.preset), "preset", "the policy is that of the library `NAME`, e.g. bullmq (default: none)")
	offer(flags, "preset", preset.Names())
	flags.Var(filled(&s.options), "options", "the preset's options are `YAML`, e.g. '{attempts: 5, backoff: 1000}' (default: the library's own)")
}

// given reports whether any flag describes a policy.
func (s *sketch) given() bool { return *s != sketch{} }

// yaml writes the sketch as a scenario, each value on a line of its own.
func (s *sketch) yaml() ([]byte, error) {
	if s.delay != "" && s.base+s.factor+s.cap != "" {
		return nil, userErrorf("`--delay` and `--base`, `--factor` or `--cap` describe one curve: leave one of them out")
	}
	var b strings.Builder
	b.WriteString("version: 1\ncohorts: {job: {count: 1}}\npolicies:\n  flags:\n")
	put := func(indent int, field, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%*s%s: %s\n", indent, "", field, text)
		}
	}
	put(4, "preset", s.preset)
	put(4, "options", s.options)
	if s.base+s.factor+s.cap != "" {
		b.WriteString("    delay:\n      exponential:\n")
		put(8, "base", s.base)
		put(8, "factor", s.factor)
		put(8, "cap", s.cap)
	}
	put(4, "delay", s.delay)
	put(4, "jitter", s.jitter)
	put(4, "max_attempts", s.maxAttempts)
	put(4, "max_retries", s.maxRetries)
	if s.preset == "" && s.maxAttempts+s.maxRetries == "" {
		b.WriteString("    max_attempts: unlimited\n")
	}
	for _, text := range []string{s.base, s.factor, s.cap, s.delay, s.jitter, s.preset, s.options, s.maxAttempts, s.maxRetries} {
		if strings.ContainsAny(text, "\r\n\u0085\u2028\u2029") {
			return nil, userErrorf("a flag's value must be on one line")
		}
	}
	return []byte(b.String()), nil
}
