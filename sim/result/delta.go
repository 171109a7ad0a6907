package result

// DeltaFormat is the value of Delta.Format.
const DeltaFormat = "herdsim-compare/1"

// A Delta holds two results against each other, replication by replication: both were run on the same draws.
type Delta struct {
	Format       string     `json:"format"`
	Version      string     `json:"version"` // of the program that compared
	Before       Origin     `json:"before"`
	After        Origin     `json:"after"`
	Seed         uint64     `json:"seed"`
	Replications int        `json:"replications"`
	Changes      []Change   `json:"changes"`          // of the scenario, in its order
	Rows         []DeltaRow `json:"rows"`             // by case, then by policy, then as metrics are listed
	Limits       []Limited  `json:"limits,omitempty"` // what --fail-on judged
}

// An Origin says where one of the two results comes from.
type Origin struct {
	Path     string `json:"path"`     // of the result, as the user wrote it
	Scenario string `json:"scenario"` // its file
	SHA256   string `json:"sha256"`   // of that
	Version  string `json:"version"`  // of the program that ran it
	Digest   string `json:"digest"`
}

// A Change is a path of the scenario whose value is another after than before; nil where the path is not written.
type Change struct {
	Path   string  `json:"path"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// A DeltaRow is one metric of one policy before and after.
type DeltaRow struct {
	Set      Settings  `json:"set"` // of the case
	Policy   string    `json:"policy"`
	Label    string    `json:"label"` // of the policy, after
	Metric   string    `json:"metric"`
	Now      string    `json:"now,omitempty"`      // the metric after, where it is another: the peak once the last outage, which has moved, has ended
	Headline bool      `json:"headline,omitempty"` // one of those that the comparison of a run shows, or that was asked for
	Better   Direction `json:"better,omitempty"`
	Before   *Metric   `json:"before,omitempty"` // nil where no replication has a value
	After    *Metric   `json:"after,omitempty"`
	Lost     int       `json:"lost,omitempty"`   // replications that have a value before and none after
	Gained   int       `json:"gained,omitempty"` // the reverse

	*Difference // after less before; nil where no replication has both
}

// Changed reports whether anything differs between before and after, by chance or not.
func (r *DeltaRow) Changed() bool {
	return r.Lost+r.Gained > 0 || r.Difference != nil && !r.Zero()
}

// A Limited is the verdict on one limit for one policy in one case.
type Limited struct {
	Limit  string   `json:"limit"` // as it was written, e.g. "dead.total > +5%"
	Set    Settings `json:"set"`
	Policy string   `json:"policy"`
	Beyond bool     `json:"beyond"`           // the whole interval is, or values were lost: the comparison fails
	Open   bool     `json:"open,omitempty"`   // part of the interval is
	Excess *Number  `json:"excess,omitempty"` // mean of what is beyond the limit, in the metric's unit, negative where nothing is
	CI95   *Bounds  `json:"ci95,omitempty"`   // of the excess
	Why    string   `json:"why,omitempty"`    // where there is no excess
}

// Failed reports whether any limit was exceeded.
func (d *Delta) Failed() bool {
	for _, l := range d.Limits {
		if l.Beyond {
			return true
		}
	}
	return false
}
