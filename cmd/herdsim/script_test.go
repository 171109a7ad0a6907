//go:build unix

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"herdsim": main})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Setup:               func(e *testscript.Env) error { e.Setenv("ROOT", root); return nil },
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":      code,
			"interrupt": interrupt,
			"listen":    listen,
			"listing":   listing,
		},
	})
}

// condition answers what a script may ask of the machine: root, whether permissions do not bind us; meek, whether we can be
// made to obey them; mounts, whether a disk can be mounted for a command alone.
func condition(name string) (bool, error) {
	root := os.Geteuid() == 0
	switch name {
	case "root":
		return root, nil
	case "meek":
		return !root || exec.Command("setpriv", "--bounding-set=-dac_override,-dac_read_search", "true").Run() == nil, nil
	case "mounts":
		return root && exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// code N COMMAND…: the command exits with N.
func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// interrupt COMMAND…: the command, interrupted once it has written to standard error, prints nothing and exits with 130.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath(filepath.Join(strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0], args[0]))
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	var stdout strings.Builder
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	_, err = stderr.Read(make([]byte, 1))
	ts.Check(err)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	timer := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	rest, err := io.ReadAll(stderr)
	ts.Check(err)
	_ = cmd.Wait() // its code says it
	ts.Logf("[stderr]\n%s", rest)
	if got := cmd.ProcessState.ExitCode(); got != exitInterrupted {
		ts.Fatalf("exit code %d, want %d", got, exitInterrupted)
	}
	if stdout.Len() > 0 {
		ts.Fatalf("printed %q", stdout.String())
	}
}

// listen PATH: makes a socket.
func listen(ts *testscript.TestScript, _ bool, args []string) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	ts.Check(err)
	ts.Defer(func() { _ = syscall.Close(fd) })
	dir, err := os.MkdirTemp("", "s") // a socket's path must be short
	ts.Check(err)
	defer os.RemoveAll(dir)
	short := filepath.Join(dir, "s")
	ts.Check(syscall.Bind(fd, &syscall.SockaddrUnix{Name: short}))
	ts.Check(os.Rename(short, ts.MkAbs(args[0])))
}

// listing FOLDER NAME…: the folder holds exactly these names, hidden ones included.
func listing(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %s, want %s", args[0], got, want)
	}
}
