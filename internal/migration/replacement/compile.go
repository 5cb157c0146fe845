package replacement

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Error is a line of the compiler, or why a package cannot be compiled.
type Error struct {
	// Position is empty if the error is about no place in a file.
	Position token.Position
	// Package is the import path, and Module what contains it, with its version; empty for the program's.
	Package, Module string
	Message         string
}

// listed is what the go command prints about a package.
type listed struct {
	ImportPath, ForTest string
	Module              *struct {
		Path, Version string
		Main          bool
	}
	Error      *listedError
	DepsErrors []*listedError
}

type listedError struct{ Pos, Err string }

// compiled is the outcome of a compilation.
type compiled struct {
	// packages is the number of the packages, without those of their tests.
	packages int
	// errors are sorted by package and position.
	errors []Error
	// broken are the packages that do not compile, because of such an error or one in what they import.
	broken map[string]bool
}

// compile compiles packages, with their tests if tests is set.
func (g goCommand) compile(ctx context.Context, tests bool, patterns []string) (*compiled, error) {
	out, err := g.run(ctx, append([]string{"list", "-e", "-export", fmt.Sprintf("-test=%t", tests), "-json=ImportPath,ForTest,Error,DepsErrors"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	c := &compiled{broken: map[string]bool{}}
	texts := map[string]bool{} // errors that were seen
	var failed []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err = decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if pkg.ForTest == "" && !strings.HasSuffix(pkg.ImportPath, ".test") {
			c.packages++
		}
		all := pkg.DepsErrors
		if pkg.Error != nil {
			all = append(all, pkg.Error)
		}
		if len(all) > 0 {
			name, _, _ := strings.Cut(pkg.ImportPath, " ") // p [p.test] is p with the files of its tests
			c.broken[name] = true
		}
		for _, e := range all {
			if key := e.Pos + e.Err; !texts[key] && !excluded(e.Err) {
				texts[key] = true
				found := g.parse(e, pkg.ImportPath)
				c.errors = append(c.errors, found...)
				for _, f := range found {
					failed = append(failed, f.Package)
				}
			}
		}
	}
	if err = g.locate(ctx, c.errors, failed); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.errors, func(a, b Error) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Position.Filename, b.Position.Filename),
			a.Position.Line-b.Position.Line, a.Position.Column-b.Position.Column)
	})
	c.errors = slices.Compact(c.errors)
	return c, nil
}

// excluded reports whether an error is about a directory without files for this machine.
func excluded(text string) bool {
	return strings.Contains(text, "build constraints exclude all Go files")
}

// compilerLine is a line of the compiler.
var compilerLine = regexp.MustCompile(`^(\S.*?\.go):(\d+):(?:(\d+):)? (.*)$`)

// parse returns the compiler's lines of an error, which may be about a dependency of pkg.
func (g goCommand) parse(e *listedError, pkg string) []Error {
	text := strings.TrimSpace(e.Err)
	if e.Pos != "" {
		text = e.Pos + ": " + text
	}
	var all []Error
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(name, " ")
			continue
		}
		found := compilerLine.FindStringSubmatch(line)
		switch {
		case found != nil:
			position := token.Position{Filename: found[1]}
			position.Line, _ = strconv.Atoi(found[2])   // the expression matches digits only
			position.Column, _ = strconv.Atoi(found[3]) // or nothing, which is 0
			if !filepath.IsAbs(position.Filename) {
				position.Filename = filepath.Join(g.dir, position.Filename)
			}
			all = append(all, Error{Position: position, Package: pkg, Message: found[4]})
		case len(all) > 0:
			all[len(all)-1].Message += "\n" + line
		default:
			all = append(all, Error{Package: pkg, Message: line})
		}
	}
	return all
}

// locate sets the modules of the errors, whose packages are given.
func (g goCommand) locate(ctx context.Context, all []Error, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	slices.Sort(packages)
	out, err := g.run(ctx, append([]string{"list", "-e", "-json=ImportPath,Module"}, slices.Compact(packages)...)...)
	if err != nil {
		return err
	}
	modules := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err = decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if m := pkg.Module; m != nil && !m.Main {
			modules[pkg.ImportPath] = strings.TrimSpace(m.Path + " " + m.Version)
		}
	}
	for i := range all {
		all[i].Module = modules[all[i].Package]
	}
	return nil
}

// without returns the errors of packages that compile in others.
func (c *compiled) without(others *compiled) []Error {
	return slices.DeleteFunc(slices.Clone(c.errors), func(e Error) bool { return others.broken[e.Package] })
}

// goCommand runs the go command in a directory.
type goCommand struct {
	dir string
	// env is added to the environment.
	env []string
	// mod is the value of -mod for commands that load packages; empty for the default.
	mod string
}

// run returns what the command prints on standard output. An error contains what it prints on standard error.
func (g goCommand) run(ctx context.Context, args ...string) ([]byte, error) {
	name := args[0]
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		name += " " + args[1]
	}
	if g.mod != "" && args[0] == "list" {
		args = slices.Insert(slices.Clone(args), 1, "-mod="+g.mod)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
	cmd.Env = append(cmd.Environ(), g.env...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("go %s: %w\n%s", name, err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}
