// Package cli implements what the commands share: flags, messages and exit codes.
//
// A generator's command is a [Tool]: a name, a manual, and a function that binds flags and returns the
// function to run. The manual is the package comment of the command's main.go, so "go doc"
// and --help print the same text.
//
// Exit codes are 0 for success, 1 for invalid input or stale output, 2 for invalid flags.
package cli

import (
	"context"
	"errors"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/generators"
)

// Exit codes.
const (
	exitDone  = 0
	exitInput = 1
	exitUsage = 2
)

// memoryLimit is the memory, in bytes, that a run uses before it collects garbage.
const memoryLimit = 512 << 20

// RunFunc runs a generator on the packages that match the patterns.
type RunFunc func(ctx context.Context, patterns []string) (*generators.Report, error)

// Tool is a command.
type Tool struct {
	Name string
	// Source is the text of the command's main.go; its package comment is the manual.
	Source string
	// Summary prints a summary line after a run that writes, even without -v.
	Summary bool
	// Subcommands are the subcommands that only this tool has.
	Subcommands []Subcommand
	// Bind binds the tool's flags and returns the function to run once they are parsed.
	Bind func(flags *Flags) RunFunc
}

// Subcommand is a command that is the first argument of another one.
type Subcommand struct {
	// Name is the argument, and About what the subcommand does, in a few words.
	Name, About string
	// Flags returns its flags.
	Flags func() *pflag.FlagSet
	// Main runs the subcommand with the arguments after its name, and returns the exit code.
	Main func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

// Main runs the tool with the arguments, which do not include the command's name, and
// returns the exit code.
func (t Tool) Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if os.Getenv("GOGC") == "" {
		// A run ends before it creates much garbage; only very large runs collect it.
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(memoryLimit)
	}
	// An interrupt ends the run between two steps, so nothing is left half done.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if len(args) > 0 {
		if args[0] == completionName {
			return printCompletion(t.command(), args[1:], stdout, stderr)
		}
		for _, sub := range t.Subcommands {
			if args[0] == sub.Name {
				return sub.Main(ctx, args[1:], stdout, stderr)
			}
		}
	}
	flags, run, err := t.parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help(t.Source, flags.set))
		return exitDone
	case err != nil:
		return requested(args).print(result{tool: t.Name, failure: err, code: exitUsage}, stdout, stderr)
	case flags.version:
		fmt.Fprintln(stdout, version(t.Name))
		return exitDone
	}
	if err = t.misplaced(flags.set.Args()); err != nil {
		return flags.format.print(result{tool: t.Name, failure: err, code: exitUsage}, stdout, stderr)
	}
	report, fixed, err := flags.execute(ctx, run, stderr)
	return flags.format.print(t.result(report, flags, err).corrected(fixed), stdout, stderr)
}

// execute runs the tool, corrects the source if the flags say so, and returns the report with what was corrected.
func (f *Flags) execute(ctx context.Context, run RunFunc, stderr io.Writer) (report *generators.Report, fixed []generators.Diagnostic, err error) {
	report = &generators.Report{}
	defer protect(stderr, &err)
	found, err := run(ctx, f.set.Args())
	report = found
	fixed, problem := f.correct(report, err)
	if len(fixed) > 0 {
		report, err = run(ctx, f.set.Args())
	}
	if problem != nil {
		err = problem
	}
	return report, fixed, err
}

// misplaced returns an error if an argument is a subcommand that is not the first one.
func (t Tool) misplaced(args []string) error {
	for _, sub := range t.Subcommands {
		if len(args) > 0 && args[0] == sub.Name {
			return fmt.Errorf("%w: %s is not the first argument; its flags follow it, as in %s %s --kind=Shoe", generators.ErrUsage, sub.Name, t.Name, sub.Name)
		}
	}
	return nil
}

// Run runs the tool with arguments in a directory and prints nothing. Other
// than [Tool.Main], it changes nothing in the process, and may be called concurrently.
func (t Tool) Run(ctx context.Context, dir string, args []string) (*generators.Report, error) {
	flags, run, err := t.parse(args)
	if err != nil || flags.version {
		return &generators.Report{}, err
	}
	flags.options.Dir = dir
	return run(ctx, flags.set.Args())
}

// command returns what completion knows of the tool.
func (t Tool) command() command {
	flags := newFlags(t.Name)
	t.Bind(flags)
	_ = flags.seal() // reported when arguments are parsed
	c := command{name: t.Name, flags: flags.set}
	for _, sub := range t.Subcommands {
		c.subs = append(c.subs, command{name: sub.Name, about: sub.About, flags: sub.Flags()})
	}
	return c
}

// parse binds the tool's flags, parses arguments, and returns the flags and the function to run.
func (t Tool) parse(args []string) (*Flags, RunFunc, error) {
	flags := newFlags(t.Name)
	run := t.Bind(flags)
	if err := flags.seal(); err != nil {
		return flags, nil, err
	}
	if err := flags.set.Parse(args); err != nil || flags.version {
		return flags, nil, err
	}
	options, err := flags.common()
	if err != nil {
		return flags, nil, err
	}
	*flags.options = options
	return flags, run, nil
}

// shown returns path relative to the current directory if it is below it, and otherwise
// path itself.
func shown(path string) string {
	wd, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if wd, err = filepath.EvalSymlinks(wd); err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// help returns the manual and the descriptions of the flags.
func help(source string, set *pflag.FlagSet) string {
	return manual(source) + "\nFlags:\n\n" + set.FlagUsagesWrapped(100)
}

// manual returns the package comment of a Go file as text.
func manual(source string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || file.Doc == nil {
		return ""
	}
	var p comment.Parser
	printer := comment.Printer{TextWidth: 100}
	return string(printer.Text(p.Parse(file.Doc.Text())))
}
