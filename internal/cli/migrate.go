package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/internal/migration"
)

// MigrateTool is the command listwatch-migrate.
type MigrateTool struct {
	// Source is the text of the command's main.go; its package comment is the manual.
	Source string
}

const migrateName = "listwatch-migrate"

// Main runs the command with the arguments, which do not include its name, and returns the
// exit code.
func (t MigrateTool) Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	set := pflag.NewFlagSet(migrateName, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	dryRun := set.Bool("dry-run", false, "write nothing; print the changes as a diff")
	check := set.Bool("check", false, "write nothing; type-check the packages and report what does not compile")
	showVersion := set.Bool("version", false, "print the version and exit")
	switch err := set.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help(t.Source, set))
		return exitDone
	case err != nil:
		return usage(stderr, migrateName, err)
	case *showVersion:
		fmt.Fprintln(stdout, version(migrateName))
		return exitDone
	}
	patterns := set.Args()
	if len(patterns) == 0 {
		return usage(stderr, migrateName, errors.New("no packages are given; pass patterns, such as ./... for those of a directory"))
	}
	var err error
	if *check {
		err = t.check(ctx, patterns, stderr)
	} else {
		err = t.run(ctx, patterns, *dryRun, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", migrateName, err)
		return exitInput
	}
	return exitDone
}

// errRemains reports that the migration is not complete.
var errRemains = errors.New("code remains that imports client-go or has to change by hand")

func (t MigrateTool) run(ctx context.Context, patterns []string, dryRun bool, stdout, stderr io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	plan, err := migration.NewPlan(ctx, dir, patterns, required())
	if err != nil {
		return err
	}
	done := "rewritten"
	if dryRun {
		done = "to rewrite"
		_, _ = stdout.Write(plan.Diff(shown)) // to the terminal: there is nobody left to tell
	} else if err := plan.Apply(); err != nil {
		return err
	}
	printFindings(stderr, plan.Findings)
	fmt.Fprintf(stderr, "%s: %s %s, %s\n", migrateName, files(len(plan.Changes)), done, findings(plan.Remaining()))
	if len(plan.Commands) > 0 {
		fmt.Fprintf(stderr, "then run:\n")
	}
	for _, command := range plan.Commands {
		line := command.Line
		if at := shown(command.Dir); at != "." {
			line = fmt.Sprintf("(cd %s && %s)", at, line)
		}
		fmt.Fprintf(stderr, "\t%s\n", line)
	}
	if plan.Remaining() > 0 {
		return errRemains
	}
	return nil
}

// check reports what does not compile.
func (t MigrateTool) check(ctx context.Context, patterns []string, stderr io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	found, err := migration.Check(ctx, dir, patterns)
	printFindings(stderr, found)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s\n", migrateName, findings(len(found)))
	if len(found) > 0 {
		return errRemains
	}
	return nil
}

// printFindings prints findings with the paths that users see.
func printFindings(stderr io.Writer, found []migration.Finding) {
	for _, f := range found {
		f.Position.Filename = shown(f.Position.Filename)
		fmt.Fprintln(stderr, f)
	}
}

func findings(n int) string {
	if n == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", n)
}

// required returns the version of this module that migrated code needs: this one, if it is
// released.
func required() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		v := moduleOf(info).Version
		if strings.HasPrefix(v, "v") && !module.IsPseudoVersion(v) && !strings.Contains(v, "+") {
			return v
		}
	}
	return "latest"
}
