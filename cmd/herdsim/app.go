package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// A stream is where text goes, and what is known of the terminal behind it.
type stream struct {
	io.Writer
	terminal bool
	width    int // in columns; 0 when there is no terminal
}

// An app is one invocation of the command with all that it may touch of the outside world beside files.
type app struct {
	stdin  io.Reader
	stdout stream
	stderr stream
	env    func(string) string
	now    func() time.Time

	concise bool // errors are told on one line
}

// start runs the command with the streams and signals of the process and returns the exit code. The first interrupt asks
// for an orderly end, the second ends the process.
func start(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	reportBrokenPipes()
	a := &app{stdin: os.Stdin, stdout: attach(os.Stdout), stderr: attach(os.Stderr), env: os.Getenv, now: time.Now}
	code := a.run(ctx, args)
	if err := os.Stdout.Close(); err != nil && code == exitDone {
		return a.tell(stdoutError{err})
	}
	return code
}

func attach(f *os.File) stream {
	fd := int(f.Fd())
	s := stream{Writer: f, terminal: term.IsTerminal(fd)}
	if s.terminal {
		if width, _, err := term.GetSize(fd); err == nil {
			s.width = width
		}
	}
	return s
}

// run carries out one command line and returns the exit code. A panic is our mistake: it is shown with its stack.
func (a *app) run(ctx context.Context, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = exitFailed
			fmt.Fprintf(a.stderr, "error: internal error: %v\n  = this is a fault of herdsim: please report it, with the scenario and the lines below\n\n%s",
				p, debug.Stack())
		}
	}()
	return a.dispatch(ctx, args)
}

// print writes a part of the result.
func (a *app) print(data []byte) error {
	if _, err := a.stdout.Write(data); err != nil {
		return stdoutError{err}
	}
	return nil
}

// tell shows an error, or several that are joined, and returns the worst exit code. No error is exitDone.
func (a *app) tell(err error) int {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		code := exitDone
		for _, e := range several.Unwrap() {
			code = max(code, a.tell(e))
		}
		return code
	}
	code := exitCode(err)
	switch {
	case err == nil, errors.Is(err, errTold), errors.Is(err, errCheck):
	case code == exitInterrupted:
		fmt.Fprintln(a.stderr, "interrupted")
	case errors.As(err, new(stdoutError)) && errors.Is(err, syscall.EPIPE): // who reads it has seen enough
	case a.concise:
		fmt.Fprintf(a.stderr, "error: %s\n", strings.ReplaceAll(err.Error(), noteMark, "; "))
	default:
		fmt.Fprintf(a.stderr, "error: %s\n", strings.ReplaceAll(err.Error(), noteMark, "\n   = ")) // as diagnostics have it
	}
	return code
}
