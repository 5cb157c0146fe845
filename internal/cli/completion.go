package cli

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/pflag"
)

// completionName is the first argument of commands that prints a shell's completion functions.
const completionName = "completion"

// shells are the shells that there are completion functions for.
var shells = []string{"bash", "zsh", "fish"}

//go:embed completion/*.tmpl
var completionFiles embed.FS

var completions = template.Must(template.New("").Funcs(template.FuncMap{
	"join":  strings.Join,
	"quote": quote,
	"zsh":   zshText,
}).ParseFS(completionFiles, "completion/*.tmpl"))

// command is what completion knows of a command or subcommand.
type command struct {
	name string
	// about is what the command does, in a few words.
	about string
	flags *pflag.FlagSet
	// words are the possible arguments; if there are none, arguments are packages.
	words []string
	// subs are the subcommands.
	subs []command
}

// Function is the name of the shell function that completes the command.
func (c command) Function() string { return "_" + strings.ReplaceAll(c.name, "-", "_") }

func (c command) Name() string { return c.name }

func (c command) About() string { return c.about }

func (c command) Words() []string { return c.words }

func (c command) Subcommands() []command { return c.subs }

// Flags returns the flags that --help shows.
func (c command) Flags() []completedFlag {
	var list []completedFlag
	if c.flags == nil {
		return nil
	}
	c.flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		usage, _, _ = strings.Cut(usage, "; ")
		usage, _, _ = strings.Cut(usage, " (default")
		completed := completedFlag{Name: f.Name, Shorthand: f.Shorthand, About: usage, Values: f.Annotations[valuesAnnotation]}
		switch {
		case f.NoOptDefVal != "":
		case completed.Values != nil:
			completed.Takes = "values"
		case kind == "directory":
			completed.Takes = "directory"
		case kind == "file" || kind == "files":
			completed.Takes = "file"
		default:
			completed.Takes = "text"
		}
		list = append(list, completed)
	})
	return list
}

// completedFlag is a flag as completion needs it.
type completedFlag struct {
	Name, Shorthand, About string
	// Takes is what the value is: values, directory, file, text, or nothing for a flag without one.
	Takes  string
	Values []string
}

// valuesAnnotation is the annotation of flags with the values that they accept.
const valuesAnnotation = "listwatch_values"

// values notes the values that a flag accepts.
func values(set *pflag.FlagSet, flag string, accepted []string) {
	_ = set.SetAnnotation(flag, valuesAnnotation, accepted) // fails only for flags that do not exist
}

// printCompletion prints the completion functions of a command for the shell in args.
func printCompletion(c command, args []string, stdout, stderr io.Writer) int {
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		fmt.Fprintf(stdout, completionHelp, c.name)
		return exitDone
	}
	if len(args) != 1 || !slices.Contains(shells, args[0]) {
		err := fmt.Errorf("%s completion: want one of %v as the only argument", c.name, shells)
		if len(args) == 0 {
			err = errors.New("completion: name a shell, one of " + strings.Join(shells, ", "))
		}
		return format("").print(result{tool: c.name, failure: err, code: exitUsage}, stdout, stderr)
	}
	c.subs = append(c.subs, command{name: completionName, about: "print completion functions for a shell", words: shells})
	if err := completions.ExecuteTemplate(stdout, args[0]+".tmpl", c); err != nil {
		return format("").print(result{tool: c.name, failure: err, code: exitInput}, stdout, stderr)
	}
	return exitDone
}

// completionHelp is the manual of the subcommand completion.
const completionHelp = `Prints functions that complete %[1]s's flags and packages on the command line of a shell.

	%[1]s completion bash|zsh|fish

To load them in each new shell:

	bash: echo 'source <(%[1]s completion bash)' >>~/.bashrc
	zsh:  echo 'source <(%[1]s completion zsh)' >>~/.zshrc    after compinit
	fish: %[1]s completion fish >~/.config/fish/completions/%[1]s.fish
`

// quote quotes a text for shells.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// zshText escapes a description for zsh's _arguments.
func zshText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`, "`", "\\`", `$`, `\$`).Replace(text)
}
