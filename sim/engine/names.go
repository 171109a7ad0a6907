package engine

// String returns the kind as traces name it.
func (k Kind) String() string {
	return [Kinds]string{
		Arrived: "arrived", Scheduled: "scheduled", Promoted: "promoted", Began: "began",
		Succeeded: "succeeded", Failed: "failed", Died: "died", Refused: "refused", Held: "held", Released: "released",
		Faltered: "faltered", Called: "called",
		Replayed: "replayed", Dropped: "dropped",
		Duplicated: "duplicated", Ignored: "ignored", Lost: "lost", Redelivered: "redelivered", Told: "told",
	}[k]
}

// String returns the reason as metrics and traces name it; no reason has no name.
func (r Reason) String() string {
	return [Reasons]string{Exhausted: "exhausted", Expired: "expired", NotRetryable: "not_retryable", BudgetEmpty: "budget_empty", Stalled: "stalled"}[r]
}
