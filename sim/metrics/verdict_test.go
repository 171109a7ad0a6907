package metrics

import "testing"

// Ten bins and their last, which is the tenth that the verdict looks at.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name       string
		before, at mark // at the end of the ninth and of the last bin
		want       Verdict
	}{
		{"drained", mark{succeeded: 90, backlog: 10}, mark{succeeded: 100}, Recovered},
		{"drained, the last by dying", mark{succeeded: 90, backlog: 10}, mark{succeeded: 90, dead: 10}, Recovered},
		{"drained, all dead", mark{backlog: 10}, mark{dead: 10}, Stuck},
		{"all poison", mark{backlog: 10}, mark{dead: 10, lost: 10}, Recovered},
		{"as much succeeds as arrives", mark{succeeded: 900, backlog: 5}, mark{succeeded: 1000, backlog: 6}, Recovered},
		{"a little less, by chance", mark{succeeded: 900, backlog: 5}, mark{succeeded: 985, backlog: 20}, Recovered},
		{"half of what arrives", mark{succeeded: 900, backlog: 5}, mark{succeeded: 950, backlog: 55}, Stuck},
		{"half of what arrives, the others dead", mark{succeeded: 900, dead: 5}, mark{succeeded: 950, dead: 55}, Stuck},
		{"half of what arrives, the others poison", mark{succeeded: 900, backlog: 9}, mark{succeeded: 950, dead: 50, lost: 50, backlog: 9}, Recovered},
		{"nothing any more", mark{succeeded: 900, backlog: 5}, mark{succeeded: 900, backlog: 5}, Stuck},
		{"nothing yet", mark{backlog: 5}, mark{backlog: 5}, Stuck},
		{"more than arrives", mark{succeeded: 900, backlog: 1000}, mark{succeeded: 1100, backlog: 900}, Recovering},
		{"as much as arrives, behind a pile", mark{succeeded: 900, backlog: 1000}, mark{succeeded: 1000, backlog: 1000}, Stuck},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bins{width: 1, marks: []mark{8: c.before, 9: c.at}}
			if got := b.verdict(); got != c.want {
				t.Errorf("verdict %v, want %v", got, c.want)
			}
		})
	}
	if got := (&bins{}).verdict(); got != Recovered {
		t.Errorf("a run in which nothing happened is %v, want recovered", got)
	}
}
