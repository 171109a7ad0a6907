//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"herdsim/sim/preset"
)

// anyLines stands, in what a document shows of an output, for any number of lines.
const anyLines = "…"

// tick is how long everything takes in the documents.
const tick = 300 * time.Millisecond

// moduleRoot returns the absolute path of the folder that the documents' paths start from.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// eachPage calls check for every document, with its path from the module's root and its text.
func eachPage(t *testing.T, root string, check func(t *testing.T, page, text string)) {
	t.Helper()
	pages := []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md"}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) < 5 {
		t.Fatalf("%d documents in docs: %v", len(docs), err)
	}
	for _, path := range docs {
		pages = append(pages, filepath.Join("docs", filepath.Base(path)))
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page))
			if err != nil {
				t.Fatal(err)
			}
			check(t, page, string(text))
		})
	}
}

// workFolder makes a fresh folder with the shipped scenarios in it and works there.
func workFolder(t *testing.T, root string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "scenarios"), os.DirFS(filepath.Join(root, "scenarios"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
}

// Every command that a document shows is run, in the order of the page and in one folder; what it prints on either stream
// must be what is shown. A block of YAML that begins with a comment such as `# queue.yaml` makes that file.
func TestShownCommands(t *testing.T) {
	root, commands := moduleRoot(t), 0
	eachPage(t, root, func(t *testing.T, page, text string) {
		workFolder(t, root)
		var sh shell
		var out, block []string
		fence := ""
		for _, line := range strings.Split(text, "\n") {
			switch {
			case fence == "" && strings.HasPrefix(line, "```"):
				fence, block = line, nil
				out = append(out, line)
			case fence != "" && line == "```":
				out = append(append(out, sh.block(t, fence, block)...), line)
				fence = ""
			case fence != "":
				block = append(block, line)
			default:
				out = append(out, line)
			}
		}
		if fence != "" {
			t.Errorf("a block that begins with %s is not closed", fence)
		}
		commands += sh.commands
		if now := strings.Join(out, "\n"); *update && now != text {
			if err := os.WriteFile(filepath.Join(root, page), []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	if commands < 10 {
		t.Errorf("only %d commands were found in the documents: they are not recognised any more", commands)
	}
}

// A shell runs the few kinds of commands that documents show.
type shell struct {
	commands int
	code     int // exit code of the last command
}

// block returns the lines of a block as they should be.
func (sh *shell) block(t *testing.T, fence string, lines []string) []string {
	t.Helper()
	if len(lines) > 0 && fence == "```yaml" {
		if name, ok := strings.CutPrefix(lines[0], "# "); ok && filepath.Ext(name) == ".yaml" {
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out []string
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		out = append(out, line)
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		n := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "$ ") })
		if n < 0 {
			n = len(lines)
		}
		shown := lines[:n]
		lines = lines[n:]
		printed := strings.Split(strings.TrimSuffix(sh.run(t, command), "\n"), "\n")
		if !agrees(shown, printed) {
			if !*update {
				t.Errorf("$ %s\nis shown to print\n%s\nbut prints\n%s\nIf that is meant, run the test with -update.",
					command, strings.Join(shown, "\n"), strings.Join(printed, "\n"))
			} else if shown, ok = refreshed(shown, printed); !ok {
				t.Errorf("$ %s\nprints something else: mend by hand what is shown", command)
			}
		}
		out = append(out, shown...)
	}
	return out
}

// run returns what a command prints on both streams, as a terminal shows it.
func (sh *shell) run(t *testing.T, command string) string {
	t.Helper()
	sh.commands++
	split := csv.NewReader(strings.NewReader(command)) // words, and quotes around those that hold spaces
	split.Comma = ' '
	words, err := split.Read()
	if err != nil {
		t.Fatalf("$ %s: %v", command, err)
	}
	switch {
	case command == "echo $?":
		return strconv.Itoa(sh.code)
	case words[0] == "head" && len(words) == 4 && words[1] == "-n":
		return head(t, words[2], words[3])
	case words[0] == "herdsim":
		return sh.herdsim(words[1:])
	case strings.HasPrefix(command, "go run ./cmd/herdsim "):
		return sh.herdsim(words[3:])
	}
	t.Fatalf("$ %s: this command is not known to the test", command)
	return ""
}

func (sh *shell) herdsim(args []string) string {
	var screen strings.Builder
	a, _, _ := fake("")
	a.stdout.Writer, a.stderr.Writer = &screen, &screen
	now := time.Unix(0, 0)
	a.now = func() time.Time {
		now = now.Add(tick)
		return now
	}
	sh.code = a.run(context.Background(), args)
	return screen.String()
}

func head(t *testing.T, count, path string) string {
	t.Helper()
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}

// segments cuts what is shown at the lines that stand for any lines.
func segments(shown []string) [][]string {
	all := [][]string{nil}
	for _, line := range shown {
		if line == anyLines {
			all = append(all, nil)
		} else {
			all[len(all)-1] = append(all[len(all)-1], line)
		}
	}
	return all
}

// agrees reports whether what is shown is what was printed.
func agrees(shown, printed []string) bool {
	now, ok := aligned(shown, printed, func(s string) string { return s })
	return ok && slices.Equal(now, shown)
}

// refreshed returns the lines of an output at the places that are shown. A piece between two gaps is looked for by its first
// line, digits left aside.
func refreshed(shown, printed []string) ([]string, bool) {
	digits := regexp.MustCompile(`[0-9.]+`)
	return aligned(shown, printed, func(s string) string { return digits.ReplaceAllString(s, "0") })
}

// aligned replaces each piece of what is shown by as many printed lines: the first from the start, the last from the end,
// the others from the first line that alike finds like theirs. Without a gap everything is shown.
func aligned(shown, printed []string, alike func(string) string) ([]string, bool) {
	pieces := segments(shown)
	if len(pieces) == 1 {
		return printed, true
	}
	var out []string
	rest := printed
	for i, piece := range pieces {
		at := 0
		switch {
		case i == len(pieces)-1:
			at = len(rest) - len(piece)
		case i > 0 && len(piece) > 0:
			at = slices.IndexFunc(rest, func(line string) bool { return alike(line) == alike(piece[0]) })
		}
		if at < 0 || at+len(piece) > len(rest) {
			return nil, false
		}
		if i > 0 {
			out = append(out, anyLines)
		}
		out = append(out, rest[at:at+len(piece)]...)
		rest = rest[at+len(piece):]
	}
	return out, true
}

func TestAgrees(t *testing.T) {
	printed := []string{"a 1", "b 2", "c 3", "b 4", "d 5"}
	for _, c := range []struct {
		shown, fresh string
		want         bool
	}{
		{"a 1|b 2|c 3|b 4|d 5", "a 1|b 2|c 3|b 4|d 5", true},
		{"a 1|b 2", "a 1|b 2|c 3|b 4|d 5", false},
		{"a 1|…|d 5", "a 1|…|d 5", true},
		{"…|d 5", "…|d 5", true},
		{"a 1|…", "a 1|…", true},
		{"a 1|…|c 3|b 4|…", "a 1|…|c 3|b 4|…", true},
		{"a 7|…|c 7|…|d 7", "a 1|…|c 3|…|d 5", false},
		{"a 1|…|x 3|…", "", false},
	} {
		shown := strings.Split(c.shown, "|")
		if got := agrees(shown, printed); got != c.want {
			t.Errorf("%s: agrees: %v", c.shown, got)
		}
		if fresh, _ := refreshed(shown, printed); strings.Join(fresh, "|") != c.fresh {
			t.Errorf("%s: refreshed to %s, want %s", c.shown, strings.Join(fresh, "|"), c.fresh)
		}
	}
}

// A document names only what exists: relative links with their headings, and paths in code.
func TestDocumentsNameWhatExists(t *testing.T) {
	root := moduleRoot(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	path := regexp.MustCompile("`((?:\\.ci|cmd|docs|plots|scenarios|sim)/[^`\\s]+)`")
	eachPage(t, root, func(t *testing.T, page, text string) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			data, err := os.ReadFile(filepath.Join(root, file))
			if info, e := os.Stat(filepath.Join(root, file)); e == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("link to %s: %v", m[1], err)
			} else if heading != "" && !slices.Contains(headings(string(data)), heading) {
				t.Errorf("link to %s: %s has no such heading", m[1], file)
			}
		}
		for _, m := range path.FindAllStringSubmatch(text, -1) {
			if found, err := filepath.Glob(filepath.Join(root, m[1])); err != nil || len(found) == 0 {
				t.Errorf("%s does not exist (%v)", m[1], err)
			}
		}
	})
}

// headings returns what follows # in links to the headings of a text.
func headings(text string) []string {
	var all []string
	for _, line := range strings.Split(text, "\n") {
		if title := strings.TrimLeft(line, "#"); title != line {
			all = append(all, strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(title)))
		}
	}
	return all
}

// What is shipped can be found: every scenario from the README, every page from the index of docs.
func TestEverythingIsListed(t *testing.T) {
	root := moduleRoot(t)
	for _, c := range []struct{ list, pattern string }{
		{"README.md", "scenarios/*.yaml"},
		{"docs/README.md", "docs/*.md"},
	} {
		text, err := os.ReadFile(filepath.Join(root, c.list))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(root, c.pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", c.pattern, len(files), err)
		}
		for _, file := range files {
			target, err := filepath.Rel(filepath.Dir(filepath.Join(root, c.list)), file)
			if err != nil {
				t.Fatal(err)
			}
			if target != "README.md" && !bytes.Contains(text, []byte("]("+target+")")) {
				t.Errorf("%s has no link to %s", c.list, target)
			}
		}
	}
}

// The pictures in docs are those that the command draws now.
func TestShownPictures(t *testing.T) {
	root := moduleRoot(t)
	workFolder(t, root)
	var sh shell
	for _, c := range []struct{ scenario, drawn, kept string }{
		{"outage-herd", "arrivals.png", "outage-herd.png"},
		{"outage-herd", "attempts.png", "outage-herd-attempts.png"},
		{"outage-herd", "dead.png", "outage-herd-dead.png"},
		{"rounds", "rounds.png", "rounds.png"},
	} {
		id, _, _ := strings.Cut(c.drawn, ".")
		if said := sh.run(t, "herdsim plot scenarios/"+c.scenario+".yaml --out "+c.scenario+" --picture "+id); sh.code != exitDone {
			t.Fatalf("exit code %d\n%s", sh.code, said)
		}
		data, err := os.ReadFile(filepath.Join(c.scenario, c.drawn))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, "docs", c.kept)
		if *update {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if far := difference(t, data, want); far > 0.001 {
			t.Errorf("docs/%s: %.2f %% of it differs from what the command draws: run the test with -update", c.kept, 100*far)
		}
	}
}

// difference returns the share of the channels of two pictures that differ by more than an edge drawn another way.
func difference(t *testing.T, got, want []byte) float64 {
	t.Helper()
	var pixels [2]*image.NRGBA
	for i, data := range [][]byte{got, want} {
		p, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		pixels[i] = image.NewNRGBA(p.Bounds())
		draw.Draw(pixels[i], p.Bounds(), p, p.Bounds().Min, draw.Src)
	}
	if pixels[0].Bounds() != pixels[1].Bounds() {
		return 1
	}
	far := 0
	for i, v := range pixels[0].Pix {
		if w := pixels[1].Pix[i]; max(v, w)-min(v, w) > 60 {
			far++
		}
	}
	return float64(far) / float64(len(pixels[0].Pix))
}

// The page on presets is made from what they say of themselves.
func TestPresetPage(t *testing.T) {
	path := filepath.Join(moduleRoot(t), "docs", "presets.md")
	want := presetPage(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("docs/presets.md is not what the presets say (%v): run the test with -update", err)
	}
}

func presetPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<!-- Made from sim/preset: change it there, then run "go test ./cmd/herdsim -update". -->
# Presets

A preset stands for a real job queue: its options, in its own names and units, become the waits, the budget and the
promotion that its code gives them. Without ` + "`options`" + ` it runs with the library's defaults. ` + "`queue: preset`" + ` takes the
library's way of promoting due retries too; without it the scenario's ` + "`queue`" + ` holds, and the report says so.

` + "```yaml" + `
policies:
  stock: {preset: bullmq, options: {attempts: 5, backoff: {type: exponential, delay: 1000}}, queue: preset}
` + "```" + `

Below, d is a wait, n the number of the failure, from 1, and U a uniform random number.
`)
	for _, name := range preset.Names() {
		p, ok := preset.Lookup(name)
		if !ok {
			t.Fatalf("no preset %s", name)
		}
		fmt.Fprintf(&b, "\n## %s\n\n`preset: %s`, modelled on %s: %s.\n\n", p.Title, p.Name, p.Title, p.Source)
		fmt.Fprintf(&b, "* Wait: %s.\n* Budget: %s.\n* Promotion: %s.\n", p.Formula, p.Budget, p.Queue)
		b.WriteString("\n| option | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n")
		for _, o := range p.Options {
			names, meaning := []string{"`" + o.Name + "`"}, o.Doc
			for _, alias := range o.Aliases {
				names = append(names, "`"+alias+"`")
			}
			if o.Later {
				meaning += ". *Not supported yet*"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", strings.Join(names, ", "),
				strings.ReplaceAll(o.Type, "|", "or"), o.Unit, o.Default, meaning)
		}
		b.WriteString("\nWhat the model leaves out or simplifies:\n\n")
		for _, d := range p.Differs {
			fmt.Fprintf(&b, "* %s\n", d)
		}
	}
	return b.String()
}
