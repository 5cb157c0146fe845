package replacement

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Options are what to do.
type Options struct {
	// Dir is the current directory.
	Dir string
	// Patterns are directories of one module, with /... for those below. The default is ./... in the module around Dir.
	Patterns []string
	// With is a version of our module, such as latest, or the directory of a checkout, which starts with . or /.
	With string
	// DryRun restores the files at the end.
	DryRun bool
	// Step is called with each step before it begins, or nil.
	Step func(text string)
}

// Outcome is what was done.
type Outcome struct {
	// Module is the path of the module, and Target what its client-go is replaced with.
	Module, Target string
	// Was is what the module's client-go was replaced with before, or empty.
	Was string
	// Raised are modules with their old versions that are now required in Version.
	Raised  []string
	Version string
	// Packages is the number of packages that compile with their tests.
	Packages int
	// Broken are packages that do not compile without the line either.
	Broken []string
	// Untidy is why go mod tidy failed, or nil.
	Untidy error
	// Vendored is whether the vendored packages were updated.
	Vendored bool
	// Errors are why the module does not compile with the line, if [Do] returns [ErrCompile].
	Errors []Error
	// Files are those that changed, with both contents.
	Files []File
}

// File is a file that was changed; New is what it was changed to. One of them is nil if the file did not exist.
type File struct {
	Path     string
	Old, New []byte
}

// ErrCompile reports that packages that compile without the line do not compile with it, or that no package
// compiles, so that nothing shows whether the line does what it should.
var ErrCompile = errors.New("it does not compile with the line, so go.mod and go.sum are as they were")

// job is one call of [Do].
type job struct {
	Options
	goCommand

	mod, work string // go.mod, and go.work or empty
	patterns  []string
	target    target
	before    snapshot
	outcome   *Outcome
}

// Do writes the line and compiles. After an error, the files are as they were; the outcome is nil unless the error
// is [ErrCompile].
func Do(ctx context.Context, options Options) (*Outcome, error) {
	if options.Step == nil {
		options.Step = func(string) {}
	}
	j := &job{Options: options, outcome: &Outcome{}}
	if err := j.find(ctx); err != nil {
		return nil, err
	}
	var err error
	names := []string{j.mod, filepath.Join(j.dir, "go.sum")}
	if j.work != "" {
		names = append(names, j.work, j.work+".sum")
	}
	if j.before, err = take(names...); err != nil {
		return nil, err
	}
	err = j.replace(ctx)
	switch {
	case err != nil && !errors.Is(err, ErrCompile):
		return nil, errors.Join(err, j.before.restore())
	case err != nil || j.DryRun:
		return j.outcome, errors.Join(err, j.before.restore())
	}
	return j.outcome, nil
}

// find finds the module, the patterns below it and the target.
func (j *job) find(ctx context.Context) error {
	patterns := j.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	for i, pattern := range patterns {
		dir, recursive := strings.CutSuffix(filepath.ToSlash(pattern), "...")
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(j.Dir, dir)
		}
		var found struct{ GOMOD, GOWORK string }
		out, err := goCommand{dir: filepath.Clean(dir)}.run(ctx, "env", "-json", "GOMOD", "GOWORK")
		if err == nil {
			err = json.Unmarshal(out, &found)
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", pattern, err)
		case found.GOMOD == "" || found.GOMOD == os.DevNull:
			return fmt.Errorf("%s: no go.mod is around this directory", pattern)
		case i > 0 && found.GOMOD != j.mod:
			return fmt.Errorf("%s is in another module than %s: run the command for each", pattern, patterns[0])
		}
		j.mod, j.dir, j.work = found.GOMOD, filepath.Dir(found.GOMOD), found.GOWORK
		if j.work == "off" {
			j.work = ""
		}
		if len(j.Patterns) == 0 {
			dir = j.dir
		}
		// GOMOD has no symbolic links.
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return err
		}
		rel, err := filepath.Rel(j.dir, dir)
		if err != nil {
			return err
		}
		if recursive {
			rel = filepath.Join(rel, "...")
		}
		j.patterns = append(j.patterns, "./"+filepath.ToSlash(rel))
	}
	j.goCommand.mod = "mod"
	if j.work != "" {
		j.goCommand.mod = "readonly"
	}
	return j.aim(ctx)
}

// alone returns the command outside of the workspace, with permission to change go.mod.
func (j *job) alone() goCommand {
	return goCommand{dir: j.dir, env: []string{"GOWORK=off"}, mod: "mod"}
}

// aim determines the target.
func (j *job) aim(ctx context.Context) (err error) {
	switch {
	case filepath.IsAbs(j.With):
		j.target, err = checkout(j.With, j.dir, false)
		return err
	case strings.HasPrefix(j.With, "."):
		// The module's directory has no symbolic links.
		dir := filepath.Join(j.Dir, j.With)
		if dir, err = filepath.EvalSymlinks(dir); err == nil {
			j.target, err = checkout(dir, j.dir, true)
		}
		return err
	}
	out, err := j.alone().run(ctx, "list", "-m", "-f", "{{.Version}}", ours+"@"+j.With)
	if err != nil {
		return err
	}
	j.target.line = module.Version{Path: ours, Version: strings.TrimSpace(string(out))}
	return nil
}

// replace changes the files and compiles.
func (j *job) replace(ctx context.Context) error {
	text, was, err := j.target.inModule(j.mod, j.before[j.mod])
	if err != nil {
		return err
	}
	j.outcome.Module, j.outcome.Target, j.outcome.Was = modfile.ModulePath(text), j.target.String(), was
	if err = os.WriteFile(j.mod, text, 0o666); err != nil {
		return err
	}
	if j.work != "" {
		if text, was, err = j.target.inWorkspace(j.work, j.before[j.work]); err == nil {
			err = os.WriteFile(j.work, text, 0o666)
		}
		if err != nil {
			return err
		}
		j.outcome.Was = cmp.Or(was, j.outcome.Was)
	}
	if err = j.raise(ctx); err != nil {
		return err
	}
	j.Step("go mod tidy")
	if _, err = j.alone().run(ctx, "mod", "tidy"); ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		// It needs the tests of all dependencies. Compiling adds what the packages need.
		j.outcome.Untidy = err
	}
	if err = j.compileAll(ctx); err != nil {
		return err
	}
	if err = j.vendor(ctx); err != nil {
		return err
	}
	return j.report()
}

// report fills in the files that changed.
func (j *job) report() error {
	after, err := j.before.again()
	if err != nil {
		return err
	}
	for _, name := range after.names() {
		if !bytes.Equal(after[name], j.before[name]) {
			j.outcome.Files = append(j.outcome.Files, File{name, j.before[name], after[name]})
		}
	}
	return nil
}

// raise raises released modules to the version that the target requires.
func (j *job) raise(ctx context.Context) error {
	out, err := j.alone().run(ctx, "list", "-m", "-f", "{{.GoMod}}", clientGo)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(string(out))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	theirs, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(theirs.Require, func(r *modfile.Require) bool { return r.Mod.Path == "k8s.io/apimachinery" })
	if i < 0 {
		return nil
	}
	// The command before may have changed the file.
	if text, err = os.ReadFile(j.mod); err != nil {
		return err
	}
	j.outcome.Version = theirs.Require[i].Mod.Version
	if text, j.outcome.Raised, err = raise(j.mod, text, j.outcome.Version); err != nil {
		return err
	}
	return os.WriteFile(j.mod, text, 0o666)
}

// compileAll compiles the packages. If some do not compile, it compiles them without the line too.
func (j *job) compileAll(ctx context.Context) error {
	j.Step("compiling " + strings.Join(j.patterns, " ") + " with tests")
	now, err := j.compile(ctx, true, j.patterns)
	if err != nil {
		return err
	}
	j.outcome.Packages = now.packages
	if len(now.errors) == 0 {
		return nil
	}
	var own, dependencies []string
	for _, e := range now.errors {
		if e.Module == "" {
			own = append(own, e.Package)
		} else {
			dependencies = append(dependencies, e.Package)
		}
	}
	slices.Sort(own)
	own = slices.Compact(own)
	with, err := j.before.again()
	if err != nil {
		return err
	}
	if err = j.before.restore(); err != nil {
		return err
	}
	j.Step("compiling what fails without the line")
	without := &compiled{broken: map[string]bool{}}
	if len(own) > 0 {
		if without, err = j.compile(ctx, true, own); err != nil {
			return err
		}
	}
	if len(dependencies) > 0 {
		// Their tests may need modules that the program does not have.
		more, err := j.compile(ctx, false, dependencies)
		if err != nil {
			return err
		}
		maps.Copy(without.broken, more.broken)
	}
	if j.outcome.Errors = now.without(without); len(j.outcome.Errors) > 0 {
		return ErrCompile
	}
	if len(own) >= now.packages {
		j.outcome.Errors = now.errors
		return fmt.Errorf("no package compiles without the line either: %w", ErrCompile)
	}
	j.outcome.Broken = own
	return with.restore()
}

// vendor updates the vendored packages, if there are any.
func (j *job) vendor(ctx context.Context) error {
	dir, command := filepath.Join(j.dir, "vendor"), []string{"mod", "vendor"}
	if j.work != "" {
		dir, command = filepath.Join(filepath.Dir(j.work), "vendor"), []string{"work", "vendor"}
	}
	if _, err := os.Stat(filepath.Join(dir, "modules.txt")); err != nil || j.DryRun {
		return nil //nolint:nilerr // nothing is vendored
	}
	j.Step("go " + strings.Join(command, " "))
	fresh, old := dir+".new", dir+".old"
	if err := errors.Join(os.RemoveAll(fresh), os.RemoveAll(old)); err != nil {
		return err
	}
	if _, err := j.run(ctx, append(command, "-o", fresh)...); err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	if err := os.Rename(dir, old); err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	j.outcome.Vendored = true
	return os.RemoveAll(old)
}
