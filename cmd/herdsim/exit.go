package main

import (
	"context"
	"errors"
	"fmt"

	"herdsim/sim/experiment"
	"herdsim/sim/metrics"
)

// Exit codes, ordered so that the worst of several is the highest.
const (
	exitDone        = 0
	exitCheck       = 1 // a check failed
	exitUsage       = 2 // wrong command line, or a scenario that cannot be read or is wrong
	exitFailed      = 3 // output failed, a limit was hit, or an internal error
	exitInterrupted = 130
)

// An exitMeaning is what help says of an exit code.
type exitMeaning struct {
	code int
	text string
}

func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{exitDone, "done"},
		{exitCheck, "a check failed"},
		{exitUsage, "wrong command line or scenario"},
		{exitFailed, "output failed, a limit was hit, or an internal error"},
		{exitInterrupted, "interrupted"},
	}
}

// A userError is a mistake in the command line or in what it names: exit code 2.
type userError struct{ message string }

func (e userError) Error() string { return e.message }

func userErrorf(format string, args ...any) error { return userError{fmt.Sprintf(format, args...)} }

// A stdoutError says that standard output could not be written.
type stdoutError struct{ err error }

func (e stdoutError) Error() string {
	return "cannot write the result to standard output: " + reason(e.err)
}
func (e stdoutError) Unwrap() error { return e.err }

// noteMark begins a line of an error's text that says more than the first.
const noteMark = "\n  = "

// errCheck says that a check failed, which the result shows.
var errCheck = errors.New("a check failed")

// errTold is a user's mistake that was shown already.
var errTold = errors.New("told")

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errCheck):
		return exitCheck
	case errors.Is(err, errTold), errors.As(err, new(userError)), errors.As(err, new(*experiment.MemoryError)), errors.As(err, new(*metrics.BinError)):
		return exitUsage
	}
	return exitFailed
}
