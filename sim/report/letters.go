package report

import (
	"bytes"
	"encoding/csv"
	"math/big"
	"strconv"
	"time"

	"herdsim/sim/result"
)

// LettersCSV returns the letters of dead jobs as one table, a row for each: the case's settings, the policy and the
// replication, as in CSV, then the letter; dropped_s is empty where the letter was kept, payload_bytes where no size was said.
func LettersCSV(all []result.Letters) ([]byte, error) {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	_ = out.Write([]string{ // kept by the writer, reported by Error
		"case", "policy", "replication", "job", "cohort", "cause", "reason", "attempts", "arrived_s", "died_s", "dropped_s", "payload_bytes",
	})
	for _, run := range all {
		head := []string{inert(settings(run.Set)), inert(run.Policy), strconv.Itoa(run.Replication)}
		for _, l := range run.Letters {
			dropped := ""
			if !l.Kept {
				dropped = exactSeconds(l.Dropped)
			}
			payload := ""
			if l.Payload > 0 {
				payload = strconv.FormatUint(l.Payload, 10)
			}
			_ = out.Write(append(head[:3:3], strconv.FormatUint(uint64(l.Job), 10), inert(l.Cohort), l.Cause, l.Reason,
				strconv.FormatUint(uint64(l.Attempts), 10), exactSeconds(l.Arrived), exactSeconds(l.Died), dropped, payload))
		}
	}
	out.Flush()
	return b.Bytes(), out.Error()
}

func exactSeconds(d time.Duration) string {
	return result.Exact(big.NewRat(int64(d), int64(time.Second))).String()
}
