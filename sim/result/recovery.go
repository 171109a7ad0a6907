package result

import "fmt"

// Recovery counts the replications by whether the system got over what happened to it. See docs/reading-results.md.
type Recovery struct {
	Recovered  int      `json:"recovered"`  // nothing was left to do, or what arrived succeeded
	Recovering int      `json:"recovering"` // more succeeded than arrived: what had piled up was being worked off
	Stuck      int      `json:"stuck"`      // less succeeded than arrived, or what had piled up stayed
	Values     []string `json:"values"`     // by replication: recovered, recovering or stuck
}

// NewRecovery counts the verdicts of the replications.
func NewRecovery(verdicts []string) *Recovery {
	r := &Recovery{Values: verdicts}
	for _, v := range verdicts {
		switch v {
		case "recovered":
			r.Recovered++
		case "recovering":
			r.Recovering++
		case "stuck":
			r.Stuck++
		}
	}
	return r
}

func (r *Recovery) validate(replications int) error {
	if len(r.Values) != replications {
		return fmt.Errorf("recovery.values holds %d verdicts, want one for each of %d replications", len(r.Values), replications)
	}
	c := NewRecovery(r.Values)
	if c.Recovered != r.Recovered || c.Recovering != r.Recovering || c.Stuck != r.Stuck ||
		c.Recovered+c.Recovering+c.Stuck != replications {
		return fmt.Errorf("recovery does not count its values, each recovered, recovering or stuck")
	}
	return nil
}
