package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every command and every flag is offered in every shell.
func TestCompletionIsComplete(t *testing.T) {
	for _, c := range []struct {
		shell         string
		script        []byte
		command, flag string // how they are spelled, % for the name
	}{
		{shell: "bash", script: bashCompletion(entries()), command: "    %) words='", flag: "--%"},
		{shell: "zsh", script: zshCompletion(entries()), command: "    '%:", flag: "--%"},
		{shell: "fish", script: fishCompletion(entries()), command: " -a % -d", flag: " -l % "},
	} {
		script := string(c.script)
		for _, cmd := range commands() {
			if want := strings.ReplaceAll(c.command, "%", cmd.name); !strings.Contains(script, want) {
				t.Errorf("%s: command %s is not offered", c.shell, cmd.name)
			}
			flags, _ := cmd.prepare(new(app))
			flags.VisitAll(func(f *pflag.Flag) {
				if want := strings.ReplaceAll(c.flag, "%", f.Name); !strings.Contains(script, want) {
					t.Errorf("%s: flag --%s of %s is not offered", c.shell, f.Name, cmd.name)
				}
			})
		}
		for _, name := range shippedNames() {
			if !strings.Contains(script, name) {
				t.Errorf("%s: %s is not offered", c.shell, name)
			}
		}
	}
}
