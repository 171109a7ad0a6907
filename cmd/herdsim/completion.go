package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"herdsim/sim/units"
)

// shells are those that completion knows.
var shells = [...]string{"bash", "zsh", "fish"}

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", summary: "print a script that completes commands and flags in a shell",
		details: `bash: source <(herdsim completion bash), in ~/.bashrc to keep it.
zsh:  herdsim completion zsh > a file _herdsim in a folder of $fpath.
fish: herdsim completion fish > ~/.config/fish/completions/herdsim.fish`,
		offers: shells[:],
		bind:   func(a *app, _ *pflag.FlagSet) action { return a.completion },
	}
}

func (a *app) completion(_ context.Context, args []string) int {
	if len(args) != 1 {
		return a.tell(userErrorf("completion takes the name of one shell: %s", strings.Join(shells[:], ", ")))
	}
	var script []byte
	switch args[0] {
	case "bash":
		script = bashCompletion(entries())
	case "zsh":
		script = zshCompletion(entries())
	case "fish":
		script = fishCompletion(entries())
	default:
		return a.tell(userErrorf("no completion for %s%s\n  = there are: %s", units.Quote(args[0]), didYouMean(args[0], shells[:]), strings.Join(shells[:], ", ")))
	}
	return a.tell(a.print(script))
}

// valuesOf is the annotation of a flag that holds the values it may have.
const valuesOf = "values"

// offer names the values that completion offers for a flag.
func offer(flags *pflag.FlagSet, name string, values []string) {
	if err := flags.SetAnnotation(name, valuesOf, values); err != nil {
		panic("herdsim: " + err.Error())
	}
}

// An entry is a command as completion sees it.
type entry struct {
	command
	flags []flagEntry
}

type flagEntry struct {
	name, short string // without dashes; short may be empty
	value       string // what a value is called; empty for a switch
	values      []string
	usage       string // one line, without the default
}

// entries reads the same tables that help does.
func entries() []entry {
	var all []entry
	for _, c := range commands() {
		flags, _ := c.prepare(new(app))
		switch {
		case c.name == "help":
			c.offers = commandNames()
		case c.takesScenarios():
			c.offers = shippedNames()
		}
		e := entry{command: c}
		flags.VisitAll(func(f *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(f)
			if f.NoOptDefVal != "" {
				value = ""
			}
			usage, _, _ = strings.Cut(usage, " (default")
			e.flags = append(e.flags, flagEntry{f.Name, f.Shorthand, value, f.Annotations[valuesOf], usage})
		})
		e.flags = append(e.flags, flagEntry{name: "help", short: "h", usage: "explain the command"})
		all = append(all, e)
	}
	return all
}

// names lists the spellings of the flags.
func (e *entry) names() []string {
	var names []string
	for _, f := range e.flags {
		names = append(names, "--"+f.name)
		if f.short != "" {
			names = append(names, "-"+f.short)
		}
	}
	return names
}

// bashCompletion is a function that looks at the command and the word before the cursor. Bash takes @ for the end of a
// word, so that the names of shipped scenarios come without it when it is typed already.
func bashCompletion(all []entry) []byte {
	var b bytes.Buffer
	b.WriteString("# bash completion of herdsim, made by herdsim completion bash\n_herdsim() {\n" +
		"  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= files=1\n" +
		"  if [ \"$COMP_CWORD\" -eq 1 ]; then\n")
	fmt.Fprintf(&b, "    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $prev\" in\n", strings.Join(commandNames(), " "))
	for _, e := range all {
		var plain []string
		for _, f := range e.flags {
			if len(f.values) > 0 {
				fmt.Fprintf(&b, "  '%s --%s') words='%s' files= ;;\n", e.name, f.name, strings.Join(f.values, " "))
			} else if f.value != "" {
				plain = append(plain, "'"+e.name+" --"+f.name+"'")
			}
		}
		if len(plain) > 0 {
			fmt.Fprintf(&b, "  %s) ;;\n", strings.Join(plain, "|"))
		}
	}
	fmt.Fprintf(&b, "  *\" @\") words='%s' files= ;;\n", strings.ReplaceAll(strings.Join(shippedNames(), " "), shippedSign, ""))
	b.WriteString("  *)\n    case \"${COMP_WORDS[1]}\" in\n")
	for i := range all {
		e := &all[i]
		fmt.Fprintf(&b, "    %s) words='%s' ;;\n", e.name, strings.Join(append(e.names(), e.offers...), " "))
	}
	b.WriteString("    esac ;;\n  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n" +
		"  if [ -n \"$files\" ]; then\n    COMPREPLY+=($(compgen -f -- \"$cur\"))\n    compopt -o filenames 2>/dev/null\n  fi\n}\n" +
		"complete -F _herdsim herdsim\n")
	return b.Bytes()
}

// zshQuoted makes a text safe between brackets inside single quotes.
func zshQuoted(text string) string {
	return strings.ReplaceAll(regexp.MustCompile(`[\[\]:\\]`).ReplaceAllString(text, `\$0`), "'", `'\''`)
}

func zshCompletion(all []entry) []byte {
	var b bytes.Buffer
	b.WriteString("#compdef herdsim\n# zsh completion of herdsim, made by herdsim completion zsh\n_herdsim() {\n  local -a commands\n  commands=(\n")
	for _, e := range all {
		fmt.Fprintf(&b, "    '%s:%s'\n", e.name, zshQuoted(e.summary))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n")
	for _, e := range all {
		fmt.Fprintf(&b, "  %s)\n    _arguments", e.name)
		for _, f := range e.flags {
			names := "'--" + f.name
			if f.short != "" {
				names = fmt.Sprintf("'(-%[1]s --%[2]s)'{-%[1]s,--%[2]s}'", f.short, f.name)
			}
			fmt.Fprintf(&b, " \\\n      %s[%s]%s'", names, zshQuoted(f.usage), zshValue(f))
		}
		fmt.Fprintf(&b, " \\\n      '*: :%s' ;;\n", zshArguments(e.command))
	}
	b.WriteString("  esac\n}\n_herdsim_scenarios() {\n  local -a shipped\n")
	fmt.Fprintf(&b, "  shipped=(%s)\n", strings.Join(shippedNames(), " "))
	b.WriteString("  compadd -a shipped\n  _files\n}\nif [ \"$funcstack[1]\" = _herdsim ]; then\n  _herdsim \"$@\"\nelse\n  compdef _herdsim herdsim\nfi\n")
	return b.Bytes()
}

func zshValue(f flagEntry) string {
	switch {
	case len(f.values) > 0:
		return ":" + f.value + ":(" + strings.Join(f.values, " ") + ")"
	case f.value != "":
		return ":" + zshQuoted(f.value) + ":_files"
	}
	return ""
}

func zshArguments(c command) string {
	switch {
	case c.takesScenarios():
		return "_herdsim_scenarios"
	case len(c.offers) > 0:
		return "(" + strings.Join(c.offers, " ") + ")"
	}
	return ""
}

func fishQuoted(text string) string {
	return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text)
}

func fishCompletion(all []entry) []byte {
	var b bytes.Buffer
	b.WriteString("# fish completion of herdsim, made by herdsim completion fish\n")
	for _, e := range all {
		fmt.Fprintf(&b, "complete -c herdsim -n __fish_use_subcommand -f -a %s -d '%s'\n", e.name, fishQuoted(e.summary))
	}
	for _, e := range all {
		when := "complete -c herdsim -n '__fish_seen_subcommand_from " + e.name + "'"
		for _, f := range e.flags {
			fmt.Fprintf(&b, "%s -l %s", when, f.name)
			if f.short != "" {
				b.WriteString(" -s " + f.short)
			}
			if len(f.values) > 0 {
				fmt.Fprintf(&b, " -x -a '%s'", strings.Join(f.values, " "))
			} else if f.value != "" {
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d '%s'\n", fishQuoted(f.usage))
		}
		switch {
		case e.takesScenarios():
			fmt.Fprintf(&b, "%s -a '%s'\n", when, strings.Join(e.offers, " "))
		case len(e.offers) > 0:
			fmt.Fprintf(&b, "%s -f -a '%s'\n", when, strings.Join(e.offers, " "))
		default:
			fmt.Fprintf(&b, "%s -f\n", when)
		}
	}
	return b.Bytes()
}
