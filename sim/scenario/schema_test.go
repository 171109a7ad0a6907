package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"herdsim/sim/diag"
	"herdsim/sim/preset"
)

const schemaPath = "../../scenarios/herdsim-v1.schema.json"

// The schema that lies beside the shipped scenarios is what the table says.
func TestSchemaFile(t *testing.T) {
	if *update {
		golden(t, schemaPath, string(Schema()))
	}
	if data, err := os.ReadFile(schemaPath); err != nil || !bytes.Equal(data, Schema()) {
		t.Errorf("%s is not what the table of fields says (%v): run the test with -update", schemaPath, err)
	}
}

// compiled returns the schema as a validator has it, which holds it against the schema of draft 7 first.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("herdsim-v1.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("herdsim-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if s.DraftVersion != 7 {
		t.Fatalf("draft %d", s.DraftVersion)
	}
	return s
}

// instance is what a validator sees of a YAML text; an error when that is no text of YAML.
func instance(data []byte) (any, error) {
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

// A scenario that is right is valid.
func TestSchemaTakesWhatIsRight(t *testing.T) {
	s := compiled(t)
	shipped, _ := filepath.Glob("../../scenarios/*.yaml")
	right, _ := filepath.Glob("testdata/right/*.yaml")
	if len(shipped) < 20 || len(right) < 2 {
		t.Fatalf("%d shipped and %d right scenarios", len(shipped), len(right))
	}
	for _, name := range append(shipped, right...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := instance(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// onlyParser are the files of testdata/wrong that are valid: why a schema cannot know better.
var onlyParser = map[string]string{
	"cohorts":          "which fields of a cohort need each other, and how many jobs that makes",
	"losses-unlimited": "fields that need each other",
	"override-worker":  "fields that need each other",
	"metrics":          "terms and the names in them",
	"late-replay":      "what a path leads to",
	"matrix-million":   "how many combinations there are",
	"matrix-values":    "what a path leads to",
	"sweeps":           "fields that need each other",
	"sweep-workers":    "fields that need each other",
	"second-document":  "a validator takes each document by itself",
	"tags":             "a validator sees the value behind a tag",
}

// A scenario that is wrong is not valid, or else it is no YAML, or the mistake is of a kind that a schema cannot see.
func TestSchemaRefusesWhatIsWrong(t *testing.T) {
	s := compiled(t)
	files, err := filepath.Glob("testdata/wrong/*.yaml")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	refused := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := instance(data)
		base := strings.TrimSuffix(filepath.Base(name), ".yaml")
		switch _, known := onlyParser[base]; {
		case err != nil:
			continue
		case s.Validate(v) != nil:
			refused++
			if known {
				t.Errorf("%s is refused by now: leave it out of the list", name)
			}
		case !known:
			t.Errorf("%s is valid: if a schema cannot know better, say in onlyParser why", name)
		}
	}
	if refused < 20 {
		t.Errorf("only %d files are refused", refused)
	}
}

// probes are put in the place of every value of a scenario.
var probes = []string{
	"null", "[]", "{}", "x", "''", "'0'", "'5'", "-1", "0", "1", "1.5", "70", "true", "0s", "5s", "1h30m", "PT5S", "5 s", "0/s", "50/s", "2/100ms", "2%", "'2%'",
	"[1]", "[0s, 5s]", "[0.5, 1]", "[a, b]", "{unknown: 1}", "{a: {}}", "none", "full", "{add: [0s, 1s]}", "{fixed: 5s}", "{exponential: {mean: 5s}}", "{uniform: [0s, 5s]}",
}

// What the walker says of the form of a document the schema says too, wherever in the document a value is put, and under a key
// that is not known. Two things are the parser's alone: sizes behind a unit, and what --set or matrix would add.
func TestSchemaAgreesWithWalker(t *testing.T) {
	s := compiled(t)
	data, err := os.ReadFile("testdata/right/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var p problems
	root := p.read(diag.NewSource("everything.yaml", data), 0, data)
	if root == nil || len(p.list) > 0 {
		t.Fatal("everything.yaml is not read")
	}
	places, values := 0, 0
	eachPlace(root, nil, func(path []string, replaced func(*node) *node) {
		if slices.Contains(path, "options") || slices.Contains(path, "preset") || path[0] == "version" || path[0] == "matrix" || strings.HasPrefix(path[0], "x-") {
			return // judged by the builder, not by the walker
		}
		places++
		for i, probe := range probes {
			if i%3 != places%3 {
				continue // a third of the values is enough in one place
			}
			values++
			var p problems
			changed := replaced(p.read(diag.NewSource("probe", []byte(probe)), 0, []byte(probe)))
			w := walker{&p, map[sight]*value{}}
			w.walk(format, changed, spot{})
			v, err := instance([]byte(changed.String()))
			if err != nil {
				t.Fatalf("%s: %v", changed, err)
			}
			small := strings.Contains(probe, "%") && w.errors == 1 && strings.Contains(p.list[0].Message, " must be at ")
			if err := s.Validate(v); (err == nil) != (w.errors == 0) && !small {
				t.Errorf("%s: %s: the walker says %v, the schema %v", strings.Join(path, "."), probe, p.list, err)
			}
		}
	})
	if values < 3000 {
		t.Errorf("only %d values were put in places", values)
	}
}

// crowds are the maps in which one of the entries says enough about all.
var crowds = []string{"", "cohorts", "policies", "outages", "phases"}

// eachPlace calls visit with the path of every value of a tree and a function that returns the tree with another value there. The
// tree is thinned out: entries beside the path are left out of crowds, except for what a scenario cannot do without.
func eachPlace(n *node, path []string, visit func([]string, func(*node) *node)) {
	last := ""
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	for _, p := range n.pairs {
		at := append(slices.Clone(path), p.key.text)
		with := func(v *node) *node { return n.with(p.key, v) }
		if slices.Contains(crowds, last) {
			thin := &node{kind: mapNode}
			if last == "" {
				thin = smallest()
			}
			with = func(v *node) *node { return thin.with(p.key, v) }
		}
		visit(at, with)
		eachPlace(p.value, at, func(path []string, replaced func(*node) *node) {
			visit(path, func(v *node) *node { return with(replaced(v)) })
		})
	}
	if n.kind == mapNode {
		key := &node{text: "unknown-key"}
		visit(append(slices.Clone(path), key.text), func(v *node) *node { return n.with(key, v) })
	}
	for i, item := range n.items {
		at := append(slices.Clone(path), fmt.Sprint(i))
		with := func(v *node) *node {
			list := *n
			list.items = slices.Clone(n.items)
			list.items[i] = v
			return &list
		}
		visit(at, with)
		eachPlace(item, at, func(path []string, replaced func(*node) *node) {
			visit(path, func(v *node) *node { return with(replaced(v)) })
		})
	}
}

// smallest is what a scenario cannot do without.
func smallest() *node {
	text := []byte("{version: 1, cohorts: {a: {count: 1}}, policies: {a: {max_attempts: 1}}}")
	return new(problems).read(diag.NewSource("smallest", text), 0, text)
}

// The options of every preset are known to the schema, and no others.
func TestSchemaKnowsOptions(t *testing.T) {
	s := compiled(t)
	for _, name := range preset.Names() {
		p, _ := preset.Lookup(name)
		allowed := map[string]bool{"no_such_option": false}
		for _, o := range p.Options {
			allowed[o.Name] = !o.Later
		}
		for _, option := range slices.Sorted(maps.Keys(allowed)) {
			v, err := instance(fmt.Appendf(nil, "{version: 1, cohorts: {herd: {count: 1}}, policies: {a: {preset: %s, options: {%s: 1}}}}", name, option))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); (err == nil) != allowed[option] {
				t.Errorf("preset %s, option %s: %v", name, option, err)
			}
		}
	}
}
