package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/compare"
	"herdsim/sim/report"
	"herdsim/sim/result"
	"herdsim/sim/units"
)

func compareCommand() command {
	return command{
		name: "compare", args: "BEFORE.json AFTER.json", summary: "hold two results on the same seeds against each other",
		details: `The files are what run --report json=FILE wrote, - is standard input. Both must have the same seed,
replications, cases, cohorts, policies, window and bins: only then do they share their draws, and
differences are taken replication by replication. What changed between the scenarios is shown.

A limit is a metric, > or <, and a change with its sign: 'dead.total > +5%' (of the value before),
'dead.total > +10', 'retries.drained_at > +2s', 'retries.peak > +5/s', 'jobs.succeeded < -1%', or
'dead.total > 0'. It is exceeded when the whole 95 % interval of the change lies beyond it, in any
policy of any case, or when replications have lost their value.

Exit codes: 0 no limit is exceeded, 1 one is, and otherwise as those of every command.`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			c := &comparing{app: a}
			flags.StringArrayVar(&c.limits, "fail-on", nil, "exit with 1 when the change is beyond `LIMIT`, e.g. 'dead.total > +5%'; may be repeated (default: none)")
			flags.Var(checked(c.setReport), "report", "also write the comparison as md=`FILE`; md=- prints it instead of the text (default: none)")
			flags.BoolVar(&c.outputs.json, "json", false, "print JSON instead of the text (default: off)")
			c.outputs.bindText(flags)
			c.voice.bind(flags, "the table alone")
			return c.run
		},
	}
}

// A comparing is a command that holds two results against each other.
type comparing struct {
	*app
	limits  []string
	md      string // file, standard for standard output, or "" for none
	outputs outputs
	voice   voice
}

func (c *comparing) setReport(text string) error {
	format, path, found := strings.Cut(text, "=")
	switch {
	case format != "md":
		return fmt.Errorf("unknown format %s%s; supported: md", units.Quote(format), didYouMean(format, []string{"md"}))
	case !found || path == "" || strings.HasSuffix(path, "/"):
		return fmt.Errorf("%s names no file: write md=FILE or md=-", units.Quote(text))
	}
	c.md = path
	return nil
}

func (c *comparing) run(ctx context.Context, args []string) int {
	d, err := c.delta(ctx, args)
	if err != nil {
		return c.tell(err)
	}
	docs, err := c.documents(d, args)
	if err != nil {
		return c.tell(err)
	}
	text, err := c.text(d)
	if err != nil {
		return c.tell(err)
	}
	err = errors.Join(c.print(text), c.write(ctx, docs, &c.voice))
	if d.Failed() {
		err = errors.Join(err, errCheck)
	}
	return c.tell(err)
}

// delta reads both results and judges the limits.
func (c *comparing) delta(ctx context.Context, args []string) (*result.Delta, error) {
	switch {
	case len(args) != 2:
		return nil, userErrorf("compare takes two saved results, not %d", len(args))
	case args[0] == standard && args[1] == standard:
		return nil, userErrorf("`-` is given twice: standard input can be read once")
	case c.voice.quiet && c.outputs.verbose:
		return nil, userErrorf("`--quiet` and `--verbose` contradict each other")
	case c.outputs.json && c.md == standard:
		return nil, userErrorf("JSON and Markdown cannot both be printed: name a file for one of them")
	}
	var both [2]*result.Result
	for i, path := range args {
		data, err := c.read(ctx, path, maxResult)
		if err != nil {
			return nil, err
		}
		if both[i], err = report.ReadJSON(bytes.NewReader(data)); err != nil {
			return nil, userErrorf("%s: %s", shown(path), err)
		}
	}
	d, err := compare.Results(both[0], both[1])
	if m := compare.Mismatch(nil); errors.As(err, &m) {
		return nil, userErrorf("%s and %s do not share their draws%s%s", shown(args[0]), shown(args[1]), noteMark, strings.Join(m, noteMark))
	} else if err != nil {
		return nil, err
	}
	d.Version, d.Before.Path, d.After.Path = version(), args[0], args[1]
	return d, c.judge(d)
}

// judge adds the verdicts on the limits.
func (c *comparing) judge(d *result.Delta) error {
	if len(c.limits) > 0 && d.Replications < 2 {
		return userErrorf("`--fail-on` needs an interval, and one replication has none%srun both with -n 2 or more", noteMark)
	}
	for _, text := range c.limits {
		l, err := compare.ParseLimit(text, compare.Known(d))
		if err != nil {
			return userErrorf("flag `--fail-on`: %s%s", err, noteMark+"it is "+units.Quote(text))
		}
		d.Limits = append(d.Limits, l.Judge(d)...)
	}
	return nil
}

// text is what standard output carries.
func (c *comparing) text(d *result.Delta) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch {
	case c.outputs.json:
		err = report.DeltaJSON(&b, d)
	case c.md == standard:
		err = report.DeltaMarkdown(&b, d, c.outputs.verbose)
	default:
		err = report.DeltaText(&b, d, c.textOptions(&c.outputs, &c.voice))
	}
	return b.Bytes(), err
}

// documents is the comparison as a file, if one is wanted.
func (c *comparing) documents(d *result.Delta, inputs []string) ([]document, error) {
	if c.md == "" || c.md == standard {
		return nil, nil
	}
	folder, name := filepath.Split(c.md)
	folder = filepath.Clean(folder)
	if err := mayWrite(folder); err != nil {
		return nil, err
	}
	if err := mayReplace(c.md, "one of the results", inputs...); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := report.DeltaMarkdown(&b, d, c.outputs.verbose)
	return []document{{folder, name, b.Bytes()}}, err
}
