package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// integrations are the files that put the command into other tools.
var integrations = []string{"action.yml", ".pre-commit-hooks.yaml", ".goreleaser.yaml", ".ci/action", ".ci/run", "Dockerfile", "docs/ci.md", "docs/editors.md"}

func readFromRoot(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every call of the command in them names a command and flags that exist.
func TestIntegrationsCallWhatExists(t *testing.T) {
	call := regexp.MustCompile(`(?:\./cmd/herdsim|\bherdsim) ([a-z]+)\b([^\n` + "`" + `#&;>|]*)`)
	flag := regexp.MustCompile(`(?:^|\s)(--?[a-z][a-z-]*)`)
	verbs := 0
	for _, name := range integrations {
		text := strings.ReplaceAll(readFromRoot(t, name), "\\\n", " ")
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			c, err := commandNamed(m[1])
			if err != nil && !strings.Contains(m[2], "-") {
				continue // prose
			}
			if err != nil {
				t.Errorf("%s: %s: %v", name, m[0], err)
				continue
			}
			verbs++
			flags, _ := c.prepare(new(app))
			for _, f := range flag.FindAllStringSubmatch(m[2], -1) {
				long := flags.Lookup(strings.TrimLeft(f[1], "-"))
				short := len(f[1]) == 2 && flags.ShorthandLookup(f[1][1:]) != nil
				if long == nil && !short {
					t.Errorf("%s: %s has no flag %s", name, c.name, f[1])
				}
			}
		}
	}
	if verbs < 10 {
		t.Errorf("only %d calls were found", verbs)
	}
}

// What is YAML in them is YAML, and says what the tools need.
func TestIntegrationsAreRead(t *testing.T) {
	var action struct {
		Name, Description string
		Inputs            map[string]struct{ Description, Default string }
		Runs              struct {
			Using string
			Steps []struct {
				Name, Uses, Shell, Run string
				Env                    map[string]string
			}
		}
	}
	decode(t, readFromRoot(t, "action.yml"), &action)
	if action.Runs.Using != "composite" || len(action.Runs.Steps) != 4 {
		t.Errorf("action.yml: %+v", action.Runs)
	}
	input := regexp.MustCompile(`inputs\.([a-z]+)`)
	for _, m := range input.FindAllStringSubmatch(readFromRoot(t, "action.yml"), -1) {
		if _, ok := action.Inputs[m[1]]; !ok {
			t.Errorf("action.yml: there is no input %s", m[1])
		}
	}
	for _, s := range action.Runs.Steps {
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell != "bash" || s.Uses != "" && !strings.Contains(s.Uses, "@v") {
			t.Errorf("action.yml: step %+v", s)
		}
		for name := range s.Env {
			if !strings.Contains(readFromRoot(t, ".ci/action"), "${"+name+":-") {
				t.Errorf(".ci/action does not read %s", name)
			}
		}
	}
	var hooks []struct{ ID, Name, Entry, Language string }
	decode(t, readFromRoot(t, ".pre-commit-hooks.yaml"), &hooks)
	for _, h := range hooks {
		if h.ID == "" || h.Name == "" || h.Language != "golang" || !strings.HasPrefix(h.Entry, "herdsim ") {
			t.Errorf("hook %+v", h)
		}
		if !strings.Contains(readFromRoot(t, "docs/ci.md"), h.ID) {
			t.Errorf("docs/ci.md says nothing of %s", h.ID)
		}
	}
	var release struct {
		Version int
		Builds  []struct {
			Main    string
			Ldflags []string
		}
	}
	decode(t, readFromRoot(t, ".goreleaser.yaml"), &release)
	if release.Version != 2 || len(release.Builds) != 1 || release.Builds[0].Main != "./cmd/herdsim" || !strings.Contains(release.Builds[0].Ldflags[0], "main.release=v") {
		t.Errorf("release %+v", release)
	}
	blocks := 0
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readFromRoot(t, "docs/ci.md"), -1) {
		var any map[string]any
		decode(t, m[1], &any)
		blocks++
	}
	if blocks != 3 {
		t.Errorf("docs/ci.md has %d blocks of YAML", blocks)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// The image is built in two stages, the second of which holds the program alone.
func TestDockerfile(t *testing.T) {
	var words []string
	for line := range strings.Lines(readFromRoot(t, "Dockerfile")) {
		if word, _, _ := strings.Cut(line, " "); word == strings.ToUpper(word) && strings.TrimSpace(word) != "" && word != "#" {
			words = append(words, word)
		}
	}
	want := []string{"FROM", "WORKDIR", "COPY", "RUN", "COPY", "ARG", "RUN", "FROM", "COPY", "WORKDIR", "USER", "ENTRYPOINT"}
	if text := readFromRoot(t, "Dockerfile"); !slices.Equal(words, want) || !strings.Contains(text, "\nFROM scratch\n") || !strings.Contains(text, "CGO_ENABLED=0") {
		t.Errorf("Dockerfile: %s", words)
	}
}
