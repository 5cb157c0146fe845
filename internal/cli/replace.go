package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/migration/replacement"
)

const replaceUsage = "write the line into go.mod that replaces client-go, and compile: with a version of listwatch, or with a `directory` of a checkout that starts with ./, ../ or /"

// replace writes the line into go.mod, or shows what would change.
func (t MigrateTool) replace(ctx context.Context, patterns []string, with string, dryRun bool, step func(string)) (result, error) {
	r := result{mode: modeWrite}
	if dryRun {
		r.mode = modeDryRun
	}
	dir, err := os.Getwd()
	if err != nil {
		return r, err
	}
	out, err := replacement.Do(ctx, replacement.Options{Dir: dir, Patterns: patterns, With: with, DryRun: dryRun, Step: step})
	if errors.Is(err, replacement.ErrCompile) {
		r.broken(out)
	}
	if err != nil {
		return r, err
	}
	for _, f := range out.Files {
		r.changes = append(r.changes, change{fileOp(f), shown(f.Path)})
		if dryRun {
			name := shown(f.Path)
			r.diff = append(r.diff, diff.Diff("a/"+name, f.Old, "b/"+name, f.New)...)
		}
	}
	note := func(message string, args ...any) {
		r.diagnostics = append(r.diagnostics, diagnostic{severity: severityNote, message: fmt.Sprintf(message, args...)})
	}
	if out.Was != "" {
		note("the line takes the place of the replacement with %s", out.Was)
	}
	if len(out.Raised) > 0 {
		note("raised to %s, which the line requires: %s", out.Version, strings.Join(out.Raised, ", "))
	}
	if out.Untidy != nil {
		note("go.mod has what the packages need, but is not tidy: %v", out.Untidy)
	}
	if len(out.Broken) > 0 {
		note("these packages do not compile, with or without the line: %s", strings.Join(out.Broken, " "))
	}
	if out.Vendored {
		note("the vendored packages are updated")
	}
	back := "to go back, delete the line and run go mod tidy"
	if out.Was != "" || len(out.Raised) > 0 {
		back = "to go back, restore go.mod and go.sum"
	}
	if out.Vendored {
		back += " and go mod vendor"
	}
	note("%s", back)
	if dryRun {
		r.summary = fmt.Sprintf("%s could be replaced with %s: %s with tests", clientGoModule, out.Target, compiles(out))
		return r, nil
	}
	r.listed = len(r.changes)
	r.summary = fmt.Sprintf("%s is replaced with %s: %s with tests", clientGoModule, out.Target, compiles(out))
	r.next = []string{"go test ./..."}
	return r, nil
}

const clientGoModule = "k8s.io/client-go"

// compiles says how many packages compile.
func compiles(out *replacement.Outcome) string {
	n := out.Packages - len(out.Broken)
	if n == 1 {
		return "1 package compiles"
	}
	return fmt.Sprintf("%d packages compile", n)
}

func fileOp(f replacement.File) generators.Op {
	switch {
	case f.Old == nil:
		return generators.Create
	case f.New == nil:
		return generators.Remove
	}
	return generators.Update
}

// broken adds the compiler's lines, and what to do about dependencies that do not compile.
func (r *result) broken(out *replacement.Outcome) {
	if len(out.Raised) > 0 {
		r.diagnostics = append(r.diagnostics, diagnostic{severity: severityNote, message: fmt.Sprintf(
			"the line requires Kubernetes' libraries of %s; if the errors are about them, update these first: %s", out.Version, strings.Join(out.Raised, ", "))})
	}
	modules := map[string]bool{}
	for _, e := range out.Errors {
		e.Position.Filename = shown(e.Position.Filename)
		message := e.Message
		if e.Position.Filename == "" {
			message = e.Package + ": " + message
		}
		r.diagnostics = append(r.diagnostics, diagnostic{pos: e.Position, severity: severityError, message: message})
		if e.Module == "" || modules[e.Module] {
			continue
		}
		modules[e.Module] = true
		r.diagnostics = append(r.diagnostics, diagnostic{severity: severityNote, message: fmt.Sprintf(
			"%s does not compile with Kubernetes' libraries of %s, which the line requires: update it, or wait for a version that does", e.Module, out.Version)})
	}
}
