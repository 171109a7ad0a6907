package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func mustHold(t *testing.T, path, text string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text {
		t.Errorf("%s holds %q, want %q", path, got, text)
	}
}

func namesIn(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestDeliverReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), "a longer old text")
	out := filepath.Join(dir, "new", "er")
	docs := []document{{dir, "a", []byte("new")}, {out, "b", []byte("b")}, {out, "sub/c", []byte("c")}}
	if err := deliver(context.Background(), docs); err != nil {
		t.Fatal(err)
	}
	mustHold(t, filepath.Join(dir, "a"), "new")
	mustHold(t, filepath.Join(out, "b"), "b")
	mustHold(t, filepath.Join(out, "sub", "c"), "c")
	if got := namesIn(t, out); got != "b sub" {
		t.Errorf("left behind: %s", got)
	}
}

// Each row is a delivery that must fail at its last document and leave everything as it was.
func TestDeliverFailsWithoutTrace(t *testing.T) {
	outside := t.TempDir()
	put(t, filepath.Join(outside, "theirs"), "theirs")
	for name, c := range map[string]struct {
		prepare func(dir string) error
		last    string
		want    string
	}{
		"folder in its place":   {func(dir string) error { return os.Mkdir(filepath.Join(dir, "x"), 0o777) }, "x", "is a folder"},
		"link in its place":     {func(dir string) error { return os.Symlink(filepath.Join(outside, "theirs"), filepath.Join(dir, "x")) }, "x", "is a symbolic link"},
		"link for its folder":   {func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "sub")) }, "sub/x", "path escapes from parent"},
		"file for its folder":   {func(dir string) error { return os.WriteFile(filepath.Join(dir, "sub"), nil, 0o666) }, "sub/x", "not a directory"},
		"path that leaves":      {func(string) error { return nil }, "../x", "path escapes from parent"},
		"name that is too long": {func(string) error { return nil }, strings.Repeat("x", 300), "file name too long"},
		"written twice":         {func(string) error { return nil }, "first", "written twice"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "first"), "old")
			before := namesIn(t, dir)
			docs := []document{{filepath.Join(dir, "made"), "m", []byte("m")}, {dir, "first", []byte("new")}, {dir, c.last, []byte("new")}}
			err := deliver(context.Background(), docs)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if code := exitCode(err); code != exitFailed {
				t.Errorf("exit code %d, want %d", code, exitFailed)
			}
			mustHold(t, filepath.Join(dir, "first"), "old")
			mustHold(t, filepath.Join(outside, "theirs"), "theirs")
			if got := namesIn(t, dir); got != before {
				t.Errorf("the folder holds %s, held %s", got, before)
			}
			if got := namesIn(t, outside); got != "theirs" {
				t.Errorf("the folder outside holds %s", got)
			}
		})
	}
}

func TestDeliverInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := deliver(ctx, []document{{filepath.Join(dir, "new"), "a", []byte("a")}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if got := namesIn(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

// Many deliveries into one folder at once: whichever comes last, all of its files are there and no other's.
func TestDeliveriesDoNotMix(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a", "b", "c", "d", "e", "f"}
	var all sync.WaitGroup
	for run := range 20 {
		all.Go(func() {
			var docs []document
			for _, n := range names {
				docs = append(docs, document{dir, n, bytes.Repeat([]byte{byte('A' + run)}, 1000)})
			}
			if err := deliver(context.Background(), docs); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	first, err := os.ReadFile(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		mustHold(t, filepath.Join(dir, n), string(first))
	}
	if got := namesIn(t, dir); got != "a b c d e f" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Outage-Herd_2.v1":       "outage-herd_2.v1",
		"../../etc/passwd":       "etc-passwd",
		"a b\x00c":               "a-b-c",
		"日本":                     "scenario",
		"":                       "scenario",
		"...":                    "scenario",
		strings.Repeat("x", 200): strings.Repeat("x", 64),
	} {
		if got := slug(name); got != want {
			t.Errorf("slug(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestOutputNames(t *testing.T) {
	paths := []string{"a/x.yaml", "b/X.yml", standard, "x-2.yaml", "x.yaml"}
	got := strings.Join(outputNames(paths, paths), " ")
	if want := "x x-2 stdin x-2-2 x-3"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
	if alone := outputNames(paths[:1], paths[:1]); alone[0] != "" {
		t.Errorf("a single file got the subfolder %q", alone[0])
	}
}
