package engine_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"herdsim/sim/engine"
	"herdsim/sim/scenario"
)

var update = flag.Bool("update", false, "rewrite what the engine answers in testdata")

// collector keeps every event.
type collector struct{ events []engine.Event }

func (c *collector) Observe(batch []engine.Event) error {
	for ev := range engine.Unfold(batch) {
		c.events = append(c.events, *ev)
	}
	return nil
}

// TestConversations reads the files of testdata: a remark, a scenario.yaml with the files it names, and for each of its
// policies what the engine tells of a run, as a section named `then POLICY`.
func TestConversations(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			was, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := string(txtar.Format(answered(t, txtar.Parse(was))))
			switch {
			case got == string(was):
			case *update:
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("got\n%s\nwant\n%s", got, was)
			}
		})
	}
}

// answered returns the conversation with the engine's part as it is now.
func answered(t *testing.T, asked *txtar.Archive) *txtar.Archive {
	t.Helper()
	all := &txtar.Archive{Comment: asked.Comment}
	for _, f := range asked.Files {
		if !strings.HasPrefix(f.Name, "then ") {
			all.Files = append(all.Files, f)
		}
	}
	file, problems := scenario.Parse("scenario.yaml", fileNamed(all, "scenario.yaml"), scenario.Overrides{
		Beside: func(name string) ([]byte, error) {
			if data := fileNamed(all, name); data != nil {
				return data, nil
			}
			return nil, errors.New("no such section")
		},
	})
	if file == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	s := &file.Cases[0].Scenario
	for i := range s.Policies {
		var told collector
		if _, err := engine.Run(s.Config(&s.Policies[i], 0), &told); err != nil {
			t.Fatal(err)
		}
		all.Files = append(all.Files, txtar.File{Name: "then " + s.Policies[i].Name, Data: []byte(engine.History(told.events))})
	}
	return all
}

func fileNamed(a *txtar.Archive, name string) []byte {
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return a.Files[i].Data
}
