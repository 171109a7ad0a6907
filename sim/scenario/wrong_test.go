package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herdsim/sim/diag"
)

var update = flag.Bool("update", false, "rewrite the goldens and the reference page")

// TestWrong reads every file of testdata/wrong and compares what is said about it with the golden beside it.
func TestWrong(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.yaml")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file, list := Parse(filepath.Base(name), data, Overrides{})
			if file != nil || !list.HasErrors() {
				t.Error("the scenario was accepted")
			}
			golden(t, strings.TrimSuffix(name, ".yaml")+".golden", rendered(t, list))
		})
	}
}

func rendered(t *testing.T, list diag.List) string {
	t.Helper()
	var b strings.Builder
	if err := list.Render(&b, diag.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares text with a file, or writes it there with -update.
func golden(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
}
