package experiment

import (
	"context"
	"slices"
	"testing"
	"time"

	"herdsim/sim/result"
)

// The letters are those of the jobs dead at the end, whatever the number of cores, and asking for them changes no number.
func TestLetters(t *testing.T) {
	const text = `
version: 1
replications: 2
cohorts: {herd: {count: 3}, late: {count: 1, at: 9s}}
dependency: {outages: {main: {for: 6s}, again: {at: 9s, for: 1s}}}
policies: {once: {max_attempts: 1}, twice: {delay: {fixed: 8s}, max_attempts: 2}}
dead_letter: {max: 2, replay: {at: 5s, batch: 1}}
`
	died := func(job, attempts uint32, cohort string, arrived, at time.Duration) result.Letter {
		return result.Letter{
			Job: job, Attempts: attempts, Cohort: cohort, Cause: "outage", Reason: "exhausted",
			Arrived: arrived * time.Second, Died: at * time.Second, Kept: true,
		}
	}
	dropped := func(l result.Letter, at time.Duration) result.Letter {
		l.Kept, l.Dropped = false, at*time.Second
		return l
	}
	// Job 2 takes the place of job 0 at once. Job 1 comes back and dies again; then job 3 takes the place of job 2.
	want := []result.Letter{
		dropped(died(0, 1, "herd", 0, 0), 0), dropped(died(2, 1, "herd", 0, 0), 9), died(1, 2, "herd", 0, 5), died(3, 1, "late", 9, 9),
	}
	f := parse(t, text)
	plain, err := Run(context.Background(), f, Options{Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	for cores := range 3 {
		var all []result.Letters
		r, err := Run(context.Background(), f, Options{Cores: cores, Letters: func(l result.Letters) { all = append(all, l) }})
		if err != nil || r.Digest != plain.Digest {
			t.Fatalf("%v, digest %s, want %s", err, r.Digest, plain.Digest)
		}
		if len(all) != 4 || all[0].Policy != "once" || all[1].Replication != 1 || all[2].Policy != "twice" {
			t.Fatalf("letters of %d runs: %+v", len(all), all)
		}
		for _, l := range all[:2] {
			if !slices.Equal(l.Letters, want) {
				t.Errorf("replication %d: %+v, want %+v", l.Replication, l.Letters, want)
			}
		}
	}
}
