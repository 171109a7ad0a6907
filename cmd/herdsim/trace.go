package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"herdsim/sim/engine"
	"herdsim/sim/scenario"
)

func traceCommand() command {
	return command{
		name: "trace", args: "FILE|@NAME|-", summary: "show one job's life, or every event of one run",
		details: `One run is one policy, one replication and one case of the matrix. With --job standard output carries
what happened to that job, a line for each event. Without it every event of the run is a line of
JSON, in the order in which they happened; the fields, of which a line has those with a meaning:

  at_s     when it happened, in seconds, exact
  event    arrived or scheduled, promoted, began, succeeded, failed or died; refused, when a worker
           makes no call for it; held and released, when a retry waits for a token and gets it;
           faltered and called, when a call fails and another of the same attempt follows;
           replayed, when a dead job is pending again, and dropped, when its letter is;
           lost, when a worker crashes that ran or held it; redelivered, when a lease ended;
           duplicated and ignored, when a call of an attempt begins that was called before, and
           when one ends that changes nothing;
           told, when a refused call is told when there is capacity again
  job      number of the job: the order of arrival, from 0
  cohort   of the job
  attempt  concerned, from 1; of promoted the one to come; of succeeded, died, replayed and dropped
           how many the job has made in all its lives
  cause    of a failure: outage, overload, poison, error, timeout, crash or breaker
  layer    which of the policy's layers calls again, from 1, the outermost
  reason   of a death: exhausted, expired, not_retryable, budget_empty or stalled
  due_s, pending_s, arrived_s  when the run is due; since when the attempt that began or was refused
                               was pending; when a finished job arrived
  died_s   when a job died that is replayed, or whose letter is dropped
  again_s  when the other call of the attempt begins
  lease_s  when the lease of what was lost ends, if ever
  free_s   when there is capacity again, as a refused call was told`,
		bind: func(a *app, flags *pflag.FlagSet) action {
			t := &tracing{app: a, flags: flags, replication: 1}
			flags.Var(whole(0, engine.MaxEventsLimit, func(n uint64) { t.job = uint32(n); t.one = true }), "job",
				"show what happened to job `N`, from 0, in words (default: every event as JSON)")
			flags.Var(whole(1, 1<<31-1, func(n uint64) { t.replication = n }), "replication",
				"the `R`-th replication, from 1 (default: 1)")
			bindOverrides(flags, &t.over)
			bindChoice(flags, &t.which)
			bindMaxEvents(flags, &t.maxEvents)
			t.voice.bind(flags, "no less")
			return t.run
		},
	}
}

type tracing struct {
	*app
	flags       *pflag.FlagSet
	over        scenario.Overrides
	voice       voice
	one         bool
	job         uint32
	replication uint64 // from 1
	which       int    // case, from 1; 0: not said
	maxEvents   uint64
}

func (t *tracing) run(ctx context.Context, args []string) int {
	file, err := t.loadOne(ctx, "trace", args, t.over, &t.voice)
	if err != nil {
		return t.tell(err)
	}
	c, p, err := chooseRun(file, t.which)
	if err == nil && t.replication > uint64(c.Replications) {
		err = userErrorf("there is no replication %d: the scenario has %d; -n changes that", t.replication, c.Replications)
	}
	if err != nil {
		return t.tell(err)
	}
	config := c.Config(p, t.replication-1)
	config.MaxEvents = t.maxEvents
	writer := newWriting(ctx, t.app, &config)
	if t.one {
		err = t.history(writer, file, c, p, &config)
	} else {
		_, err = engine.Run(config, writer)
	}
	if errors.As(err, new(stdoutError)) {
		return t.tell(err)
	}
	if err != nil && exitCode(err) == exitFailed {
		err = fmt.Errorf("%s: %w", shown(file.Path), err)
	}
	return t.tell(errors.Join(err, writer.flush())) // what happened before an error is shown
}

// history prints the life of one job as it goes by.
func (t *tracing) history(w *writing, f *scenario.File, c *scenario.Case, p *scenario.Policy, config *engine.Config) error {
	h := &history{job: t.job}
	head := fmt.Sprintf("%s  policy %s, seed %d, replication %d of %d", shown(f.Path), config.PolicyName, config.Seed, t.replication, c.Replications)
	if len(c.Set) > 0 {
		head += "\n" + settingsLine(c.Set)
	}
	for _, o := range p.Overrides {
		head += "\n" + o.Path + " = " + o.Value + ", of the policy alone"
	}
	h.head = head + "\n"
	w.line = h.line
	end, err := engine.Run(*config, w)
	switch {
	case err != nil:
		return err
	case !h.arrived:
		return userErrorf("there is no job %d: %s in this run, counted from 0", t.job, plural(int(h.jobs), "job arrived", "jobs arrived"))
	case !h.finished:
		return w.put(h.unfinished(end))
	}
	return nil
}

// A writing is an observer that prints a line for each event that has one. It keeps none of them.
type writing struct {
	ctx     context.Context
	out     *bufio.Writer
	cohorts []string
	line    func(buf []byte, e *engine.Event, cohort string) []byte
	buf     []byte
}

func newWriting(ctx context.Context, a *app, c *engine.Config) *writing {
	w := &writing{ctx: ctx, out: bufio.NewWriterSize(a.stdout, 1<<16), line: jsonLine}
	for _, cohort := range c.Cohorts {
		w.cohorts = append(w.cohorts, cohort.Name)
	}
	return w
}

// Observe implements engine.Observer.
func (w *writing) Observe(batch []engine.Event) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	for ev := range engine.Unfold(batch) {
		w.buf = w.line(w.buf, ev, w.cohorts[ev.Cohort])
	}
	return w.put(w.buf)
}

func (w *writing) put(text []byte) error {
	if _, err := w.out.Write(text); err != nil {
		return stdoutError{err}
	}
	return nil
}

func (w *writing) flush() error {
	if err := w.out.Flush(); err != nil {
		return stdoutError{err}
	}
	return nil
}
