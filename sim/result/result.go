// Package result holds what an experiment found: pure data, its JSON form, and the statistics that make it.
// Text, pictures and files are made from a Result and nothing else.
package result

import "sort"

// Format is the value of Result.Format.
const Format = "herdsim/1"

// A Result is the outcome of one scenario file. Times are in seconds, rates per second, fractions 0..1.
type Result struct {
	Format       string   `json:"format"`
	Version      string   `json:"version"`
	Scenario     Scenario `json:"scenario"`
	Seed         uint64   `json:"seed"`
	Replications int      `json:"replications"`
	Cases        []Case   `json:"cases"`
	Checks       []Check  `json:"checks,omitempty"` // by case, then as the scenario lists them, then by policy
	Digest       string   `json:"digest"`           // SHA-256 over the integer summaries, in hex
}

// Scenario names the file that was run.
type Scenario struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`               // as the user wrote it
	SHA256   string   `json:"sha256"`             // of the file's bytes, in hex
	Settings Settings `json:"settings,omitempty"` // what the file and the command line write, by dotted path, beside seed, replications, checks and what only describes
	Args     []string `json:"args,omitempty"`     // what else a repetition of the run needs, e.g. "--set", "policies.full.max_attempts=12"
}

// A Case is one combination of the scenario's matrix; without a matrix there is one, with an empty Set.
type Case struct {
	Set      Settings `json:"set"`
	Cohorts  []string `json:"cohorts,omitempty"` // their names, in the scenario's order
	Workload string   `json:"workload"`          // the cohorts in words, e.g. "1000 jobs at 0s, then 10 jobs/s for 4m"
	World             // of every policy that has none of its own
	Asked    []string `json:"asked,omitempty"` // metrics the user named, as the keys of Policy.Metrics, in the user's order
	Herd     string   `json:"herd"`            // the key of the metric that policies are judged by: the peak of retries after the last outage
	Window   Number   `json:"window_s"`        // of the peaks that name none
	Policies []Policy `json:"policies"`

	Comparisons []Comparison `json:"comparisons,omitempty"` // by policy, then by metric; absent with one replication
}

// A World is what the jobs of a policy meet: the dependency over time, and replays of dead letters.
type World struct {
	Outages  []Outage `json:"outages,omitempty"`
	Limit    string   `json:"capacity,omitempty"`       // the dependency's capacity outside its phases, in words
	Capacity *Number  `json:"capacity_per_s,omitempty"` // the rate of that, if it has one
	Phases   []Phase  `json:"phases,omitempty"`         // spans in which the dependency differs
	Replay   *Replay  `json:"replay,omitempty"`         // of dead letters; absent where there is none
	Steps    []Step   `json:"steps,omitempty"`          // the capacity over time, from 0 on; absent where no phase changes it
}

// For returns the world that the jobs of a policy of the case meet.
func (c *Case) For(p *Policy) *World {
	if p.World != nil {
		return p.World
	}
	return &c.World
}

// An Outage is the half-open span [Start, End) in which the dependency is down.
type Outage struct {
	Name    string   `json:"name"`
	Start   Number   `json:"start_s"`
	End     *Number  `json:"end_s,omitempty"`   // nil: to the end of the run
	Cohorts []string `json:"cohorts,omitempty"` // those for which it is down; absent: for all
}

// A Phase is when the dependency differs, and how.
type Phase struct {
	Name    string `json:"name"`
	Changes string `json:"changes"` // in words, e.g. "capacity 20/s, latency 2s"
	Spans   []Span `json:"spans"`   // in order
}

// A Replay is when dead letters are replayed, and how.
type Replay struct {
	At    Number  `json:"at_s"`              // the first
	Every *Number `json:"every_s,omitempty"` // from one to the next; nil: there is one
	Words string  `json:"words"`             // e.g. "at 1m40s, 50/s"
}

// A Span is half open, [Start, End).
type Span struct {
	Start Number  `json:"start_s"`
	End   *Number `json:"end_s,omitempty"` // nil: to the end of the run
}

// A Step says which rate the capacity has from an instant on.
type Step struct {
	From     Number  `json:"from_s"`
	Capacity *Number `json:"capacity_per_s,omitempty"` // nil: no rate limits the calls
}

// CapacityAt returns the rate of the capacity that is in force at an instant; nil when no rate limits the calls.
func (w *World) CapacityAt(seconds float64) *Number {
	i := sort.Search(len(w.Steps), func(i int) bool { return w.Steps[i].From.Float() > seconds })
	if i == 0 {
		return w.Capacity
	}
	return w.Steps[i-1].Capacity
}

// A Policy is what one policy did to the cohorts.
type Policy struct {
	Name     string            `json:"name"`
	Label    string            `json:"label"`
	Notes    []string          `json:"notes,omitempty"`
	World    *World            `json:"world,omitempty"` // in which its jobs live; absent when that is the case's
	Metrics  map[string]Metric `json:"metrics"`         // by normalised term, e.g. "retries.peak(after=60s)"
	Attempts []AttemptRow      `json:"attempts"`
	Retries  []RoundRow        `json:"retries"`
	Layers   []LayerRow        `json:"layers,omitempty"` // of tries inside each attempt, the outermost first
	Recovery *Recovery         `json:"recovery,omitempty"`
	Series   *Series           `json:"series,omitempty"`
}

// A Metric is one number per replication and what sums them up over the replications that have a value.
type Metric struct {
	Mean   Number     `json:"mean"`
	CI95   *[2]Number `json:"ci95,omitempty"` // t interval of the mean; absent with fewer than two values
	Min    Number     `json:"min"`
	Max    Number     `json:"max"`
	Share  *Share     `json:"share,omitempty"`  // of the jobs, where it counts some of them and there are several replications
	Clumps []Clump    `json:"clumps,omitempty"` // the lower and the upper one, when the values fall in two: the mean then describes no replication
	Values []*Number  `json:"values"`           // nil where that replication has no value
}

// An AttemptRow counts the jobs that finished having used exactly Attempt tries: means over replications.
type AttemptRow struct {
	Attempt int    `json:"attempt"`
	Jobs    Number `json:"jobs"` // finished, the dead included
	Dead    Number `json:"dead"`
}

// A RoundRow describes the k-th retries of all jobs: means over the replications that have any.
type RoundRow struct {
	Retry int    `json:"retry"`
	Count Number `json:"count"`
	First Number `json:"first_s"`
	Last  Number `json:"last_s"`
	Mean  Number `json:"mean_s"`
	SD    Number `json:"sd_s"` // population
	P5    Number `json:"p5_s"`
	P95   Number `json:"p95_s"`
	Peak  Number `json:"peak_per_s"`
}

// A LayerRow says how many calls a layer of tries inside each attempt has added: a mean over replications.
type LayerRow struct {
	Tries int    `json:"tries"`
	Calls Number `json:"calls"`
}

// Series are counts per bin [k·Bin, (k+1)·Bin); Backlog is the value at a bin's end.
type Series struct {
	Bin       Number `json:"bin_s"`
	Retries   Track  `json:"retries"`
	Calls     Track  `json:"calls"`
	Succeeded Track  `json:"succeeded"`
	Failed    Track  `json:"failed"`
	Dead      Track  `json:"dead"`
	Backlog   Track  `json:"backlog"`
}

// A NamedTrack is a track of a Series with its key in JSON.
type NamedTrack struct {
	Name string
	Track
}

// Tracks returns the series one by one, in the order of their declaration.
func (s *Series) Tracks() []NamedTrack {
	return []NamedTrack{
		{"retries", s.Retries},
		{"calls", s.Calls},
		{"succeeded", s.Succeeded},
		{"failed", s.Failed},
		{"dead", s.Dead},
		{"backlog", s.Backlog},
	}
}

// A Track is one series: the first replication, and per-bin quantiles over replications (absent when there is one).
// Trailing zeros are trimmed; a quantile that is zero in every bin is absent too.
type Track struct {
	First []int64 `json:"first"`
	P5    []int64 `json:"p5,omitempty"`
	P50   []int64 `json:"p50,omitempty"`
	P95   []int64 `json:"p95,omitempty"`
}
