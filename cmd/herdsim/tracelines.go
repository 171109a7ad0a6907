package main

import (
	"fmt"
	"strconv"
	"time"

	"herdsim/sim/clock"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// refName names what an event's Ref is.
func refName(k engine.Kind) string {
	return [engine.Kinds]string{
		engine.Scheduled: "due_s", engine.Promoted: "due_s", engine.Failed: "due_s", engine.Began: "pending_s",
		engine.Refused: "pending_s", engine.Held: "due_s", engine.Released: "due_s", engine.Faltered: "again_s",
		engine.Succeeded: "arrived_s", engine.Died: "arrived_s", engine.Replayed: "died_s", engine.Dropped: "died_s",
		engine.Duplicated: "pending_s", engine.Lost: "lease_s", engine.Redelivered: "due_s", engine.Told: "free_s",
	}[k]
}

// jsonLine appends an event as one line of JSON. The names of cohorts need no escapes.
func jsonLine(buf []byte, e *engine.Event, cohort string) []byte {
	buf = appendSeconds(append(buf, `{"at_s": `...), e.At)
	buf = append(append(append(buf, `, "event": "`...), e.Kind.String()...), '"')
	buf = strconv.AppendUint(append(buf, `, "job": `...), uint64(e.Job), 10)
	buf = append(append(append(buf, `, "cohort": "`...), cohort...), '"')
	if e.Attempt > 0 {
		buf = strconv.AppendUint(append(buf, `, "attempt": `...), uint64(e.Attempt), 10)
	}
	if e.Cause != engine.NoCause {
		buf = append(append(append(buf, `, "cause": "`...), e.Cause.String()...), '"')
	}
	if e.Layer > 0 {
		buf = strconv.AppendUint(append(buf, `, "layer": `...), uint64(e.Layer), 10)
	}
	if e.Reason != engine.NoReason {
		buf = append(append(append(buf, `, "reason": "`...), e.Reason.String()...), '"')
	}
	if name := refName(e.Kind); name != "" && (e.Kind != engine.Lost || e.Ref > 0) {
		buf = appendSeconds(append(append(append(buf, `, "`...), name...), `": `...), e.Ref)
	}
	return append(buf, '}', '\n')
}

// appendSeconds appends an instant in seconds, exact and without trailing zeros.
func appendSeconds(buf []byte, t clock.Time) []byte {
	buf = strconv.AppendInt(buf, int64(t)/int64(time.Second), 10)
	rest := int64(t) % int64(time.Second)
	if rest == 0 {
		return buf
	}
	point := len(buf)
	buf = strconv.AppendInt(buf, int64(time.Second)+rest, 10) // a leading 1 keeps the zeros behind the point
	buf[point] = '.'
	for buf[len(buf)-1] == '0' {
		buf = buf[:len(buf)-1]
	}
	return buf
}

// A history tells what happens to one job.
type history struct {
	job      uint32
	head     string
	jobs     uint32 // that have arrived
	arrived  bool
	finished bool
	attempt  uint32     // of the present life, the last that began
	hint     clock.Time // when to come back, as its last event told it
}

// line appends an event of the job as a line of text, and nothing for the events of others.
func (h *history) line(buf []byte, e *engine.Event, cohort string) []byte {
	if e.Kind == engine.Arrived || e.Kind == engine.Scheduled {
		h.jobs++
	}
	if e.Job != h.job {
		return buf
	}
	switch e.Kind {
	case engine.Arrived, engine.Scheduled:
		h.arrived = true
		buf = fmt.Appendf(buf, "%s\n          at, s  job %d, of cohort %s\n", h.head, h.job, cohort)
	case engine.Began:
		h.attempt = e.Attempt
	case engine.Succeeded, engine.Died:
		h.finished = true
	case engine.Replayed:
		h.finished = false
	}
	buf = fmt.Appendf(appendColumn(buf, e.At), "  %s%s\n", h.told(e), h.against(e))
	if h.hint = 0; e.Kind == engine.Told {
		h.hint = e.Ref
	}
	return buf
}

// told is the story of an event; of a job that has been dead it also says what all its lives took.
func (h *history) told(e *engine.Event) string {
	if !e.Again || e.Kind != engine.Succeeded && e.Kind != engine.Died {
		return story(e)
	}
	own := *e
	own.Attempt = h.attempt
	return fmt.Sprintf("%s, %d attempts in all", story(&own), e.Attempt)
}

// against holds the wait after a refused call against what the call was told.
func (h *history) against(e *engine.Event) string {
	switch {
	case h.hint == 0 || e.Kind != engine.Failed:
		return ""
	case e.Ref == h.hint:
		return ", as it was told"
	case e.Ref < h.hint:
		return fmt.Sprintf(", %s less than it was told", lastingExactly(h.hint.Sub(e.Ref)))
	}
	return fmt.Sprintf(", %s more than it was told", lastingExactly(e.Ref.Sub(h.hint)))
}

// unfinished is the last line on a job that the end of the run overtook.
func (h *history) unfinished(end clock.Time) []byte {
	return fmt.Appendf(appendColumn(nil, end), "  the run ends, the job unfinished\n")
}

// appendColumn appends an instant in seconds with all nine decimals, right-aligned.
func appendColumn(buf []byte, t clock.Time) []byte {
	return fmt.Appendf(buf, "%5d.%09d", t/clock.Time(time.Second), t%clock.Time(time.Second))
}

// story says what an event means for its job.
func story(e *engine.Event) string {
	since := func(what string) string { return what + " " + lastingExactly(e.At.Sub(e.Ref)) }
	switch e.Kind {
	case engine.Arrived:
		return "arrives and is pending"
	case engine.Scheduled:
		return "arrives; its first run waits " + lastingExactly(e.Ref.Sub(e.At))
	case engine.Promoted:
		if e.At > e.Ref {
			return since("is promoted to pending, late by")
		}
		return "is promoted to pending"
	case engine.Began:
		if e.At > e.Ref {
			return fmt.Sprintf("attempt %d begins, %s", e.Attempt, since("after being pending for"))
		}
		return fmt.Sprintf("attempt %d begins", e.Attempt)
	case engine.Succeeded:
		return fmt.Sprintf("attempt %d succeeds, %s after the arrival", e.Attempt, lastingExactly(e.At.Sub(e.Ref)))
	case engine.Failed:
		return fmt.Sprintf("attempt %d fails: %s; waits %s", e.Attempt, e.Cause, lastingExactly(e.Ref.Sub(e.At)))
	case engine.Refused:
		return fmt.Sprintf("attempt %d makes no call", e.Attempt)
	case engine.Held:
		return heldStory(e)
	case engine.Faltered:
		return fmt.Sprintf("attempt %d goes on: %s; layer %d waits %s", e.Attempt, e.Cause, e.Layer, lastingExactly(e.Ref.Sub(e.At)))
	case engine.Duplicated, engine.Ignored, engine.Lost, engine.Redelivered:
		return lossStory(e)
	case engine.Told:
		return fmt.Sprintf("attempt %d is refused and told to come back in %s", e.Attempt, lastingExactly(e.Ref.Sub(e.At)))
	case engine.Called:
		return fmt.Sprintf("attempt %d calls again", e.Attempt)
	case engine.Released:
		return fmt.Sprintf("retry %d has its token and waits %s", e.Attempt-1, lastingExactly(e.Ref.Sub(e.At)))
	case engine.Replayed:
		return since("is replayed and pending, after being dead for")
	case engine.Dropped:
		return since("its letter is dropped, dead for")
	case engine.Died:
		if e.Cause == engine.NoCause {
			return fmt.Sprintf("dead: %s, %s after the arrival", e.Reason, lastingExactly(e.At.Sub(e.Ref)))
		}
		return fmt.Sprintf("attempt %d fails: %s; dead: %s, %s after the arrival", e.Attempt, e.Cause, e.Reason, lastingExactly(e.At.Sub(e.Ref)))
	}
	panic(fmt.Sprintf("herdsim: an event of kind %d has no story", e.Kind))
}

// lossStory says what became of a job's lease, or of a copy of it.
func lossStory(e *engine.Event) string {
	switch {
	case e.Kind == engine.Duplicated && e.At > e.Ref:
		return fmt.Sprintf("attempt %d is called once more, after being pending for %s", e.Attempt, lastingExactly(e.At.Sub(e.Ref)))
	case e.Kind == engine.Duplicated:
		return fmt.Sprintf("attempt %d is called once more", e.Attempt)
	case e.Kind == engine.Ignored && e.Cause == engine.NoCause:
		return fmt.Sprintf("a further call of attempt %d ends and changes nothing", e.Attempt)
	case e.Kind == engine.Ignored:
		return fmt.Sprintf("a further call of attempt %d fails: %s; it changes nothing", e.Attempt, e.Cause)
	case e.Kind == engine.Lost && e.Ref > 0:
		return fmt.Sprintf("the worker that has attempt %d crashes; the lease ends %s later", e.Attempt, lastingExactly(e.Ref.Sub(e.At)))
	case e.Kind == engine.Lost:
		return fmt.Sprintf("the worker that has attempt %d crashes, and the attempt with it", e.Attempt)
	case e.Ref > e.At:
		return fmt.Sprintf("the lease ends; a worker holds attempt %d once more, for %s", e.Attempt, lastingExactly(e.Ref.Sub(e.At)))
	}
	return fmt.Sprintf("the lease ends; attempt %d is pending once more", e.Attempt)
}

// heldStory says why a retry waits in line.
func heldStory(e *engine.Event) string {
	if e.Cause == engine.NoCause {
		return fmt.Sprintf("retry %d waits for a token", e.Attempt-1)
	}
	return fmt.Sprintf("attempt %d fails: %s; the retry waits for a token", e.Attempt, e.Cause)
}

// lastingExactly writes a span exactly, in the unit that reads best.
func lastingExactly(d time.Duration) string {
	if d < time.Second {
		return d.String()
	}
	return units.FormatDuration(d)
}
