package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"herdsim/sim/diag"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// Overrides are what the command line changes in a scenario, and what it lets it read.
type Overrides struct {
	Sets         []Setting // values at dotted paths, in order; a path of the matrix that is set is no axis any more
	Seed         *uint64
	Replications *int
	Policies     string   // a pattern of path.Match that chooses policies by name; "" for all
	Also         []string // further metric terms

	// Beside reads a file whose name a scenario gives: below the scenario's folder, with `/` between folders. Its error
	// says what is wrong with the file and does not repeat the name. Without it such files are refused.
	Beside func(name string) ([]byte, error)
}

// Parse reads a scenario: the bytes of a file and the path that names it in messages. It returns a File unless there is an
// error; the list holds every error and warning, in the order of their places. No input makes it panic, and the limits in
// this package bound what any input can cost.
func Parse(path string, data []byte, o Overrides) (*File, diag.List) {
	r := &reader{
		problems: new(problems), path: path, beside: o.Beside,
		walked: map[sight]*value{}, built: map[recipe]Policy{}, listings: map[string][]engine.Offset{},
	}
	file := r.file(path, data, o)
	r.list.Sort()
	if r.list.HasErrors() {
		return nil, r.list
	}
	return file, r.list
}

// A reader turns one text into a File.
type reader struct {
	*problems
	path     string
	beside   func(name string) ([]byte, error)
	listings map[string][]engine.Offset // files of instants, by name: read once for all cases
	listed   int                        // bytes of them
	set      []address                  // what the command line sets
	windows  int                        // outages of all cases
	walked   map[sight]*value           // named things that have been checked: cases share those that the matrix does not touch
	built    map[recipe]Policy
}

func (r *reader) file(path string, data []byte, o Overrides) *File {
	root := r.read(diag.NewSource(path, data[:min(len(data), maxBytes)]), 0, data)
	if root == nil {
		return nil
	}
	if root.kind != mapNode {
		r.fail(root, "a scenario is a map of fields, found "+root.kind.String(), "", "the smallest has version, cohorts and policies")
		return nil
	}
	root = r.override(root, o)
	sum := sha256.Sum256(data)
	f := &File{Name: nameOf(path), Path: path, SHA256: hex.EncodeToString(sum[:])}
	if r.cases(f, root, o); r.errors == 0 { // what is wrong may be of any size
		f.Settings = settingsOf(root)
	}
	return f
}

// nameOf returns the file's name without its ending, and without the sign before the name of a shipped scenario.
func nameOf(path string) string {
	base := strings.TrimPrefix(filepath.Base(path), "@")
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" && name != "-" && name != "." {
		return name
	}
	return "scenario"
}

// override puts what the command line sets into the document. What cannot be set is reported and left as it was, so that
// mistakes in the file are found too.
func (r *reader) override(root *node, o Overrides) *node {
	for _, s := range o.Sets {
		root = r.put(root, "--set", s.Path, s.Path+"=", s.Value)
	}
	if o.Seed != nil {
		root = r.put(root, "--seed", "seed", "", strconv.FormatUint(*o.Seed, 10))
	}
	if o.Replications != nil {
		root = r.put(root, "--replications", "replications", "", strconv.Itoa(*o.Replications))
	}
	return root
}

// put replaces what is at a path by the value of a flag; before is what the flag's text holds in front of the value.
func (r *reader) put(root *node, flag, path, before, value string) *node {
	src := diag.NewSource(flag, []byte(before+value))
	at := &node{text: path, pos: diag.Pos{Source: src, Line: 1, Col: 1}, length: max(1, utf8.RuneCountInString(path))}
	r.set = append(r.set, newAddress(at))
	n := r.value(src, utf8.RuneCountInString(before), value, at)
	if n == nil {
		return root
	}
	changed, ok := editor{r.problems}.replace(root, newAddress(at), n)
	if !ok {
		return root
	}
	return changed
}

// value reads the value of --set; it returns nil when that is no YAML.
func (r *reader) value(src *diag.Source, shift int, data string, at *node) *node {
	if strings.TrimSpace(data) == "" {
		r.fail(at, units.Quote(at.text)+" is set to nothing", "write `--set "+at.text+"=VALUE`")
		return nil
	}
	return r.read(src, shift, []byte(data))
}

// cases reads every combination of the matrix.
func (r *reader) cases(f *File, root *node, o Overrides) {
	axes := r.axes(root, r.set)
	matrix := root
	if p := root.pair("matrix"); p != nil {
		matrix = p.key
	}
	space := newSpace(r.problems, root, axes)
	count, ok := r.combinations(axes, space.document(0).size()-root.get("matrix").size(), matrix)
	if !ok || r.overchecked(root, count) || r.overridden(root, count) {
		return
	}
	var paths []address
	for _, a := range axes {
		paths = append(paths, a.path)
	}
	for k := 0; k < count && r.errors < maxErrors; k++ {
		b := builder{walker: walker{r.problems, r.walked}, reader: r, axes: paths}
		c := Case{Scenario: b.scenario(b.walk(format, space.document(k), spot{}), o), Set: space.settings(axes)}
		if b.name != "" {
			f.Name = b.name
		}
		f.Description = b.description
		f.Cases = append(f.Cases, c)
	}
}
