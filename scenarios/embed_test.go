package scenarios

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is shipped is every scenario of this folder, byte for byte.
func TestShippedScenariosAreTheFilesHere(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	names := Names()
	if len(names) != len(files) || !slices.IsSorted(names) {
		t.Errorf("%d files, and the names %v", len(files), names)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(file, ".yaml")
		if got, ok := Read(name); !ok || !bytes.Equal(got, want) || !slices.Contains(names, name) {
			t.Errorf("%s is not shipped as it is", file)
		}
	}
	for _, name := range []string{"", "nope", "outage-herd.yaml", "../scenarios/mm1", "."} {
		if _, ok := Read(name); ok {
			t.Errorf("%q is shipped", name)
		}
	}
}
