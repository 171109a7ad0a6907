package scenario

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tokens takes a scenario apart where YAML does.
var tokens = regexp.MustCompile(`[A-Za-z0-9_.%/-]+|\s+|.`)

// tokensOf takes the files apart.
func tokensOf(t *testing.T, patterns ...string) [][]string {
	t.Helper()
	var texts [][]string
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, tokens.FindAllString(string(data), -1))
		}
	}
	return texts
}

// TestSpliced reads scenarios in which words have been swapped for words of other scenarios: most stay YAML, and reach deeper
// than bytes changed at random do.
func TestSpliced(t *testing.T) {
	texts := tokensOf(t, "testdata/right/*.yaml", "../../scenarios/*.yaml")
	words := slices.Concat(slices.Concat(texts...), slices.Concat(tokensOf(t, "testdata/wrong/*.yaml")...))
	draw := rand.New(rand.NewPCG(7, 7))
	accepted := 0
	for range spliced {
		text := append([]string(nil), texts[draw.IntN(len(texts))]...)
		for range min(len(text), 1+draw.IntN(4)) {
			text[draw.IntN(len(text))] = words[draw.IntN(len(words))]
		}
		joined := strings.Join(text, "")
		file, list := Parse("spliced.yaml", []byte(joined), Overrides{})
		said := rendered(t, list)
		switch {
		case file != nil:
			accepted++
			checkLimits(t, file)
		case !list.HasErrors():
			t.Fatalf("refused without a word:\n%s", joined)
		case strings.Contains(said, "-->") && !strings.Contains(said, "--> spliced.yaml:"):
			t.Fatalf("no place:\n%s\n%s", said, joined)
		}
	}
	if accepted < spliced/20 {
		t.Errorf("only %d of %d texts were accepted: they say little", accepted, spliced)
	}
}

// spliced is how many texts are tried.
const spliced = 2000
