// Package experiment runs a scenario: every case under every policy as often as there are replications, spread over the
// cores, and gathered into a Result. The unit of work is a pure function from (case, policy, replication) to a summary of
// integers; results are placed by index, so that the number of cores never shows.
package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/metrics"
	"herdsim/sim/result"
	"herdsim/sim/scenario"
)

// Options are what a run may be told beside its scenario; none of them changes a number of the result.
type Options struct {
	Cores     int    // replications that run at once; below 1: 1
	MaxEvents uint64 // per policy and replication; 0: engine.DefaultMaxEvents
	Version   string // of the program, for the result
	NoSeries  bool   // leave the series out of the result
	Progress  func(done, total int)
	Letters   func(result.Letters) // is handed the letters of each run's dead jobs, by case, policy and replication; nil when no one wants them
}

// Run simulates every case of f. The error is ctx's, or a *RunError around a limit that was hit, or a *MemoryError.
func Run(ctx context.Context, f *scenario.File, opt Options) (*result.Result, error) {
	if err := checkMemory(f, opt.Letters != nil); err != nil {
		return nil, err
	}
	units := unitsOf(f)
	runs, err := spread(ctx, units, opt)
	if err != nil {
		return nil, err
	}
	return gather(f, runs, opt), nil
}

// gather makes the result of the runs, which are in the order of unitsOf.
func gather(f *scenario.File, runs []run, opt Options) *result.Result {
	first := f.Cases[0]
	r := &result.Result{
		Format: result.Format, Version: opt.Version,
		Scenario: result.Scenario{Name: f.Name, File: f.Path, SHA256: f.SHA256, Settings: settings(f.Settings)},
		Seed:     first.Seed, Replications: first.Replications,
		Digest: digest(runs),
	}
	for i := range f.Cases {
		n := len(f.Cases[i].Policies) * f.Cases[i].Replications
		hand(&f.Cases[i], runs[:n], opt.Letters)
		r.Cases = append(r.Cases, caseResult(&f.Cases[i], runs[:n], opt))
		r.Checks = append(r.Checks, checkResults(&f.Cases[i], r.Cases[i].Set, runs[:n])...)
		runs = runs[n:]
	}
	return r
}

// A unit is one replication of one policy of one case.
type unit struct {
	scenario    *scenario.Scenario
	policy      *scenario.Policy
	replication uint64
}

// unitsOf lists the units: by case, then by policy, then by replication.
func unitsOf(f *scenario.File) []unit {
	var units []unit
	for i := range f.Cases {
		s := &f.Cases[i].Scenario
		for p := range s.Policies {
			for r := range s.Replications {
				units = append(units, unit{s, &s.Policies[p], uint64(r)})
			}
		}
	}
	return units
}

// A run is what is left of a unit.
type run struct {
	summary *metrics.Summary
	sum     [sha256.Size]byte // of the summary's canonical bytes
	letters []result.Letter   // of the dead, if they are wanted
}

// simulate runs one unit.
func (u unit) simulate(ctx context.Context, opt Options) (run, error) {
	c := u.scenario.Config(u.policy, u.replication)
	c.MaxEvents = opt.MaxEvents
	recorder := metrics.NewRecorder(withWholes(specOf(u.scenario, u.scenario.For(u.policy))))
	box := mailbox{next: watched{ctx, recorder}, cohorts: c.Cohorts, letters: map[uint32]result.Letter{}}
	observer := box.next
	if opt.Letters != nil {
		observer = &box
	}
	end, err := engine.Run(c, observer)
	if err != nil {
		return run{}, err
	}
	summary, err := recorder.Finish(end)
	if err != nil {
		return run{}, err
	}
	done := run{summary: summary, sum: sha256.Sum256(summary.AppendCanonical(nil)), letters: box.sorted()}
	if opt.NoSeries {
		summary.Series = metrics.Series{}
	}
	return done, nil
}

// watched is a recorder that stops when its context does.
type watched struct {
	ctx context.Context
	*metrics.Recorder
}

func (w watched) Observe(batch []engine.Event) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.Recorder.Observe(batch)
}

// specOf says what the runs of a scenario in a world measure: beside what the user asked for and what checks speak of, the peak after
// the last outage, which is what a herd is judged by.
func specOf(s *scenario.Scenario, w *scenario.World) metrics.Spec {
	spec := metrics.Spec{Bin: s.Metrics.Bin, Window: s.Metrics.Window, Terms: s.Metrics.Also}
	for _, c := range s.Base.Cohorts {
		spec.Cohorts = append(spec.Cohorts, c.Name)
	}
	spec.Payloads = payloads(s.Base.Cohorts)
	spec.LastOutageEnd, spec.HasOutageEnd = lastOutageEnd(w)
	spec.Terms = append([]metrics.Term{herd(s)}, spec.Terms...)
	for i := range s.Checks {
		spec.Terms = append(spec.Terms, s.Checks[i].Expr.Terms()...)
	}
	return spec
}

// herd is the term that policies are judged by: the peak of retries once the dependency is up for good, or of the whole
// run when it never goes down and comes back. One span of time is for all: that of the scenario's own outages.
func herd(s *scenario.Scenario) metrics.Term {
	end, _ := lastOutageEnd(&s.World)
	return metrics.Term{ID: "retries.peak", After: end}
}

// lastOutageEnd returns the instant at which the dependency is up for good, if it was ever down and that instant exists.
func lastOutageEnd(w *scenario.World) (clock.Time, bool) {
	var end clock.Time
	for _, o := range w.Outages {
		end = max(end, o.To)
	}
	if end == clock.End {
		return 0, false
	}
	return end, end > 0
}

// digest returns the SHA-256 over the sums of all runs, in hex.
func digest(runs []run) string {
	h := sha256.New()
	for i := range runs {
		h.Write(runs[i].sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// seconds prints an instant or a span exactly.
func seconds(d time.Duration) result.Number { return result.Exact(ratSeconds(d)) }
