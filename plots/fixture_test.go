package plots

import (
	"container/heap"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"

	"herdsim/sim/result"
)

// The fixture is a toy of the simulation: a herd that fails together, Poisson-like arrivals behind it, an outage of a minute, and a
// dependency that admits 50 calls in each second. Times are in milliseconds.
const (
	toyJobs    = 1000
	toyRate    = 10 // per second, for toyArrive
	toyArrive  = 240_000
	toyOutage  = 60_000
	toyCap     = 60_000
	toyAllowed = 50
	toyTries   = 10
)

type toyWait func(attempt int, draw *rand.Rand) int

func toyBase(attempt int) int { return min(1000<<min(attempt-1, 20), toyCap) }

func toyExponential(attempt int, _ *rand.Rand) int { return toyBase(attempt) }

func toyWobble(attempt int, draw *rand.Rand) int { return toyBase(attempt) + draw.IntN(1001) }

func toyEqual(attempt int, draw *rand.Rand) int {
	return toyBase(attempt)/2 + draw.IntN(toyBase(attempt)/2+1)
}

func toyFull(attempt int, draw *rand.Rand) int { return draw.IntN(toyBase(attempt) + 1) }

type toyCall struct{ at, job, attempt int }

type toyQueue []toyCall

func (q toyQueue) Len() int { return len(q) }
func (q toyQueue) Less(i, k int) bool {
	return q[i].at < q[k].at || q[i].at == q[k].at && q[i].job < q[k].job
}
func (q toyQueue) Swap(i, k int) { q[i], q[k] = q[k], q[i] }
func (q *toyQueue) Push(x any)   { *q = append(*q, x.(toyCall)) }
func (q *toyQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

type toyRun struct {
	retries, died   []int64                 // per second
	rounds          [toyTries + 1][]float64 // instants of each retry, in seconds
	used, dead      [toyTries + 1]int64
	calls, deaths   int64
	highest, rushed int64 // most retries in a second, and in one after the outage
}

func runToy(wait toyWait, seed uint64) toyRun {
	draw := rand.New(rand.NewPCG(seed, 7))
	var q toyQueue
	for job := range toyJobs {
		q = append(q, toyCall{0, job, 1})
	}
	for job := range toyRate * toyArrive / 1000 {
		q = append(q, toyCall{draw.IntN(toyArrive), toyJobs + job, 1})
	}
	heap.Init(&q)
	var run toyRun
	second, admitted := -1, 0
	for len(q) > 0 {
		c := heap.Pop(&q).(toyCall)
		run.call(c)
		if c.at/1000 != second {
			second, admitted = c.at/1000, 0
		}
		switch {
		case c.at >= toyOutage && admitted < toyAllowed:
			admitted++
			run.used[c.attempt]++
		case c.attempt == toyTries:
			run.used[c.attempt]++
			run.dead[c.attempt]++
			run.deaths++
			count(&run.died, c.at)
		default:
			heap.Push(&q, toyCall{c.at + wait(c.attempt, draw), c.job, c.attempt + 1})
		}
	}
	return run
}

func (r *toyRun) call(c toyCall) {
	r.calls++
	if c.attempt == 1 {
		return
	}
	r.rounds[c.attempt-1] = append(r.rounds[c.attempt-1], float64(c.at)/1000)
	count(&r.retries, c.at)
	r.highest = max(r.highest, r.retries[c.at/1000])
	if c.at >= toyOutage {
		r.rushed = max(r.rushed, r.retries[c.at/1000])
	}
}

// count counts something at an instant in its second.
func count(perSecond *[]int64, at int) {
	for len(*perSecond) <= at/1000 {
		*perSecond = append(*perSecond, 0)
	}
	(*perSecond)[at/1000]++
}

func number(text string) result.Number {
	var n result.Number
	if err := n.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return n
}

func metric(runs []toyRun, value func(toyRun) int64) result.Metric {
	var sum int64
	for _, r := range runs {
		sum += value(r)
	}
	m := result.Metric{Mean: result.Derived(big.NewRat(sum, int64(len(runs))))}
	least, most := value(runs[0]), value(runs[0])
	for _, r := range runs {
		least, most = min(least, value(r)), max(most, value(r))
	}
	m.Min, m.Max = result.Integer(least), result.Integer(most)
	return m
}

func quantile(runs []toyRun, share float64) []int64 {
	longest := 0
	for _, r := range runs {
		longest = max(longest, len(r.retries))
	}
	track := make([]int64, longest)
	for k := range track {
		var values []int64
		for _, r := range runs {
			if k < len(r.retries) {
				values = append(values, r.retries[k])
			} else {
				values = append(values, 0)
			}
		}
		slices.Sort(values)
		track[k] = values[int(share*float64(len(values)-1)+0.5)]
	}
	return track
}

func toyPolicy(name, label string, wait toyWait, replications int) result.Policy {
	var runs []toyRun
	for i := range replications {
		runs = append(runs, runToy(wait, uint64(i)))
	}
	p := result.Policy{
		Name: name, Label: label,
		Metrics: map[string]result.Metric{
			"retries.peak":            metric(runs, func(r toyRun) int64 { return r.highest }),
			"retries.peak(after=60s)": metric(runs, func(r toyRun) int64 { return r.rushed }),
			"jobs.dead":               metric(runs, func(r toyRun) int64 { return r.deaths }),
			"dead.total":              metric(runs, func(r toyRun) int64 { return r.deaths }),
			"calls.total":             metric(runs, func(r toyRun) int64 { return r.calls }),
		},
		Series: &result.Series{Bin: number("1"), Retries: result.Track{First: runs[0].retries}, Dead: result.Track{First: runs[0].died}},
	}
	if replications > 1 {
		p.Series.Retries.P5, p.Series.Retries.P95 = quantile(runs, 0.05), quantile(runs, 0.95)
	}
	for a := 1; a <= toyTries; a++ {
		p.Attempts = append(p.Attempts, result.AttemptRow{
			Attempt: a,
			Jobs:    metric(runs, func(r toyRun) int64 { return r.used[a] }).Mean,
			Dead:    metric(runs, func(r toyRun) int64 { return r.dead[a] }).Mean,
		})
	}
	for k := 1; k < toyTries && len(runs[0].rounds[k]) > 0; k++ {
		p.Retries = append(p.Retries, toyRound(k, runs[0].rounds[k]))
	}
	return p
}

func toyRound(retry int, at []float64) result.RoundRow {
	at = slices.Sorted(slices.Values(at))
	sum := 0.0
	for _, t := range at {
		sum += t
	}
	seconds := func(t float64) result.Number { return number(strconv.FormatFloat(t, 'g', 6, 64)) }
	return result.RoundRow{
		Retry: retry, Count: result.Integer(int64(len(at))), First: seconds(at[0]), Last: seconds(at[len(at)-1]),
		Mean: seconds(sum / float64(len(at))), P5: seconds(at[len(at)/20]), P95: seconds(at[len(at)*19/20]),
	}
}

// herds holds results by their number of replications, as JSON because every test may change the one that it gets.
var herds = map[int][]byte{}

// outageHerd is the result that most tests start from.
func outageHerd(replications int) *result.Result {
	if herds[replications] == nil {
		data, err := json.Marshal(newOutageHerd(replications))
		if err != nil {
			panic(err)
		}
		herds[replications] = data
	}
	var r result.Result
	if err := json.Unmarshal(herds[replications], &r); err != nil {
		panic(err)
	}
	return &r
}

func newOutageHerd(replications int) *result.Result {
	sixty, fifty := number("60"), number("50")
	return &result.Result{
		Format:       result.Format,
		Scenario:     result.Scenario{Name: "outage-herd", File: "outage-herd.yaml", SHA256: "9f2c41d7c0ffee00"},
		Seed:         42,
		Replications: replications,
		Cases: []result.Case{{
			Workload: "1000 jobs at 0s, then 10 jobs/s for 4m",
			World: result.World{
				Outages:  []result.Outage{{Name: "main", Start: number("0"), End: &sixty}},
				Capacity: &fifty,
			},
			Herd:   "retries.peak(after=60s)",
			Window: number("1"),
			Policies: []result.Policy{
				toyPolicy("exponential", "fixed exponential", toyExponential, replications),
				toyPolicy("wobble", "fixed wobble 0s–1s", toyWobble, replications),
				toyPolicy("equal", "equal jitter", toyEqual, replications),
				toyPolicy("full", "full jitter", toyFull, replications),
			},
		}},
	}
}
