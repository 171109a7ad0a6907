package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A document is a file to be written: path below folder, which may not exist yet.
type document struct {
	folder, path string
	data         []byte
}

func (d document) String() string { return filepath.Join(d.folder, d.path) }

// A delivery is a set of documents on its way: every one is written in full beside its target before the first is put in
// place, so that a failure leaves the folders as they were.
type delivery struct {
	roots  map[string]*os.Root
	made   []string // folders that did not exist, the outermost first
	staged []staged
}

type staged struct {
	root     *os.Root
	from, to string
}

// deliver writes all documents, or none. Nothing is written outside their folders, not through a link either, and only
// regular files are replaced.
func deliver(ctx context.Context, docs []document) error {
	d := delivery{roots: map[string]*os.Root{}}
	err := d.stage(ctx, docs)
	if err == nil {
		err = d.place()
	}
	if err != nil {
		d.undo()
	}
	for _, r := range d.roots {
		r.Close()
	}
	return err
}

func (d *delivery) stage(ctx context.Context, docs []document) error {
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.stageOne(doc); err != nil {
			return fmt.Errorf("cannot write %s: %s", shown(doc.String()), reason(err))
		}
	}
	return ctx.Err()
}

func (d *delivery) stageOne(doc document) error {
	root, err := d.open(doc.folder)
	if err != nil {
		return err
	}
	folder, name := filepath.Split(doc.path)
	if err := d.makeBelow(root, filepath.Clean(folder)); err != nil {
		return err
	}
	if d.holds(root, doc.path) {
		return errors.New("it would be written twice")
	}
	if err := mustBeRegular(root.Lstat(doc.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := filepath.Join(folder, "."+name+"."+rand.Text()+".tmp")
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	d.staged = append(d.staged, staged{root, temp, doc.path})
	_, err = f.Write(doc.data)
	return errors.Join(err, f.Sync(), f.Close())
}

func (d *delivery) holds(root *os.Root, path string) bool {
	return slices.ContainsFunc(d.staged, func(s staged) bool { return s.root == root && s.to == path })
}

// open returns the root of a folder, which is made when it is missing.
func (d *delivery) open(folder string) (*os.Root, error) {
	if root := d.roots[folder]; root != nil {
		return root, nil
	}
	for _, at := range missing(folder) {
		switch err := os.Mkdir(at, 0o777); {
		case err == nil:
			d.made = append(d.made, at)
		case !errors.Is(err, fs.ErrExist): // another run may have made it meanwhile
			return nil, err
		}
	}
	root, err := os.OpenRoot(folder)
	if err == nil {
		d.roots[folder] = root
	}
	return root, err
}

// missing returns the folders of a path that do not exist, the outermost first.
func missing(folder string) []string {
	at := filepath.Clean(folder)
	_, err := os.Stat(at)
	if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
		return nil
	}
	return append(missing(filepath.Dir(at)), at)
}

// makeBelow makes the one level of folder that a document's path may have.
func (d *delivery) makeBelow(root *os.Root, folder string) error {
	err := root.Mkdir(folder, 0o777)
	switch {
	case err == nil:
		d.made = append(d.made, filepath.Join(root.Name(), folder))
	case errors.Is(err, fs.ErrExist): // a file in its place is found by what follows
		err = nil
	}
	return err
}

// place renames every staged file. The folders are held meanwhile, so that of two runs at once one wins in all files.
func (d *delivery) place() error {
	for _, name := range slices.Sorted(maps.Keys(d.roots)) { // one order for all, lest two runs wait for each other
		if folder, err := d.roots[name].Open("."); err == nil {
			defer folder.Close()
			lock(folder)
		}
	}
	for _, s := range d.staged {
		if err := s.root.Rename(s.from, s.to); err != nil {
			return fmt.Errorf("cannot write %s: %s", shown(filepath.Join(s.root.Name(), s.to)), reason(err))
		}
	}
	return nil
}

// undo removes what was staged, and the folders that were made for it, as far as they are empty.
func (d *delivery) undo() {
	for _, s := range d.staged {
		_ = s.root.Remove(s.from)
	}
	for i := len(d.made) - 1; i >= 0; i-- {
		_ = os.Remove(d.made[i])
	}
}

// mayWrite finds out before a long run whether a folder can exist: what there is of its path must be a folder.
func mayWrite(folder string) error {
	at := filepath.Clean(folder)
	if gone := missing(at); gone != nil {
		at = filepath.Dir(gone[0])
	}
	info, err := os.Stat(at)
	if err != nil {
		return fmt.Errorf("cannot write into %s: %s", shown(folder), reason(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("cannot write into %s: %s is %s, not a folder", shown(folder), shown(at), nature(info.Mode()))
	}
	return nil
}

// slug makes a name safe for every file system: lower case letters, digits, dots, dashes and underscores, at most 64.
func slug(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, name)
	s = strings.Trim(s, "-.")
	if len(s) > 64 {
		s = s[:64]
	}
	if s == "" {
		return "scenario"
	}
	return s
}
