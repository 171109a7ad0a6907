package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/pflag"
)

// release is set when a release is linked: -ldflags "-X main.release=v1.2.3".
var release string

func versionCommand() command {
	return command{
		name: "version", summary: "print version, commit, Go version and platform of this build",
		bind: func(a *app, _ *pflag.FlagSet) action { return a.version },
	}
}

func (a *app) version(_ context.Context, args []string) int {
	if len(args) > 0 {
		return a.tell(userErrorf("version takes no argument"))
	}
	line := fmt.Sprintf("herdsim %s%s %s %s/%s\n", version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return a.tell(a.print([]byte(line)))
}

// version is the linked release, else the version of the module if it was built as one, else "devel".
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// commit is the revision of the sources, in parentheses, when the build recorded it.
func commit() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	var revision, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed since"
		}
	}
	if revision == "" {
		return ""
	}
	return " (commit " + revision + changed + ")"
}
