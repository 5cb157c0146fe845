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
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators"
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
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var chosen format
	set := pflag.NewFlagSet(migrateName, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	dryRun := set.Bool("dry-run", false, "write nothing; print the changes as a diff")
	check := set.Bool("check", false, "write nothing; type-check the packages and report what does not compile")
	with := set.String("replace", "", replaceUsage)
	set.Lookup("replace").NoOptDefVal = required()
	set.Var(&chosen, "format", formatUsage)
	values(set, "format", formats)
	showVersion := set.Bool("version", false, "print the version and exit")
	if len(args) > 0 && args[0] == completionName {
		return printCompletion(command{name: migrateName, flags: set}, args[1:], stdout, stderr)
	}
	err := set.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help(t.Source, set))
		return exitDone
	case err != nil:
		return requested(args).print(result{tool: migrateName, failure: err, code: exitUsage}, stdout, stderr)
	case *showVersion:
		fmt.Fprintln(stdout, version(migrateName))
		return exitDone
	}
	patterns := set.Args()
	replace := set.Changed("replace")
	switch {
	case replace && *check:
		return chosen.print(result{tool: migrateName, failure: errExclusive, code: exitUsage}, stdout, stderr)
	case len(patterns) == 0 && !replace:
		return chosen.print(result{tool: migrateName, failure: errNoPatterns, code: exitUsage}, stdout, stderr)
	}
	step := func(text string) {
		if chosen != formatJSON {
			fmt.Fprintf(stderr, "%s: %s\n", migrateName, text)
		}
	}
	var progress func(done, total int)
	if terminal(stderr) {
		progress = every(patience, step)
	}
	var r result
	func() {
		defer protect(stderr, &err)
		switch {
		case replace:
			r, err = t.replace(ctx, patterns, *with, *dryRun, step)
		case *check:
			r, err = t.check(ctx, patterns, progress)
		default:
			r, err = t.run(ctx, patterns, *dryRun, progress)
		}
	}()
	r.tool = migrateName
	if err != nil {
		r.fail(err)
	}
	return chosen.print(r, stdout, stderr)
}

var (
	// errNoPatterns reports that there is nothing to migrate.
	errNoPatterns = errors.New("no packages are given; pass patterns, such as ./... for those of a directory")
	// errExclusive reports two ways of a run.
	errExclusive = errors.New("--replace and --check exclude each other: --replace compiles the packages already")
	// errRemains reports that the migration is not complete.
	errRemains = errors.New("code remains that imports client-go or has to change by hand")
)

// run rewrites the files, or shows what would change.
func (t MigrateTool) run(ctx context.Context, patterns []string, dryRun bool, progress func(done, total int)) (result, error) {
	r := result{mode: modeWrite}
	dir, err := os.Getwd()
	if err != nil {
		return r, err
	}
	plan, err := migration.NewPlan(ctx, migration.Options{Dir: dir, Patterns: patterns, Version: required(), Progress: progress})
	if err != nil {
		return r, err
	}
	done := "rewritten"
	if dryRun {
		r.mode, done = modeDryRun, "to rewrite"
		r.diff = plan.Diff(shown)
	} else {
		err = plan.Apply()
	}
	for _, c := range plan.Changes {
		r.changes = append(r.changes, change{generators.Update, shown(c.Path)})
	}
	if err != nil {
		return r, err
	}
	r.find(plan.Line)
	r.find(plan.Findings)
	r.summary = fmt.Sprintf("%s %s, %s", quantity(len(plan.Changes), "file"), done, quantity(plan.Remaining(), "finding"))
	for _, command := range plan.Commands {
		line := command.Line
		if at := shown(command.Dir); at != "." {
			line = fmt.Sprintf("(cd %s && %s)", at, line)
		}
		r.next = append(r.next, line)
	}
	if plan.Remaining() > 0 {
		return r, errRemains
	}
	return r, nil
}

// check reports what does not compile.
func (t MigrateTool) check(ctx context.Context, patterns []string, progress func(done, total int)) (result, error) {
	r := result{mode: modeCheck}
	dir, err := os.Getwd()
	if err != nil {
		return r, err
	}
	found, err := migration.Check(ctx, dir, patterns, progress)
	r.find(found)
	if err != nil {
		return r, err
	}
	r.summary = quantity(len(found), "finding")
	if len(found) > 0 {
		return r, errRemains
	}
	return r, nil
}

// find appends findings, with the paths that users see.
func (r *result) find(found []migration.Finding) {
	for _, f := range found {
		f.Position.Filename = shown(f.Position.Filename)
		s := severityError
		if f.Note {
			s = severityNote
		}
		r.diagnostics = append(r.diagnostics, diagnostic{pos: f.Position, severity: s, message: f.Message})
	}
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

// patience is the time between two reports of progress.
const patience = 2 * time.Second

// every returns a function that reports how many packages are checked, once in a period.
func every(period time.Duration, step func(text string)) func(done, total int) {
	var lock sync.Mutex // guards last
	last := time.Now()
	return func(done, total int) {
		lock.Lock()
		defer lock.Unlock()
		if now := time.Now(); now.Sub(last) >= period {
			last = now
			step(fmt.Sprintf("checked %d of %d packages", done, total))
		}
	}
}
