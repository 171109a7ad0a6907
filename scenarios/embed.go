// Package scenarios holds the scenarios that are shipped, so that a program finds them from any folder.
package scenarios

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

const ending = ".yaml"

//go:embed *.yaml
var files embed.FS

// Names returns the names of all shipped scenarios, sorted: their files' names without the ending.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ending))
	}
	slices.Sort(names) // by name alone, which the order of the files is not
	return names
}

// Read returns the bytes of the scenario of that name; false when there is none.
func Read(name string) ([]byte, bool) {
	data, err := fs.ReadFile(files, name+ending)
	return data, err == nil
}
