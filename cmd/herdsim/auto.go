package main

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/spf13/pflag"

	"herdsim/sim/check"
	"herdsim/sim/experiment"
	"herdsim/sim/scenario"
	"herdsim/sim/units"
)

// mostReplications is the default of --max-replications.
const mostReplications = 1000

// auto is what `-n auto` asks for.
type auto struct {
	experiment.Auto
	on    bool
	given string // a flag that means nothing without it
}

// bind lets the flag -n, which bindOverrides has added, take the word auto, and adds the flags that say what is enough.
func (a *auto) bind(flags *pflag.FlagSet, o *scenario.Overrides) {
	a.Auto = experiment.Auto{Most: mostReplications, Precision: big.NewRat(1, 20)}
	f := flags.Lookup("replications")
	number := f.Value.Set
	f.Value = checked(func(text string) error {
		if a.on = text == "auto"; a.on {
			o.Replications = nil
			return nil
		}
		return number(text)
	})
	f.Usage = "run each policy `N` times, with other draws each time, or auto: 20, 40, 80, … times, until every check is decided or, without checks, each number of the table is known (default: the scenario's, else 1)"
	flags.Var(whole(2, 1<<20, func(n uint64) { a.Most, a.given = int(n), "max-replications" }), "max-replications",
		fmt.Sprintf("with -n auto, stop at `N` whatever is known by then (default: %d)", mostReplications))
	flags.Var(checked(a.setPrecision), "precision",
		"with -n auto and without checks, a number is known when half its interval is the share `P` of it or less (default: 5%)")
}

func (a *auto) setPrecision(text string) error {
	num, den, err := units.Fraction(text)
	if err != nil {
		return err
	}
	p := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
	if p.Sign() == 0 || p.Cmp(big.NewRat(1, 1)) >= 0 {
		return errors.New("want a share above 0 and below 1, e.g. 5%")
	}
	a.Precision, a.given = p, "precision"
	return nil
}

// check refuses what has no meaning without -n auto.
func (a *auto) check() error {
	if a.given != "" && !a.on {
		return userErrorf("`--%s` has no meaning without `-n auto`", a.given)
	}
	return nil
}

// settleable refuses a check that more replications can break but never settle, when they are added until all is decided.
func (s *simulation) settleable(t task) error {
	if !s.effort.auto.on {
		return nil
	}
	for _, c := range t.file.Cases {
		for _, k := range c.Checks {
			if k.Over == check.Every {
				return userErrorf("%s: check %s is judged in every replication, and no number of them settles that%swith `-n auto` write `over: mean`, `p95` or `ci` beside it",
					shown(t.file.Path), units.Quote(k.Name), noteMark)
			}
		}
	}
	return nil
}

// repeated is the task with so many replications, also of the scenario with one thing more set.
func (t task) repeated(n int) task {
	parse := t.parse
	t.file = experiment.WithReplications(t.file, n)
	t.parse = func(change scenario.Setting) *scenario.File {
		f := parse(change)
		if f == nil {
			return nil
		}
		return experiment.WithReplications(f, n)
	}
	return t
}
