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
	"time"

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
	// Bind binds the tool's flags and returns the function to run once they are parsed.
	Bind func(flags *Flags) RunFunc
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
	flags, run, err := t.parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help(t.Source, flags.set))
		return exitDone
	case err != nil:
		return usage(stderr, t.Name, err)
	case flags.version:
		fmt.Fprintln(stdout, version(t.Name))
		return exitDone
	}
	report, err := run(ctx, flags.set.Args())
	t.print(report, flags, stdout, stderr)
	switch {
	case errors.Is(err, generators.ErrUsage):
		return usage(stderr, t.Name, err)
	case err != nil:
		fail(stderr, t.Name, err)
		return exitInput
	}
	if flags.verbosity > 0 || t.Summary && flags.options.Mode == generators.Write {
		fmt.Fprintf(stderr, "%s: %s\n", t.Name, summary(report))
	}
	return exitDone
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

// parse binds the tool's flags, parses arguments, and returns the flags and the function to run.
func (t Tool) parse(args []string) (*Flags, RunFunc, error) {
	flags := newFlags(t.Name)
	run := t.Bind(flags)
	flags.seal()
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

// usage prints an error in the arguments of a command.
func usage(stderr io.Writer, name string, err error) int {
	fail(stderr, name, err)
	fmt.Fprintf(stderr, "see %s --help\n", name)
	return exitUsage
}

// fail prints an error: errors in the input unchanged, each with its position, and any other
// error after the command's name.
func fail(stderr io.Writer, name string, err error) {
	var faults generators.Errors
	if errors.As(err, &faults) {
		fmt.Fprintln(stderr, faults)
		return
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
}

// print prints the warnings, changes and timings of a run.
func (t Tool) print(report *generators.Report, flags *Flags, stdout, stderr io.Writer) {
	for _, w := range report.Warnings {
		fmt.Fprintln(stderr, w)
	}
	switch flags.options.Mode {
	case generators.DryRun:
		for _, c := range report.Changes {
			fmt.Fprintf(stdout, "%s %s\n", c.Op, shown(c.Path))
		}
	case generators.Verify:
		_, _ = stdout.Write(report.Diff)
		for _, c := range report.Changes {
			fmt.Fprintf(stderr, "%s: %s\n", fault[c.Op], shown(c.Path))
		}
	}
	if flags.timings {
		for _, timing := range report.Timings {
			fmt.Fprintf(stderr, "%8.1f ms  %s\n", float64(timing.Took)/float64(time.Millisecond), timing.Step)
		}
	}
}

// fault describes a file that must change.
var fault = map[generators.Op]string{
	generators.Create: "missing",
	generators.Update: "stale",
	generators.Remove: "superfluous",
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
