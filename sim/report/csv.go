package report

import (
	"bytes"
	"encoding/csv"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// A File is one file of a report.
type File struct {
	Name string
	Data []byte
}

// CSV returns metrics.csv, series.csv, retries.csv, attempts.csv, layers.csv, comparisons.csv and recovery.csv in long form:
// one observation a row, with the case's settings ("path=value; path=value", empty without a matrix) and the policy's name
// in the first columns. A table of what the result does not have is its header alone. Replications are numbered from 0, as
// in the key of the random draws; what has no value is an empty cell.
//
// Spreadsheets run a cell as a formula when it begins with =, +, -, @, a tab or a carriage return. A text that begins
// so is written with an apostrophe before it; numbers are left alone.
func CSV(r *result.Result) ([]File, error) {
	tables := []struct {
		name   string
		header []string
		rows   func(sheet)
	}{
		{"metrics.csv", []string{"metric", "replication", "value"}, sheet.metrics},
		{"series.csv", []string{"series", "start_s", "first", "p5", "p50", "p95"}, sheet.series},
		{"retries.csv", []string{"retry", "count", "first_s", "last_s", "mean_s", "sd_s", "p5_s", "p95_s", "peak_per_s"}, sheet.retries},
		{"attempts.csv", []string{"attempt", "jobs", "dead"}, sheet.attempts},
		{"layers.csv", []string{"layer", "tries", "calls"}, sheet.layers},
		{"comparisons.csv", []string{"baseline", "metric", "better", "diff", "ci95_low", "ci95_high", "p", "pairs"}, sheet.comparisons},
		{"recovery.csv", []string{"replication", "verdict"}, sheet.recovery},
	}
	files := make([]File, 0, len(tables))
	for _, t := range tables {
		var b bytes.Buffer
		out := csv.NewWriter(&b)
		_ = out.Write(append([]string{"case", "policy"}, t.header...)) // kept by the writer, reported by Error
		for i := range r.Cases {
			c := &r.Cases[i]
			for j := range c.Policies {
				p := &c.Policies[j]
				t.rows(sheet{p, c.Comparisons, r.Replications > 1, func(cells ...string) {
					_ = out.Write(append([]string{inert(settings(c.Set)), inert(p.Name)}, cells...))
				}})
			}
		}
		out.Flush()
		if err := out.Error(); err != nil {
			return nil, err
		}
		files = append(files, File{t.name, b.Bytes()})
	}
	return files, nil
}

// settings returns a case's settings on one line.
func settings(set result.Settings) string {
	parts := make([]string, len(set))
	for i, s := range set {
		parts[i] = s.Path + "=" + s.Value
	}
	return strings.Join(parts, "; ")
}

// inert keeps a spreadsheet from running the text.
func inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// A sheet writes the rows of one policy.
type sheet struct {
	*result.Policy
	compared []result.Comparison // of all policies of the case
	several  bool                // replications, so that there are quantiles
	write    func(cells ...string)
}

func (s sheet) metrics() {
	for _, key := range slices.Sorted(maps.Keys(s.Metrics)) {
		for i, v := range s.Metrics[key].Values {
			s.write(inert(key), strconv.Itoa(i), cellOf(v))
		}
	}
}

// cellOf is empty where there is no number.
func cellOf(n *result.Number) string {
	if n == nil {
		return ""
	}
	return n.String()
}

func (s sheet) series() {
	if s.Series == nil {
		return
	}
	for _, t := range s.Series.Tracks() {
		bins := max(len(t.First), len(t.P5), len(t.P50), len(t.P95))
		for b := range bins {
			cells := []string{t.Name, binStart(s.Series, b), count(t.First, b), "", "", ""}
			if s.several {
				cells[3], cells[4], cells[5] = count(t.P5, b), count(t.P50, b), count(t.P95, b)
			}
			s.write(cells...)
		}
	}
}

// count returns the value of a bin; trailing zeros are not stored.
func count(counts []int64, bin int) string {
	if bin >= len(counts) {
		return "0"
	}
	return strconv.FormatInt(counts[bin], 10)
}

// binStart returns the instant at which a bin begins, in seconds. Bins are whole nanoseconds.
func binStart(s *result.Series, bin int) string {
	ns := int64(math.Round(s.Bin.Float() * 1e9))
	start := new(big.Int).Mul(big.NewInt(ns), big.NewInt(int64(bin)))
	return result.Exact(new(big.Rat).SetFrac(start, big.NewInt(1e9))).String()
}

func (s sheet) retries() {
	for _, row := range s.Policy.Retries {
		cells := []string{strconv.Itoa(row.Retry)}
		for _, n := range []result.Number{row.Count, row.First, row.Last, row.Mean, row.SD, row.P5, row.P95, row.Peak} {
			cells = append(cells, n.String())
		}
		s.write(cells...)
	}
}

func (s sheet) attempts() {
	for _, row := range s.Policy.Attempts {
		s.write(strconv.Itoa(row.Attempt), row.Jobs.String(), row.Dead.String())
	}
}

func (s sheet) layers() {
	for i, row := range s.Policy.Layers {
		s.write(strconv.Itoa(i+1), strconv.Itoa(row.Tries), row.Calls.String())
	}
}

func (s sheet) comparisons() {
	for i := range s.compared {
		c := &s.compared[i]
		if c.Policy != s.Name {
			continue
		}
		low, high := "", ""
		if c.CI95 != nil {
			low, high = c.CI95[0].String(), c.CI95[1].String()
		}
		s.write(inert(c.Baseline), inert(c.Metric), string(c.Better), c.Diff.String(), low, high, cellOf(c.P), strconv.Itoa(c.Pairs))
	}
}

func (s sheet) recovery() {
	if s.Recovery == nil {
		return
	}
	for i, verdict := range s.Recovery.Values {
		s.write(strconv.Itoa(i), verdict)
	}
}
