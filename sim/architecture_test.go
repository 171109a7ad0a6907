// Package sim holds no code: its rooms are the folders beside this test, which holds their order.
package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is who may import whom among our own packages. It runs downward: a package may import those of later rows.
// Tests may reach further, which is why only the packages themselves are read.
var mayImport = []struct {
	pkg     string
	imports string
}{
	{"cmd/herdsim", "scenarios plots sim/compare sim/report sim/advice sim/experiment sim/plan sim/scenario sim/preset sim/check sim/result sim/metrics sim/engine sim/policy sim/clock sim/units sim/diag"},
	{"scenarios", ""},
	{"plots", "sim/result"},
	{"sim/report", "sim/result"},
	{"sim/compare", "sim/result sim/metrics sim/units sim/diag"},
	{"sim/advice", "sim/experiment sim/plan sim/scenario sim/result sim/metrics sim/engine sim/policy sim/clock sim/units"},
	{"sim/experiment", "sim/scenario sim/check sim/result sim/metrics sim/engine sim/dependency sim/policy sim/clock"},
	{"sim/plan", "sim/engine sim/policy sim/rng"},
	{"sim/scenario", "sim/preset sim/check sim/metrics sim/engine sim/dependency sim/policy sim/rng sim/clock sim/units sim/diag"},
	{"sim/preset", "sim/engine sim/policy sim/rng sim/clock sim/units"},
	{"sim/check", "sim/result sim/metrics sim/clock sim/units sim/diag"},
	{"sim/result", ""},
	{"sim/metrics", "sim/engine sim/clock sim/units sim/diag"},
	{"sim/engine", "sim/dependency sim/schedule sim/policy sim/tokens sim/rng sim/clock"},
	{"sim/dependency", "sim/tokens sim/rng sim/clock"},
	{"sim/schedule", "sim/clock"},
	{"sim/policy", "sim/rng sim/clock"},
	{"sim/tokens", "sim/clock"},
	{"sim/rng", "sim/clock"},
	{"sim/units", "sim/clock"},
	{"sim/clock", ""},
	{"sim/diag", ""},
}

// theirs are the libraries that one room keeps to itself.
var theirs = map[string]string{
	"gopkg.in/yaml.v3":        "sim/scenario",
	"gonum.org/v1/plot":       "plots",
	"github.com/spf13":        "cmd/herdsim",
	"gonum.org/v1/gonum/stat": "sim/result",
	"gonum.org/v1/gonum/dsp":  "sim/plan",
	"github.com/schollz":      "cmd/herdsim",
	"golang.org/x/term":       "cmd/herdsim",
	"golang.org/x/image":      "plots",
	"github.com/rogpeppe/":    "-", // tests alone
	"github.com/santhosh-":    "-",
}

// sources calls visit for every Go file of the module, with its path from the module's root.
func sources(t *testing.T, visit func(path string, f *ast.File, set *token.FileSet)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		files++
		visit(filepath.ToSlash(rel), f, set)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files read: the walk is wrong", files)
	}
}

func TestImportsRunDownward(t *testing.T) {
	for i, row := range mayImport {
		for _, imported := range strings.Fields(row.imports) {
			if at := slices.IndexFunc(mayImport, func(r struct{ pkg, imports string }) bool { return r.pkg == imported }); at <= i {
				t.Errorf("the table lets %s import %s, which is not below it", row.pkg, imported)
			}
		}
	}
	sources(t, func(path string, f *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		row := slices.IndexFunc(mayImport, func(r struct{ pkg, imports string }) bool { return r.pkg == pkg })
		if row < 0 {
			t.Errorf("%s: package %s has no row in the table of imports", path, pkg)
			return
		}
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if ours, ok := strings.CutPrefix(name, "herdsim/"); ok && !slices.Contains(strings.Fields(mayImport[row].imports), ours) {
				t.Errorf("%s imports %s", path, name)
			}
			for library, room := range theirs {
				if strings.HasPrefix(name, library) && room != pkg {
					t.Errorf("%s imports %s, which belongs in %s", path, name, room)
				}
			}
		}
	})
}

// The longest a function and a file may be: what fits a screen or two, and what one reads in a sitting.
const (
	functionLines = 70
	fileLines     = 450
)

func TestRoomsAreSmall(t *testing.T) {
	sources(t, func(path string, f *ast.File, set *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		if lines := set.Position(f.End()).Line; lines > fileLines && !strings.HasSuffix(path, "_table.go") {
			t.Errorf("%s has %d lines", path, lines)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1; lines > functionLines {
					t.Errorf("%s: %s has %d lines", path, fn.Name.Name, lines)
				}
			}
		}
		switch f.Name.Name {
		case "util", "utils", "common", "helpers", "types":
			t.Errorf("%s: a package called %s says nothing", path, f.Name.Name)
		}
	})
}
