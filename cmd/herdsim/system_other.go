//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import "os"

// reportBrokenPipes has nothing to do where a closed pipe raises no signal.
func reportBrokenPipes() {}

// lock does nothing where folders cannot be locked.
func lock(*os.File) {}
