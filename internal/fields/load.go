package fields

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// program is what is analysed: the packages with function bodies, and the declarations of all others.
type program struct {
	fset *token.FileSet
	ssa  *ssa.Program
	// given are the packages that match the patterns.
	given []*ssa.Package
	// syntax has the files of the given packages, with comments.
	syntax map[*types.Package][]*ast.File
	// all are the packages of the program, dependencies first.
	all []*types.Package
	// bodies are the packages whose function bodies are analysed.
	bodies map[*types.Package]bool
	// command is set if a given package is a command: then callers outside of the program do not exist.
	command bool
}

// Errors are why packages do not compile, sorted as the packages are checked.
type Errors []Finding

// Error returns the first error and the number of the others.
func (e Errors) Error() string {
	text := fmt.Sprintf("%s: %s", e[0].Position, e[0].Message)
	if len(e) > 1 {
		text += fmt.Sprintf(" and %d more", len(e)-1)
	}
	return text
}

// load type-checks the packages that match the patterns, with their dependencies, from source.
func load(ctx context.Context, dir string, patterns []string) (*program, error) {
	found, err := packages.Load(&packages.Config{
		Context: ctx,
		Dir:     dir,
		Env:     append(os.Environ(), "CGO_ENABLED=0"), // cgo would generate files first
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedModule | packages.NeedTypesSizes,
	}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	found = linked(found)
	l := loader{
		ctx: ctx,
		program: &program{
			fset: token.NewFileSet(), syntax: map[*types.Package][]*ast.File{}, bodies: map[*types.Package]bool{},
		},
		own: map[string]bool{}, given: map[string]bool{}, done: map[string]*types.Package{},
	}
	l.program.ssa = ssa.NewProgram(l.program.fset, ssa.InstantiateGenerics)
	for _, p := range found {
		for _, e := range p.Errors {
			l.fail(parsePosition(e.Pos), e.Msg)
		}
		l.given[p.ID] = true
		if p.Module != nil {
			l.own[p.Module.Path] = true
		}
	}
	for _, p := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.check(p)
	}
	if len(l.errs) > 0 {
		return nil, l.errs
	}
	for _, p := range found {
		pkg := l.program.ssa.Package(l.done[p.ID])
		l.program.given = append(l.program.given, pkg)
		l.program.command = l.program.command || p.Name == "main"
	}
	l.program.ssa.Build()
	return l.program, nil
}

// linked returns the commands among packages with the packages that they import, if there is a command: others, such as
// mocks and helpers of tests, are not part of the program.
func linked(found []*packages.Package) []*packages.Package {
	imported := map[*packages.Package]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if imported[p] {
			return
		}
		imported[p] = true
		for _, i := range p.Imports {
			visit(i)
		}
	}
	for _, p := range found {
		if p.Name == "main" {
			visit(p)
		}
	}
	if len(imported) == 0 {
		return found
	}
	return slices.DeleteFunc(found, func(p *packages.Package) bool { return !imported[p] })
}

// loader type-checks packages, each once.
type loader struct {
	ctx     context.Context
	program *program
	own     map[string]bool // modules of the given packages
	given   map[string]bool // packages, by ID
	done    map[string]*types.Package
	errs    Errors // of given packages, and those of their modules
}

func (l *loader) fail(pos token.Position, message string) {
	found := Finding{pos, Lacking, message}
	found.Position.Offset = 0
	if !slices.Contains(l.errs, found) {
		l.errs = append(l.errs, found)
	}
}

// failParse records the errors of the parser.
func (l *loader) failParse(err error) {
	var list scanner.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			l.fail(e.Pos, e.Msg)
		}
		return
	}
	l.fail(token.Position{}, err.Error())
}

// failCheck records an error of the type checker.
func (l *loader) failCheck(err error) {
	var e types.Error
	if errors.As(err, &e) {
		l.fail(e.Fset.Position(e.Pos), strings.ReplaceAll(e.Msg, "\n\t", "; "))
		return
	}
	l.fail(token.Position{}, err.Error())
}

// parsePosition parses a position of the go command, as in file:line:col.
func parsePosition(text string) token.Position {
	var numbers []int
	for len(numbers) < 2 {
		i := strings.LastIndexByte(text, ':')
		n, err := strconv.Atoi(text[i+1:])
		if i < 0 || err != nil {
			break
		}
		numbers = append([]int{n}, numbers...)
		text = text[:i]
	}
	if text == "-" {
		text = ""
	}
	pos := token.Position{Filename: text}
	if len(numbers) > 0 {
		pos.Line = numbers[0]
	}
	if len(numbers) > 1 {
		pos.Column = numbers[1]
	}
	return pos
}

// check type-checks a package after those that it imports.
func (l *loader) check(p *packages.Package) *types.Package {
	if pkg, ok := l.done[p.ID]; ok || l.ctx.Err() != nil {
		return pkg
	}
	if p.PkgPath == "unsafe" {
		l.done[p.ID] = types.Unsafe
		l.program.ssa.CreatePackage(types.Unsafe, nil, nil, true)
		return types.Unsafe
	}
	imported := map[string]*types.Package{}
	paths := make([]string, 0, len(p.Imports))
	for path := range p.Imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		imported[path] = l.check(p.Imports[path])
	}
	own := l.given[p.ID] || p.Module != nil && l.own[p.Module.Path]
	body := own || analysed(p)
	mode := parser.SkipObjectResolution
	if l.given[p.ID] {
		mode |= parser.ParseComments
	}
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		f, err := parser.ParseFile(l.program.fset, name, nil, mode)
		if err != nil && own {
			l.failParse(err)
		}
		if f == nil {
			continue
		}
		if !body {
			withoutBodies(f)
		}
		files = append(files, f)
	}
	conf := types.Config{
		IgnoreFuncBodies: !body,
		FakeImportC:      true,
		Sizes:            p.TypesSizes,
		Importer: importer(func(path string) (*types.Package, error) {
			if pkg := imported[path]; pkg != nil {
				return pkg, nil
			}
			return nil, fmt.Errorf("package %s is not loaded", path)
		}),
		Error: func(err error) {
			if own {
				l.failCheck(err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	var info *types.Info
	if body {
		info = &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			FileVersions: map[*ast.File]string{},
		}
	}
	pkg, err := conf.Check(p.PkgPath, l.program.fset, files, info) // all errors are passed to conf.Error
	l.done[p.ID] = pkg
	l.program.all = append(l.program.all, pkg)
	if !body || err != nil {
		l.program.ssa.CreatePackage(pkg, nil, nil, true)
		return pkg
	}
	l.program.bodies[pkg] = true
	l.program.ssa.CreatePackage(pkg, files, info, true)
	if l.given[p.ID] {
		l.program.syntax[pkg] = files
	}
	return pkg
}

func withoutBodies(f *ast.File) {
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// algorithms are packages of the standard library that take objects by type parameters.
var algorithms = []string{"slices", "maps", "iter", "cmp"}

// analysed reports whether the functions of a dependency in another module are analysed: those of packages that use
// Kubernetes' types, as helpers of controllers do, except for the libraries that models describe and generated clients.
func analysed(p *packages.Package) bool {
	if slices.Contains(algorithms, p.PkgPath) {
		return true
	}
	if p.Module == nil || machinery(p.PkgPath) {
		return p.PkgPath == metaPath || p.PkgPath == "k8s.io/apimachinery/pkg/api/meta"
	}
	for path := range p.Imports {
		if path == metaPath || strings.HasPrefix(path, "k8s.io/api/") {
			return true
		}
	}
	return false
}

const metaPath = "k8s.io/apimachinery/pkg/apis/meta/v1"

// described are prefixes of packages whose functions are described by models, not analysed.
var described = []string{
	"k8s.io/api/", "k8s.io/apimachinery/", "k8s.io/client-go/", "k8s.io/apiserver/", "k8s.io/apiextensions-apiserver/", "k8s.io/code-generator/",
	"k8s.io/kube-aggregator/", "k8s.io/klog/", "k8s.io/kube-openapi/", "sigs.k8s.io/controller-runtime/", "sigs.k8s.io/structured-merge-diff/", "github.com/listwatch/listwatch/",
}

// machinery reports whether a package belongs to the libraries that models describe, or is a generated client.
func machinery(path string) bool {
	for _, prefix := range described {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	for _, part := range strings.Split(path, "/") {
		switch part {
		case "clientset", "listers", "informers", "applyconfiguration", "applyconfigurations":
			return true
		}
	}
	return false
}
