package dependency

// String returns the cause as metrics and traces name it; the success of a call has no name.
func (c Cause) String() string {
	return [Causes]string{
		Outage: "outage", Overload: "overload", Poison: "poison", Errored: "error",
		Timeout: "timeout", Crash: "crash", Breaker: "breaker",
	}[c]
}
