// Package source type-checks Go packages from source, dependencies included.
//
// # Terms
//
// The packages that patterns match are initial, with those of their tests. Only these are checked with function bodies,
// and only these keep their syntax and what the checker knows about it. No compiled package is needed, and cgo is
// not run: what C declares has an invalid type, without an error.
//
// # Operations
//
// [Load] loads packages, and [Program.Extend] files that build constraints exclude.
//
// # Limits
//
// The go command lists the packages, so that their modules must be there, or be downloaded by it.
package source

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
)

// Package is a package of a program, or one of its tests.
type Package struct {
	*packages.Package

	// Initial is whether the package is checked with function bodies. The fields below are empty otherwise.
	Initial    bool
	Syntax     []*ast.File
	Info       *types.Info
	TypeErrors []types.Error
	// Failures are files that cannot be parsed or read.
	Failures []error

	checked *types.Package
	done    chan struct{}
}

// Program is a set of packages with all dependencies.
type Program struct {
	Fset *token.FileSet
	// Packages are by ID, which is the import path except for tests.
	Packages map[string]*Package

	dir      string
	progress Progress
	limit    chan struct{} // one element for each package that is being checked
	finished atomic.Int64
	sizes    types.Sizes
}

// Progress is called while packages are checked, concurrently.
type Progress func(done, total int)

// mode is what the go command lists.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedTypesSizes

// Load loads the packages that patterns match, relative to dir, with their tests. Errors of packages are in these.
func Load(ctx context.Context, dir string, patterns []string, progress Progress) (*Program, error) {
	p := &Program{
		Fset: token.NewFileSet(), Packages: map[string]*Package{}, dir: dir,
		limit: make(chan struct{}, runtime.GOMAXPROCS(0)), progress: progress,
	}
	initial, err := p.list(ctx, patterns, true)
	if err != nil {
		return nil, err
	}
	for _, pkg := range initial {
		p.Packages[pkg.ID].Initial = true
	}
	return p, p.checkAll(ctx)
}

// Initial returns the initial packages by ID.
func (p *Program) Initial() []*Package {
	var all []*Package
	for _, id := range slices.Sorted(maps.Keys(p.Packages)) {
		if p.Packages[id].Initial {
			all = append(all, p.Packages[id])
		}
	}
	return all
}

// list adds packages and their dependencies.
func (p *Program) list(ctx context.Context, patterns []string, tests bool) ([]*packages.Package, error) {
	initial, err := packages.Load(&packages.Config{Context: ctx, Dir: p.dir, Mode: mode, Tests: tests}, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	// The main package of tests is generated.
	initial = slices.DeleteFunc(initial, func(pkg *packages.Package) bool { return strings.HasSuffix(pkg.ID, ".test") })
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		if p.Packages[pkg.ID] == nil {
			p.Packages[pkg.ID] = &Package{Package: pkg, done: make(chan struct{})}
		}
		if p.sizes == nil {
			p.sizes = pkg.TypesSizes
		}
	})
	return initial, nil
}

// checkAll checks the packages that are not checked yet.
func (p *Program) checkAll(ctx context.Context) error {
	var group sync.WaitGroup
	for _, pkg := range p.Packages {
		select {
		case <-pkg.done:
			continue
		default:
		}
		group.Go(func() {
			defer close(pkg.done)
			for _, dependency := range pkg.Imports {
				<-p.Packages[dependency.ID].done
			}
			p.limit <- struct{}{}
			defer func() { <-p.limit }()
			if ctx.Err() == nil {
				p.check(pkg)
			}
			if n := p.finished.Add(1); p.progress != nil {
				p.progress(int(n), len(p.Packages))
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// check checks one package, whose dependencies are checked.
func (p *Program) check(pkg *Package) {
	if pkg.PkgPath == "unsafe" {
		pkg.checked = types.Unsafe
		return
	}
	if len(pkg.GoFiles) == 0 {
		return
	}
	parsing := parser.SkipObjectResolution
	if pkg.Initial {
		parsing |= parser.ParseComments
	}
	files, failures := p.parse(pkg.GoFiles, parsing)
	config := p.config(pkg)
	config.IgnoreFuncBodies = !pkg.Initial
	config.Error = func(err error) {
		if e := (types.Error{}); pkg.Initial && errors.As(err, &e) {
			pkg.TypeErrors = append(pkg.TypeErrors, e)
		}
	}
	var info *types.Info
	if pkg.Initial {
		info = newInfo()
		pkg.Syntax, pkg.Info, pkg.Failures = files, info, failures
	}
	pkg.checked, _ = config.Check(pkg.PkgPath, p.Fset, files, info) // errors are in TypeErrors
}

// config returns how a package is checked.
func (p *Program) config(pkg *Package) types.Config {
	config := types.Config{FakeImportC: true, Sizes: p.sizes, Importer: importerOf(func(path string) (*types.Package, error) {
		return p.imported(pkg.Imports[path], path)
	})}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + pkg.Module.GoVersion
	}
	return config
}

// imported returns what an import is, or why it cannot be loaded.
func (p *Program) imported(listed *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if listed == nil {
		return nil, fmt.Errorf("no package %s is listed", path)
	}
	pkg := p.Packages[listed.ID]
	if pkg.checked != nil {
		return pkg.checked, nil
	}
	for _, e := range pkg.Errors {
		return nil, e
	}
	return nil, errors.New("no Go files")
}

// Types returns the checked package; nil if it has no Go files.
func (pkg *Package) Types() *types.Package { return pkg.checked }

// parse parses files, and skips those that cannot be parsed.
func (p *Program) parse(names []string, parsing parser.Mode) (files []*ast.File, failures []error) {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		file, err := parser.ParseFile(p.Fset, name, text, parsing)
		if err != nil {
			failures = append(failures, err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	return files, failures
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

// importerOf is an importer by a function.
type importerOf func(path string) (*types.Package, error)

func (f importerOf) Import(path string) (*types.Package, error) { return f(path) }

// Extend checks files that are in no initial package, because build constraints or the name of their directory exclude
// them, and returns them as packages: each with the files of an initial package in the same directory, if there
// is one. What both declare is an error there.
func (p *Program) Extend(ctx context.Context, names []string) ([]*Package, error) {
	known := map[string]bool{}
	homes := map[string]*Package{} // by directory and name
	for _, pkg := range p.Initial() {
		for _, name := range pkg.GoFiles {
			known[name] = true
		}
		if key := pkg.Dir + " " + pkg.Name; homes[key] == nil || len(pkg.GoFiles) > len(homes[key].GoFiles) {
			homes[key] = pkg
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return known[name] })
	if len(names) == 0 {
		return nil, nil
	}
	groups, missing := p.group(names, homes)
	if len(missing) > 0 {
		if _, err := p.list(ctx, missing, false); err != nil {
			return nil, err
		}
		if err := p.checkAll(ctx); err != nil {
			return nil, err
		}
	}
	for _, g := range groups {
		config := p.config(g)
		config.Error = func(error) {} // there are some: see above
		config.Importer = importerOf(func(path string) (*types.Package, error) {
			if listed := g.Imports[path]; listed != nil {
				return p.imported(listed, path)
			}
			if found := p.Packages[path]; found != nil {
				return p.imported(found.Package, path)
			}
			return nil, fmt.Errorf("no package %s is listed", path)
		})
		g.checked, _ = config.Check(g.PkgPath, p.Fset, g.Syntax, g.Info) // see above
	}
	return groups, nil
}
