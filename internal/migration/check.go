package migration

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/internal/migration/source"
)

// Check type-checks the packages that the patterns select, relative to dir, with their tests, and
// returns what does not compile: what is left to do once the code is rewritten and go.mod is
// updated. Findings about our API, and about values that go between both modules, say what to do.
// It reads sources only: nothing is compiled.
func Check(ctx context.Context, dir string, patterns []string, progress source.Progress) ([]Finding, error) {
	program, err := source.Load(ctx, dir, patterns, progress)
	if err != nil {
		return nil, err
	}
	c := checked{seen: map[string]bool{}}
	var failed error
	for _, pkg := range program.Initial() {
		for _, e := range slices.Concat(listErrors(pkg), pkg.Failures) {
			if !c.seen[e.Error()] {
				c.seen[e.Error()] = true
				failed = errors.Join(failed, fmt.Errorf("%s: %w", pkg.PkgPath, e))
			}
		}
		for _, e := range causes(pkg.TypeErrors) {
			c.add(pkg, e)
		}
	}
	slices.SortStableFunc(c.findings, compareFindings)
	return c.findings, failed
}

// causes returns the errors about imports if there are any: others follow from them.
func causes(all []types.Error) []types.Error {
	imports := slices.DeleteFunc(slices.Clone(all), func(e types.Error) bool { return !isAboutImport(e) })
	if len(imports) > 0 {
		return imports
	}
	return all
}

// isAboutImport reports whether an error says that a package cannot be imported.
func isAboutImport(e types.Error) bool { return strings.HasPrefix(e.Msg, "could not import ") }

// listErrors returns why a package cannot be checked. What cannot be imported or parsed is found later, and a
// package without files for this machine has none.
func listErrors(pkg *source.Package) []error {
	var all []error
	for _, e := range pkg.Errors {
		if e.Kind == packages.UnknownError && len(pkg.GoFiles) == 0 && len(pkg.IgnoredFiles) == 0 {
			all = append(all, e)
		}
	}
	return all
}

// checked collects findings once: a package is also compiled for its tests.
type checked struct {
	seen     map[string]bool
	findings []Finding
}

func (c *checked) add(pkg *source.Package, e types.Error) {
	message := strings.TrimSpace(e.Msg)
	if advice := advice(pkg, e); advice != "" {
		message += ": " + advice
	}
	at := e.Fset.PositionFor(e.Pos, false)
	f := Finding{Position: at, After: at, Subject: at.Filename, Message: message}
	key := f.String()
	if isAboutImport(e) {
		key = e.Msg // each package once
	}
	if !c.seen[key] {
		c.seen[key] = true
		c.findings = append(c.findings, f)
	}
}

// advice returns what to do about an error, or "" if it is not about the migration.
func advice(pkg *source.Package, e types.Error) string {
	if selector := selectorAt(pkg.Syntax, e.Pos); selector != nil {
		if d, ok := decisionAbout(pkg.Info, selector); ok {
			return fmt.Sprintf("it is %s: %s", d.Fate, d.Why)
		}
	}
	if isAboutImport(e) {
		return "run go mod tidy, then correct that package first"
	}
	return conversion(e.Msg)
}

// selectorAt returns the selector expression whose name is at a position.
func selectorAt(files []*ast.File, pos token.Pos) (found *ast.SelectorExpr) {
	for _, file := range files {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && selector.Sel.Pos() == pos {
				found = selector
			}
			return node != nil && node.Pos() <= pos && pos < node.End()
		})
	}
	return found
}

// decisionAbout returns the decision about a symbol, field or method of one of our packages.
func decisionAbout(info *types.Info, selector *ast.SelectorExpr) (Decision, bool) {
	if x, ok := selector.X.(*ast.Ident); ok {
		if name, ok := info.Uses[x].(*types.PkgName); ok {
			return decisionOf(name.Imported().Path(), selector.Sel.Name)
		}
	}
	t := info.TypeOf(selector.X)
	if t == nil {
		return Decision{}, false
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return Decision{}, false
	}
	return decisionOf(named.Obj().Pkg().Path(), named.Obj().Name()+"."+selector.Sel.Name)
}

// decisionOf returns the decision about a symbol of one of our packages.
func decisionOf(ours, symbol string) (Decision, bool) {
	for _, p := range pairs() {
		if !slices.Contains(p.OurPaths(), ours) {
			continue
		}
		if d, ok := FindDecision(p.Theirs, symbol); ok {
			return d, true
		}
	}
	return Decision{}, false
}

// qualified is a type with its import path, as the type checker prints one where two packages have
// the same name.
var qualified = regexp.MustCompile(`"(k8s\.io/client-go|github\.com/listwatch/listwatch)/([^"]*)"\.(\w+)`)

// conversion returns how to convert a value that goes from one module to the other, if the error
// is about one.
func conversion(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	found := qualified.FindAllStringSubmatch(line, -1)
	if len(found) < 2 || found[0][1] == found[len(found)-1][1] {
		return ""
	}
	have, want := found[0], found[len(found)-1]
	direction := "From"
	if want[1]+"/" == ClientGo {
		direction = "To"
	}
	switch have[3] {
	case "Config", "SharedIndexInformer", "Indexer":
		name := strings.TrimPrefix(have[3], "SharedIndex")
		return fmt.Sprintf("convert it with %s%s of %sclientgo", direction, name, Module)
	}
	const way = "; the line that listwatch-migrate --replace writes into go.mod makes both one type"
	path := theirPath(have)
	switch {
	case isClient(path) && direction == "From":
		return fmt.Sprintf("the package that the value comes from uses client-go: create a second client, for the config that ToConfig of %sclientgo returns", Module) + way
	case isClient(path):
		return fmt.Sprintf("the package that takes the value uses client-go: create a second client for it, for the config that ToConfig of %sclientgo returns", Module) + way
	}
	return fmt.Sprintf("the other package uses client-go: import %s for the values that both exchange", ClientGo+path) + way
}

// theirPath returns the path below k8s.io/client-go of a type that an error names.
func theirPath(qualified []string) string {
	if qualified[1]+"/" == ClientGo {
		return qualified[2]
	}
	for theirs, p := range pairs() {
		if slices.Contains(p.Ours, qualified[2]) {
			return theirs
		}
	}
	return qualified[2]
}

// isClient reports whether values of a package's types are clients, which a config makes.
func isClient(theirs string) bool {
	first, _, _ := strings.Cut(theirs, "/")
	return slices.Contains([]string{"rest", "kubernetes", "dynamic", "metadata", "discovery", "scale"}, first)
}
