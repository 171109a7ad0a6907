package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The Go that docs/adding-a-policy.md shows is in the file that is named before it.
func TestCodeShown(t *testing.T) {
	root := moduleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "adding-a-policy.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("`([^`\n]+\\.go)`:\n\n```go\n((?s:.*?))```\n").FindAllStringSubmatch(string(page), -1)
	if len(shown) != strings.Count(string(page), "```go") || len(shown) < 3 {
		t.Errorf("%d pieces of code follow the name of a file and a colon", len(shown))
	}
	for _, m := range shown {
		code, err := os.ReadFile(filepath.Join(root, m[1]))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(code), m[2]) {
			t.Errorf("%s does not hold:\n%s", m[1], m[2])
		}
	}
}
