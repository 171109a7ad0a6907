package metrics

import (
	"slices"

	"herdsim/sim/engine"
)

// table returns every metric, in the order in which results and documentation list them.
func table() []metric {
	return slices.Concat(jobMetrics(), callMetrics(), attemptMetrics(), arrivalMetrics(), deathMetrics(),
		successMetrics(), spanMetrics(), levelMetrics())
}

func jobMetrics() []metric {
	return []metric{
		{
			"jobs.total", Count, byCohort, 0, arrivals, "jobs that arrived before the stop",
			func(f *facts) (Value, error) { return number(f.arrived) },
		},
		{
			"jobs.succeeded", Count, byCohort, 0, successes, "jobs whose last call succeeded",
			func(f *facts) (Value, error) { return number(f.succeeded) },
		},
		{
			"jobs.dead", Count, byCohort, 0, deaths | replays, "jobs that are dead at the end",
			func(f *facts) (Value, error) { return number(f.dead()) },
		},
		{
			"jobs.unfinished", Count, byCohort, 0, arrivals | finishes, "jobs that neither succeeded nor died",
			func(f *facts) (Value, error) { return number(f.unfinished()) },
		},
	}
}

func callMetrics() []metric {
	const narrowed = byAfter | byBefore | byCohort
	return []metric{
		{
			"calls.total", Count, narrowed, 0, starts, "calls that began",
			func(f *facts) (Value, error) { return number(f.began) },
		},
		{
			"calls.first", Count, narrowed, 0, starts, "calls that began for a first attempt, of any life",
			func(f *facts) (Value, error) { return number(f.began - f.retried - f.furtherRetried) },
		},
		{
			"calls.retries", Count, narrowed, 0, starts, "calls that began for a retry",
			func(f *facts) (Value, error) { return number(f.retried + f.furtherRetried) },
		},
		{
			"calls.failed", Count, narrowed, 0, failures | holds | deaths, "calls that failed, counted when they failed",
			func(f *facts) (Value, error) { return number(f.failed()) },
		},
		{
			"calls.cause.outage", Count, narrowed, 0, failures | holds | deaths, "calls that failed because the dependency was down",
			func(f *facts) (Value, error) { return number(f.causes[engine.Outage]) },
		},
		{
			"calls.cause.overload", Count, narrowed, 0, failures | holds | deaths, "calls that the dependency refused, being at capacity",
			func(f *facts) (Value, error) { return number(f.causes[engine.Overload]) },
		},
		{
			"calls.cause.poison", Count, narrowed, 0, failures | holds | deaths, "calls of a poison cohort that the dependency would have answered",
			func(f *facts) (Value, error) { return number(f.causes[engine.Poison]) },
		},
		{
			"calls.cause.error", Count, narrowed, 0, failures | holds | deaths, "calls that failed by the dependency's error rate",
			func(f *facts) (Value, error) { return number(f.causes[engine.Errored]) },
		},
		{
			"calls.cause.timeout", Count, narrowed, 0, failures | holds | deaths, "calls that their caller gave up, and attempts that failed because their lease ended",
			func(f *facts) (Value, error) { return number(f.causes[engine.Timeout]) },
		},
		{
			"calls.cause.crash", Count, narrowed, 0, failures | holds | deaths, "attempts that failed because their worker had crashed, counted when their lease ended",
			func(f *facts) (Value, error) { return number(f.causes[engine.Crash]) },
		},
		{
			"calls.duplicate", Count, narrowed, 0, starts, "calls beyond the first of the same attempt that another delivery of it has made",
			func(f *facts) (Value, error) { return number(f.duplicates) },
		},
		{
			"refused.breaker", Count, narrowed, 0, failures | holds | deaths, "attempts that a breaker stopped: no call was made",
			func(f *facts) (Value, error) { return number(f.causes[engine.Breaker]) },
		},
		{
			"calls.per_job", Ratio, narrowed, 0, arrivals | starts, "amplification: calls that began, per job of the whole run",
			(*facts).callsPerJob,
		},
	}
}

func attemptMetrics() []metric {
	return []metric{
		{
			"attempts.mean", Count, byCohort, 0, finishes | attemptsPart, "mean number of attempts that a finished job used, in all its lives",
			func(f *facts) (Value, error) { return f.attempts.meanOr() },
		},
		{
			"attempts.p50", Count, byCohort, 0, finishes | attemptsPart, "median of the attempts that finished jobs used",
			func(f *facts) (Value, error) { return f.attempts.percentileOr(50) },
		},
		{
			"attempts.p99", Count, byCohort, 0, finishes | attemptsPart, "99th percentile of the attempts that finished jobs used",
			func(f *facts) (Value, error) { return f.attempts.percentileOr(99) },
		},
		{
			"attempts.max", Count, byCohort, 0, finishes | attemptsPart, "most attempts that a finished job used",
			func(f *facts) (Value, error) { return f.attempts.percentileOr(100) },
		},
	}
}

func arrivalMetrics() []metric {
	const narrowed = byAfter | byBefore | byRetry | byCohort
	return []metric{
		{
			"retries.peak", Rate, byWindow | narrowed, 0, starts | retriesPart, "most retries that begin within any window; of the calls of a retry the first counts",
			func(f *facts) (Value, error) { return f.retries.rateValue() },
		},
		{
			"retries.peak_at", Instant, byWindow | narrowed, 0, starts | retriesPart, "first retry of the first fullest window",
			func(f *facts) (Value, error) { return f.retries.atOr(noRetry) },
		},
		{
			"retries.instants", Count, narrowed, 0, starts, "distinct instants at which retries begin",
			func(f *facts) (Value, error) { return number(f.instants) },
		},
		{
			"retries.spread", Span, byRetry | byCohort, byRetry, starts | spreadPart,
			"95th less 5th percentile of the instants at which one round of retries begins", (*facts).spreadValue,
		},
		{
			"retries.held", Count, byAfter | byBefore | byCohort, 0, holds, "retries that waited for a token of a retry budget",
			func(f *facts) (Value, error) { return number(f.held) },
		},
		{
			"retries.drained_at", Instant, byCohort, 0, finishes, "last finish of a job that ever failed",
			func(f *facts) (Value, error) { return instant(f.lastFinishLate, f.finishedLate, noLate) },
		},
		{
			"calls.peak", Rate, byWindow | narrowed, 0, starts | callsPart, "most calls that begin within any window",
			func(f *facts) (Value, error) { return f.calls.rateValue() },
		},
		{
			"calls.peak_at", Instant, byWindow | narrowed, 0, starts | callsPart, "first call of the first fullest window",
			func(f *facts) (Value, error) { return f.calls.atOr(noCall) },
		},
	}
}

func deathMetrics() []metric {
	return []metric{
		{
			"dead.total", Count, byCohort, 0, deaths, "deaths; a job that is replayed may die more than once",
			func(f *facts) (Value, error) { return number(f.died()) },
		},
		{
			"dead.reason.exhausted", Count, byCohort, 0, deaths, "deaths of jobs whose tries were spent",
			func(f *facts) (Value, error) { return number(f.reasons[engine.Exhausted]) },
		},
		{
			"dead.reason.expired", Count, byCohort, 0, deaths, "deaths of jobs whose next retry would have been due too long after their arrival",
			func(f *facts) (Value, error) { return number(f.reasons[engine.Expired]) },
		},
		{
			"dead.reason.not_retryable", Count, byCohort, 0, deaths, "deaths of jobs that failed by a cause of which their policy makes no retry",
			func(f *facts) (Value, error) { return number(f.reasons[engine.NotRetryable]) },
		},
		{
			"dead.reason.budget_empty", Count, byCohort, 0, deaths, "deaths of jobs for whose retry the retry budget had no token",
			func(f *facts) (Value, error) { return number(f.reasons[engine.BudgetEmpty]) },
		},
		{
			"dead.reason.stalled", Count, byCohort, 0, deaths, "deaths of jobs whose leases had ended more often than `queue.max_stalls` allows",
			func(f *facts) (Value, error) { return number(f.reasons[engine.Stalled]) },
		},
		{
			"dead.replayed", Count, byAfter | byBefore | byCohort, 0, replays, "dead jobs that were replayed, each time",
			func(f *facts) (Value, error) { return number(f.replayed) },
		},
		{
			"dead.dropped", Count, byAfter | byBefore | byCohort, 0, drops, "dead jobs whose letter was dropped: there were too many, or it was too old",
			func(f *facts) (Value, error) { return number(f.dropped) },
		},
		{
			"dead.payload", Count, byCohort, 0, deaths | replays | drops, "bytes of payload that the letters hold which are there at the end",
			func(f *facts) (Value, error) {
				if !f.weighed {
					return Value{}, noPayload
				}
				return number(f.payload)
			},
		},
		{
			"dead.first_at", Instant, byCohort, 0, deaths, "first death",
			func(f *facts) (Value, error) { return instant(f.firstDeath, f.died(), noDeath) },
		},
		{
			"dead.last_at", Instant, byCohort, 0, deaths, "last death",
			func(f *facts) (Value, error) { return instant(f.lastDeath, f.died(), noDeath) },
		},
	}
}

func successMetrics() []metric {
	return []metric{
		{
			"success.first_at", Instant, byCohort, 0, successes, "first success",
			func(f *facts) (Value, error) { return instant(f.firstSuccess, f.succeeded, noSuccess) },
		},
		{
			"success.last_at", Instant, byCohort, 0, successes, "last success",
			func(f *facts) (Value, error) { return instant(f.lastSuccess, f.succeeded, noSuccess) },
		},
		{
			"success.total", Count, byAfter | byBefore | byCohort, 0, successes, "successes",
			func(f *facts) (Value, error) { return number(f.succeeded) },
		},
		{
			"drain.time", Instant, byCohort, 0, arrivals | finishes, "finish of the last job; none while a job is unfinished",
			(*facts).drainTime,
		},
		{
			"recovery.lag", Span, byCohort, 0, successes, "from the end of the last outage to the first success at or after it",
			func(f *facts) (Value, error) { return f.sinceOutage(f.firstRecovered) },
		},
		{
			"recovery.time", Span, byCohort, 0, successes, "from the end of the last outage to the last success",
			func(f *facts) (Value, error) { return f.sinceOutage(f.lastSuccess) },
		},
	}
}

func spanMetrics() []metric {
	return []metric{
		{
			"latency.mean", Span, byCohort, 0, successes | latencyPart, "mean span from arrival to success",
			func(f *facts) (Value, error) { return f.latency.meanOr(noSuccess) },
		},
		{
			"latency.p50", Span, byCohort, 0, successes | latencyPart, "median span from arrival to success",
			func(f *facts) (Value, error) { return f.latency.percentileOr(f.latency.p50, noSuccess) },
		},
		{
			"latency.p95", Span, byCohort, 0, successes | latencyPart, "95th percentile of the spans from arrival to success",
			func(f *facts) (Value, error) { return f.latency.percentileOr(f.latency.p95, noSuccess) },
		},
		{
			"latency.p99", Span, byCohort, 0, successes | latencyPart, "99th percentile of the spans from arrival to success",
			func(f *facts) (Value, error) { return f.latency.percentileOr(f.latency.p99, noSuccess) },
		},
		{
			"latency.max", Span, byCohort, 0, successes | latencyPart, "longest span from arrival to success",
			func(f *facts) (Value, error) { return f.latency.maxOr(noSuccess) },
		},
		{
			"fresh.wait.mean", Span, byCohort, 0, starts | freshPart, "mean time that a first attempt of a first life was pending",
			func(f *facts) (Value, error) { return f.fresh.meanOr(noFirst) },
		},
		{
			"fresh.wait.p99", Span, byCohort, 0, starts | freshPart, "99th percentile of the time that first attempts of first lives were pending",
			func(f *facts) (Value, error) { return f.fresh.percentileOr(f.fresh.p99, noFirst) },
		},
		{
			"fresh.wait.max", Span, byCohort, 0, starts | freshPart, "longest time that a first attempt of a first life was pending",
			func(f *facts) (Value, error) { return f.fresh.maxOr(noFirst) },
		},
		{
			"promotion.lag.mean", Span, byCohort, 0, promotions | lagPart, "mean span from a job's due instant to its promotion",
			func(f *facts) (Value, error) { return f.lag.meanOr(noPromotion) },
		},
		{
			"promotion.lag.p99", Span, byCohort, 0, promotions | lagPart, "99th percentile of the spans from due instant to promotion",
			func(f *facts) (Value, error) { return f.lag.percentileOr(f.lag.p99, noPromotion) },
		},
		{
			"promotion.lag.max", Span, byCohort, 0, promotions | lagPart, "longest span from a job's due instant to its promotion",
			func(f *facts) (Value, error) { return f.lag.maxOr(noPromotion) },
		},
	}
}

func levelMetrics() []metric {
	return []metric{
		{
			"backlog.peak", Count, byCohort, 0, arrivals | finishes, "most jobs arrived and not finished, at the end of any instant",
			func(f *facts) (Value, error) { return number(f.backlogPeak) },
		},
		{
			"pending.peak", Count, byCohort, 0, arrivals | promotions | starts | refusals | replays | again, "most jobs pending, at the end of any instant",
			func(f *facts) (Value, error) { return number(f.pendingPeak) },
		},
	}
}
