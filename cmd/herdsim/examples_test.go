package main

import (
	"context"
	"path/filepath"
	"testing"
)

// The examples of docs/scenario.md do what their checks say.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../sim/scenario/testdata/examples/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, name := range files {
		a, _, stderr := fake("")
		if code := a.run(context.Background(), []string{"check", name, "--fix", "off", "-q"}); code != exitDone {
			t.Errorf("%s: exit code %d\n%s", name, code, stderr)
		}
	}
}
