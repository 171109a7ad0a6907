package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"herdsim/scenarios"
	"herdsim/sim/units"
)

// Most bytes that are read of one file.
const (
	maxScenario = 1 << 20
	maxBeside   = 1 << 26
	maxResult   = 1 << 28
)

// standard is the argument that stands for standard input or output.
const standard = "-"

// shippedSign begins the name of a scenario that is part of the program: @outage-herd. A file of such a name is ./@outage-herd.
const shippedSign = "@"

func isShipped(path string) bool { return strings.HasPrefix(path, shippedSign) }

// scenarioPaths replaces every folder among the arguments by the scenario files in it, in the order of their names. A
// folder that cannot be read, or has none, gives an error; the rest is returned nevertheless.
func scenarioPaths(args []string) ([]string, error) {
	var paths []string
	var errs []error
	var standards int
	for _, arg := range args {
		if arg == standard {
			if standards++; standards > 1 {
				continue
			}
		}
		if !isFolder(arg) {
			paths = append(paths, arg)
			continue
		}
		found, err := filesIn(arg)
		paths = append(paths, found...)
		errs = append(errs, err)
	}
	if standards > 1 {
		errs = append(errs, userErrorf("`-` is given %d times: standard input can be read once", standards))
	}
	return paths, errors.Join(errs...)
}

func filesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return nil, userErrorf("%s", pathReason(folder, err))
	}
	var paths []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	if paths == nil {
		return nil, userErrorf("%s: no scenario (*.yaml, *.yml) in this folder", shown(folder))
	}
	return paths, nil
}

// read returns the bytes of a file, of a shipped scenario or, for `-`, of standard input: at most limit of them, and at
// least one.
func (a *app) read(ctx context.Context, path string, limit int64) ([]byte, error) {
	if isShipped(path) {
		return readShipped(path)
	}
	data, err := a.readAtMost(ctx, path, limit+1)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, userErrorf("%s", pathReason(path, err))
	case int64(len(data)) > limit:
		return nil, tooLarge(path, limit)
	case len(data) == 0:
		return nil, userErrorf("%s: empty", shown(path))
	}
	return data, nil
}

// beside returns the reader of the files that the scenario at path may name: regular ones in its folder and below; no
// link leads out. The folder of standard input and of a shipped scenario is the working folder.
func beside(path string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			return nil, errors.New(reason(err))
		}
		defer root.Close()
		data, err := readBeside(root, filepath.FromSlash(name))
		switch {
		case err != nil:
			return nil, errors.New(reason(err))
		case len(data) > maxBeside:
			return nil, fmt.Errorf("larger than %d MiB, the most that is read", maxBeside>>20)
		}
		return data, nil
	}
}

func readBeside(root *os.Root, name string) ([]byte, error) {
	if err := mustBeRegular(root.Stat(name)); err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBeside+1))
}

func readShipped(path string) ([]byte, error) {
	name := strings.TrimPrefix(path, shippedSign)
	if data, ok := scenarios.Read(name); ok {
		return data, nil
	}
	hint := ""
	if _, err := os.Stat(path); err == nil {
		hint = "\n  = the file of that name is ./" + path
	}
	return nil, userErrorf("no shipped scenario is called %s%s\n  = there are: %s%s",
		units.Quote(name), didYouMean(path, shippedNames()), strings.Join(shippedNames(), ", "), hint)
}

// shippedNames lists the shipped scenarios as arguments name them.
func shippedNames() []string {
	var names []string
	for _, n := range scenarios.Names() {
		names = append(names, shippedSign+n)
	}
	return names
}

func tooLarge(path string, limit int64) error {
	return userErrorf("%s: larger than %d MiB, the most that is read", shown(path), limit>>20)
}

func (a *app) readAtMost(ctx context.Context, path string, limit int64) ([]byte, error) {
	if path == standard {
		return readStream(ctx, io.LimitReader(a.stdin, limit))
	}
	if err := mustBeRegular(os.Stat(path)); err != nil { // before it is opened: a pipe without a writer would block
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// readStream reads everything, or gives up when the context ends: a read from a terminal has no other way out.
func readStream(ctx context.Context, r io.Reader) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := io.ReadAll(r)
		done <- answer{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case got := <-done:
		return got.data, got.err
	}
}

func mustBeRegular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("is %s, not a regular file", nature(info.Mode()))
	}
	return err
}

func nature(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

// pathReason says which path failed and why, without the name of the system call.
func pathReason(path string, err error) string { return shown(path) + ": " + reason(err) }

func reason(err error) string {
	if e := new(fs.PathError); errors.As(err, &e) {
		err = e.Err
	} else if e := new(os.LinkError); errors.As(err, &e) {
		err = e.Err
	}
	return err.Error()
}

// shown is a path as messages name it: quoted when it would disturb a terminal.
func shown(path string) string {
	if path == standard {
		return "standard input"
	}
	if path == "" || !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}
