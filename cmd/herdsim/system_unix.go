//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// reportBrokenPipes makes a write to a closed pipe an error; left alone, the signal would end the process.
func reportBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// lock takes the folder for this process until the file is closed. Another herdsim holds it for an instant only, so after
// a second it is someone else's lock, or a file system without locks, and none of our business.
func lock(folder *os.File) {
	for range 100 {
		if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
