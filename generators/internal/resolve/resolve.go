// Package resolve finds out what Go type expressions denote, from syntax alone.
//
// # Terms
//
// A [Type] is what an expression denotes: a declared type, an instance of a generic one, a
// predeclared type, or a type literal. Aliases are looked through. The [Kind] of a type is the
// form of its underlying type. A [Field] belongs to a struct, a [Method] to a declared type or to
// an interface.
//
// # Operations
//
// [Resolver.Decl] returns the type of a declaration, [Resolver.Expr] that of an expression in a
// file. Everything else follows from these: elements, fields, methods, array lengths. A type is
// determined when it is requested, so packages are read only if a request concerns them.
// [Ahead] finds the packages that type declarations refer to in one run of the go command.
// The types of one declaration, or of one instance, are one *Type, so that they can be compared and
// be the keys of maps.
//
// A Resolver and its types are safe for concurrent use.
//
// # Limits
//
// Nothing is checked. Code that does not compile can denote types that Go does not have; cycles
// end in types of the kind [Unknown], as do names that are not declared, and packages that cannot be
// read, such as those of modules that are not downloaded. [Type.Err] has the reason. The methods of
// embedded fields are not promoted.
package resolve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// ErrUndefined is wrapped by the errors for names that are not declared.
var ErrUndefined = errors.New("undefined")

// errCycle is the error for types that are declared by themselves.
var errCycle = errors.New("invalid recursive type")

// Resolver resolves types. The zero Resolver is not valid; see [New].
type Resolver struct {
	mu    sync.Mutex                      // guards the fields below
	named map[string]map[*load.Type]*Type // by the text of the arguments
	// aliases are the types of Alias, and those of types without a declaration.
	aliases map[*load.Type]*Type
	basic   map[string]*Type
	names   map[nameIn]denoted
}

// New returns a Resolver.
func New() *Resolver {
	return &Resolver{named: map[string]map[*load.Type]*Type{}, aliases: map[*load.Type]*Type{}, basic: map[string]*Type{}, names: map[nameIn]denoted{}}
}

// nameIn is a possibly qualified name in a file.
type nameIn struct {
	file      *load.File
	pkg, name string
}

// denoted is what a name denotes: a declaration, a predeclared type, or an error.
type denoted struct {
	decl  *load.Type
	basic string
	err   error
}

// scope is where the names in an expression are declared: a file, and the type parameters of a
// generic declaration with what they stand for.
type scope struct {
	file   *load.File
	params map[string]*Type
}

// Decl returns the type of a declaration; of an alias, the type that it refers to. The type
// parameters of a generic declaration stand for themselves.
func (r *Resolver) Decl(t *load.Type) *Type { return r.declared(t, nil, 0) }

// Alias returns what an alias without type parameters refers to, as a type that also has the declaration of the alias.
func (r *Resolver) Alias(decl *load.Type) *Type {
	return r.aliased(decl, r.expr(scope{file: decl.File}, decl.Spec.Type, 0))
}

// Named returns the declaration that a possibly qualified name in a file refers to; nil if it is predeclared, unknown,
// or no name.
func (r *Resolver) Named(f *load.File, e ast.Expr) *load.Type {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.lookup(f, "", e.Name).decl
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return r.lookup(f, x.Name, e.Sel.Name).decl
		}
	}
	return nil
}

// Expr returns the type that an expression in a file denotes. The expression must not refer to type
// parameters.
func (r *Resolver) Expr(f *load.File, e ast.Expr) *Type { return r.expr(scope{file: f}, e, 0) }

// maxDepth limits how deep an expression is resolved, and how many declarations are followed.
const maxDepth = 100

// expr returns the type that an expression denotes in a scope.
func (r *Resolver) expr(in scope, e ast.Expr, depth int) *Type {
	if depth > maxDepth {
		return r.unknown(in, e, errCycle)
	}
	literal := func(kind Kind) *Type { return &Type{r: r, kind: kind, in: in, expr: e} }
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.expr(in, e.X, depth+1)
	case *ast.Ident:
		if p := in.params[e.Name]; p != nil {
			return p
		}
		return r.name(in, e, "", e.Name, nil, depth)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return r.name(in, e, x.Name, e.Sel.Name, nil, depth)
		}
	case *ast.IndexExpr:
		return r.instance(in, e.X, []ast.Expr{e.Index}, depth)
	case *ast.IndexListExpr:
		return r.instance(in, e.X, e.Indices, depth)
	case *ast.StarExpr:
		return literal(Pointer)
	case *ast.ArrayType:
		if e.Len == nil {
			return literal(Slice)
		}
		return literal(Array)
	case *ast.Ellipsis:
		return literal(Slice)
	case *ast.MapType:
		return literal(Map)
	case *ast.StructType:
		return literal(Struct)
	case *ast.InterfaceType:
		return literal(Interface)
	case *ast.FuncType:
		return literal(Func)
	case *ast.ChanType:
		return literal(Chan)
	}
	return r.unknown(in, e, errors.New("not a type"))
}

// unknown returns a type that cannot be determined.
func (r *Resolver) unknown(in scope, e ast.Expr, err error) *Type {
	return &Type{r: r, kind: Unknown, in: in, expr: e, err: err}
}

// name returns the type that a name denotes, with the arguments of an instance.
func (r *Resolver) name(in scope, e ast.Expr, pkg, name string, args []*Type, depth int) *Type {
	d := r.lookup(in.file, pkg, name)
	switch {
	case d.err != nil:
		return r.unknown(in, e, d.err)
	case d.decl != nil:
		return r.declared(d.decl, args, depth)
	}
	return r.predeclared(d.basic)
}

// instance returns an instance of a generic type.
func (r *Resolver) instance(in scope, generic ast.Expr, exprs []ast.Expr, depth int) *Type {
	var args []*Type
	for _, e := range exprs {
		args = append(args, r.expr(in, e, depth+1))
	}
	switch e := ast.Unparen(generic).(type) {
	case *ast.Ident:
		return r.name(in, e, "", e.Name, args, depth)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return r.name(in, e, x.Name, e.Sel.Name, args, depth)
		}
	}
	return r.unknown(in, generic, errors.New("not a generic type"))
}

// declared returns the type of a declaration with arguments for its type parameters.
func (r *Resolver) declared(decl *load.Type, args []*Type, depth int) *Type {
	if decl.Spec.Assign.IsValid() {
		t := r.expr(r.bind(decl, args), decl.Spec.Type, depth+1)
		if t.decl != nil || t.kind == Unknown || len(args) > 0 {
			return t
		}
		return r.aliased(decl, t)
	}
	key := ""
	if len(args) > 0 {
		key = list(args)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.named[key] == nil {
		r.named[key] = map[*load.Type]*Type{}
	}
	t := r.named[key][decl]
	if t == nil {
		t = &Type{r: r, decl: decl, args: args}
		r.named[key][decl] = t
	}
	return t
}

// aliased returns a type as the alias that decl declares.
func (r *Resolver) aliased(decl *load.Type, t *Type) *Type {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.aliases[decl]
	if a == nil {
		a = &Type{r: r, decl: t.decl, args: t.args, kind: t.kind, name: t.name, in: t.in, expr: t.expr, err: t.err, alias: decl}
		r.aliases[decl] = a
	}
	return a
}

// bind returns the scope of a declaration, in which its type parameters stand for the arguments or, if
// there are too few, for themselves.
func (r *Resolver) bind(decl *load.Type, args []*Type) scope {
	in := scope{file: decl.File}
	if decl.Spec.TypeParams == nil {
		return in
	}
	in.params = map[string]*Type{}
	for _, field := range decl.Spec.TypeParams.List {
		for _, name := range field.Names {
			if i := len(in.params); i < len(args) {
				in.params[name.Name] = args[i]
			} else {
				in.params[name.Name] = &Type{r: r, kind: TypeParam, name: name.Name}
			}
		}
	}
	return in
}

// predeclared returns a predeclared type.
func (r *Resolver) predeclared(name string) *Type {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.basic[name]
	if t == nil {
		t = &Type{r: r, kind: Basic, name: name}
		if name == "any" || name == "error" || name == "comparable" {
			t.kind = Interface
		}
		r.basic[name] = t
	}
	return t
}

// lookup finds out what a name denotes in a file. Pkg is the name of an import, or empty.
func (r *Resolver) lookup(file *load.File, pkg, name string) denoted {
	key := nameIn{file, pkg, name}
	r.mu.Lock()
	d, known := r.names[key]
	r.mu.Unlock()
	if known {
		return d
	}
	if pkg == "" {
		d = unqualified(file, name)
	} else {
		d = qualified(file, pkg, name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[key] = d
	return d
}

// unqualified finds a name in the package of a file, among its dot imports, and among the
// predeclared types.
func unqualified(file *load.File, name string) denoted {
	if t := file.Package.Lookup(name); t != nil {
		return denoted{decl: t}
	}
	if token.IsExported(name) {
		for _, path := range file.DotImports() {
			p, err := file.Package.Import(path)
			if err != nil {
				return denoted{err: err}
			}
			if t := p.Lookup(name); t != nil {
				return denoted{decl: t}
			}
		}
	}
	if _, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
		return denoted{basic: name}
	}
	return denoted{err: fmt.Errorf("%s: %w in package %s", name, ErrUndefined, file.Package.Path)}
}

// qualified finds a type in an imported package.
func qualified(file *load.File, pkg, name string) denoted {
	p, path, err := Imported(file, pkg)
	switch {
	case path == "unsafe" && name == "Pointer":
		return denoted{basic: "unsafe.Pointer"}
	case err != nil:
		return denoted{err: err}
	}
	if t := p.Lookup(name); t != nil {
		return denoted{decl: t}
	}
	return denoted{err: fmt.Errorf("%s.%s: %w in package %s", pkg, name, ErrUndefined, p.Path)}
}

// Imported returns the package that a name denotes in a file and its import path: the import with
// that name, or the one without a name whose package has it. Without an error, the package is nil
// only for package unsafe.
func Imported(file *load.File, name string) (p *load.Package, path string, err error) {
	var unread error
	named := false
	for _, spec := range file.Syntax.Imports {
		named = named || spec.Name != nil && spec.Name.Name == name
	}
	for _, path := range file.ImportPaths(name) {
		if path == "unsafe" && (named || name == path) {
			return nil, path, nil
		}
		if path == "C" || path == "unsafe" {
			continue
		}
		p, err := file.Package.Import(path)
		if err != nil {
			if unread == nil {
				unread = fmt.Errorf("cannot read package %w", err)
			}
			if named || strings.HasSuffix(path, "/"+name) || path == name {
				return nil, path, unread
			}
			continue
		}
		if named || p.Name == name {
			return p, path, nil
		}
	}
	if unread != nil {
		return nil, "", unread
	}
	return nil, "", fmt.Errorf("package %s: %w; no import has this name", name, ErrUndefined)
}

// WellKnown are modules that API types refer to, with one of their packages each, for
// [load.Config]. After them, [Ahead] rarely takes a run of the go command.
var WellKnown = map[string]string{
	"k8s.io/apimachinery": "k8s.io/apimachinery/pkg/apis/meta/v1",
	"k8s.io/api":          "k8s.io/api/core/v1",
}

// Ahead finds the packages that the type declarations of packages refer to, in at most one run of
// the go command for each directory from which they were found. What it does not find is an error
// only where a type refers to it.
func Ahead(packages []*load.Package) {
	load.Prefetch(packages, func(f *load.File, yield func(path string)) {
		seen := map[string]bool{}
		for _, t := range f.Types() {
			ast.Inspect(t.Spec, func(n ast.Node) bool {
				e, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := e.X.(*ast.Ident); ok && !seen[x.Name] {
					seen[x.Name] = true
					for i, path := range f.ImportPaths(x.Name) {
						if i == 0 || strings.Contains(path, x.Name) {
							yield(path)
						}
					}
				}
				return false
			})
		}
		for _, path := range f.DotImports() {
			yield(path)
		}
	})
}
