package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fake returns an app whose streams are in memory.
func fake(stdin string) (a *app, stdout, stderr *strings.Builder) {
	stdout, stderr = new(strings.Builder), new(strings.Builder)
	a = &app{
		stdin: strings.NewReader(stdin), stdout: stream{Writer: stdout}, stderr: stream{Writer: stderr},
		env: func(string) string { return "" }, now: func() time.Time { return time.Unix(0, 0) },
	}
	return a, stdout, stderr
}

func TestPanicIsShownAndReported(t *testing.T) {
	a, stdout, stderr := fake("policies")
	a.env = func(string) string { panic("boom") } // asked for before the errors of the scenario are shown
	if code := a.run(context.Background(), []string{"validate", standard}); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	for _, want := range []string{"error: internal error: boom", "please report it", "app_test.go"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
	if stdout.Len() > 0 {
		t.Errorf("printed %q", stdout)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestBrokenStdout(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, "error: cannot write the result to standard output: no space left on device\n"},
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, ""},
	} {
		a, _, stderr := fake("")
		a.stdout.Writer = brokenWriter{c.err}
		if code := a.run(context.Background(), []string{"version"}); code != exitFailed {
			t.Errorf("%v: exit code %d, want %d", c.err, code, exitFailed)
		}
		if stderr.String() != c.want {
			t.Errorf("%v: said %q, want %q", c.err, stderr, c.want)
		}
	}
}

func TestInterruptedWhileReading(t *testing.T) {
	a, stdout, stderr := fake("")
	silent, hold := io.Pipe()
	defer hold.Close()
	a.stdin = silent
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code := a.run(ctx, []string{"validate", standard}); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if stdout.Len() > 0 || stderr.String() != "interrupted\n" {
		t.Errorf("printed %q and %q", stdout, stderr)
	}
}

func TestColored(t *testing.T) {
	for _, c := range []struct {
		mode     string
		env      string // NAME=value
		terminal bool
		want     bool
	}{
		{"auto", "", true, true},
		{"auto", "", false, false},
		{"auto", "NO_COLOR=1", true, false},
		{"auto", "CLICOLOR_FORCE=1", false, true},
		{"auto", "CLICOLOR_FORCE=0", false, false},
		{"auto", "TERM=dumb", true, false},
		{"always", "NO_COLOR=1", false, true},
		{"never", "CLICOLOR_FORCE=1", true, false},
	} {
		a, _, _ := fake("")
		name, value, _ := strings.Cut(c.env, "=")
		a.env = func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
		if got := a.colored(&voice{color: c.mode}, stream{terminal: c.terminal}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	a, _, _ := fake("")
	a.env = func(string) string { return "1" }
	if a.colored(&voice{color: "auto"}, stream{terminal: true}) {
		t.Error("CLICOLOR_FORCE wins over NO_COLOR")
	}
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitDone},
		{errTold, exitUsage},
		{userErrorf("x"), exitUsage},
		{errors.New("x"), exitFailed},
		{stdoutError{io.ErrShortWrite}, exitFailed},
		{context.Canceled, exitInterrupted},
		{errors.Join(userErrorf("x"), context.Canceled, errors.New("y")), exitInterrupted},
		{errors.Join(userErrorf("x"), errors.New("y")), exitFailed},
	} {
		a, _, _ := fake("")
		if got := a.tell(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}
