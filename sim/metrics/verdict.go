package metrics

// A Verdict says whether a run got over what happened to it.
type Verdict uint8

// The verdicts.
const (
	Recovered  Verdict = iota // nothing is left to do, or what arrives succeeds
	Recovering                // more succeeds than arrives: what has piled up is being worked off
	Stuck                     // less succeeds than arrives, or what has piled up stays
	Verdicts                  // how many there are
)

// String returns the verdict's name in results.
func (v Verdict) String() string {
	return [Verdicts]string{Recovered: "recovered", Recovering: "recovering", Stuck: "stuck"}[v]
}

// verdictShare is the part of the run, its last, that a verdict looks at: one in so many.
const verdictShare = 10

// verdict judges the run from its closed bins. What came in during the last tenth is what succeeded, died or was added to the
// backlog; jobs that died of poison or of the error coin are left out of it, as no recovery would have saved them.
func (b *bins) verdict() Verdict {
	n := len(b.marks)
	if n == 0 {
		return Recovered
	}
	end, from := b.marks[n-1], mark{}
	if before := n - (n+verdictShare-1)/verdictShare; before > 0 {
		from = b.marks[before-1]
	}
	succeeded, died := end.succeeded-from.succeeded, end.dead-from.dead
	due := max(end.backlog-from.backlog+succeeded+died-(end.lost-from.lost), 0)
	switch {
	case end.succeeded == 0 && end.backlog+end.dead > end.lost:
		return Stuck
	case short(due, succeeded):
		return Stuck
	case end.backlog == 0:
		return Recovered
	case succeeded == 0:
		return Stuck
	case short(succeeded, due):
		return Recovering
	case end.backlog > succeeded:
		return Stuck
	}
	return Recovered
}

// short reports whether got is less than wanted by more than a tenth of it, and by more than chance makes of arrivals at
// random: three standard deviations of a Poisson count.
func short(wanted, got int64) bool {
	gap := wanted - got
	return gap > wanted/10 && gap > 0 && gap*gap > 9*wanted
}
