package aliases

import (
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/migration"
	"github.com/listwatch/listwatch/internal/source"
)

// Difference is a symbol that a program finds in only one of the modules, or finds different. An empty description
// means that the symbol is missing.
type Difference struct {
	// Package is below k8s.io/client-go. Symbol is as in package goapi.
	Package, Symbol string
	Theirs, Ours    string
}

// Compare returns the differences between client-go and the module in a directory, by package and symbol. Names of types
// that are aliases are resolved on both sides. That ours have more symbols, fields and methods is no difference,
// except for interfaces, which others may implement.
func Compare(set *Set, module string) ([]Difference, error) {
	var paths []string
	for _, p := range set.Packages {
		// Of a package that does not exist, all symbols are missing.
		if files, _ := filepath.Glob(filepath.Join(module, filepath.FromSlash(p.Path), "*.go")); len(files) > 0 {
			paths = append(paths, migration.ClientGo+p.Path)
		}
	}
	loaded, err := source.Outside(module, paths)
	if err != nil {
		return nil, err
	}
	r := newResolver(set, loaded)
	var all []Difference
	for _, p := range set.Packages {
		theirs := goapi.Of(p.theirs)
		ours := r.describe(loaded[migration.ClientGo+p.Path], theirs)
		for _, symbol := range slices.Sorted(maps.Keys(theirs)) {
			if !ast.IsExported(symbol) {
				continue // reached by a function's result, if at all
			}
			d := Difference{p.Path, symbol, plain(r.rename(theirs[symbol])), plain(r.rename(ours[symbol]))}
			if !covers(d.Ours, d.Theirs) {
				all = append(all, d)
			}
		}
		for _, symbol := range slices.Sorted(maps.Keys(ours)) {
			owner, _, isMember := strings.Cut(symbol, ".")
			if isMember && theirs[symbol] == "" && theirs[owner] != "" && strings.HasPrefix(ours[symbol], "interface method") {
				all = append(all, Difference{p.Path, symbol, "", plain(r.rename(ours[symbol]))})
			}
		}
	}
	return all, nil
}

// resolver knows what the names of client-go are aliases of.
type resolver struct {
	// names are the types that those of client-go stand for, by name with import path.
	names map[string]string
	apis  map[*types.Package]goapi.API
}

func newResolver(set *Set, loaded source.Packages) *resolver {
	r := &resolver{names: map[string]string{}, apis: map[*types.Package]goapi.API{}}
	for _, p := range set.Packages {
		pkg := loaded[migration.ClientGo+p.Path]
		if pkg == nil {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			ours, theirs := pkg.Scope().Lookup(name), p.theirs.Scope().Lookup(name)
			if _, ok := ours.(*types.TypeName); !ok || theirs == nil {
				continue
			}
			to, ok := named(ours.Type())
			if !ok {
				continue
			}
			r.names[migration.ClientGo+p.Path+"."+name] = to
			// What theirs is an alias of is the same as what ours is an alias of.
			if from, ok := named(theirs.Type()); ok {
				r.names[from] = to
			}
		}
	}
	return r
}

// named returns the name of a type with its import path.
func named(t types.Type) (string, bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return "", false
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name(), true
}

// describe returns the API of a package, in which aliases have the members of their types, unless they are aliases
// in client-go too.
func (r *resolver) describe(pkg *types.Package, theirs goapi.API) goapi.API {
	api := goapi.API{}
	if pkg == nil {
		return api
	}
	maps.Copy(api, goapi.Of(pkg))
	for _, name := range pkg.Scope().Names() {
		alias, ok := pkg.Scope().Lookup(name).Type().(*types.Alias)
		if !ok || strings.HasPrefix(theirs[name], "alias") {
			continue
		}
		if target, ok := types.Unalias(alias).(*types.Named); ok && target.Obj().Pkg() != nil {
			params, _, _ := strings.Cut(strings.TrimPrefix(api[name], "alias"), " = ")
			r.merge(api, name, target.Obj())
			api[name] = typeParameters.ReplaceAllLiteralString(api[name], "type"+params+" ")
		}
	}
	return api
}

// merge describes the type of an alias as if it were declared by the alias's name.
func (r *resolver) merge(api goapi.API, name string, target *types.TypeName) {
	pkg := target.Pkg()
	if r.apis[pkg] == nil {
		r.apis[pkg] = goapi.Of(pkg)
	}
	for symbol, description := range r.apis[pkg] {
		if symbol == target.Name() {
			api[name] = description
		} else if member, ok := strings.CutPrefix(symbol, target.Name()+"."); ok {
			api[name+"."+member] = description
		}
	}
}

var (
	typeParameters = regexp.MustCompile(`^type\[.*?\] `)

	qualified = regexp.MustCompile(`\w[\w.-]*(/[\w.-]+)+\.\w+`)
	hidden    = regexp.MustCompile(`\w[\w.-]*(?:/[\w.-]+)+\.([a-z]\w*)`)
	embeds    = regexp.MustCompile(`type(\[.*?\])? interface\{[^{}]*\}`)
	shape     = regexp.MustCompile(`^(type(?:\[.*?\])? struct)\{[^{}]*\}(?: with unexported fields)?(, comparable)?`)
)

// rename replaces the names of types that are aliases.
func (r *resolver) rename(description string) string {
	return qualified.ReplaceAllStringFunc(description, func(name string) string {
		if to, ok := r.names[name]; ok {
			return to
		}
		return name
	})
}

// plain leaves out of a description what a program cannot depend on: which interfaces an interface embeds, as
// its methods are compared one by one; the list of a struct's fields, likewise; and the packages of unexported
// types.
func plain(description string) string {
	if !strings.Contains(description, "interface{comparable") {
		description = embeds.ReplaceAllString(description, "type$1 interface")
	}
	description = shape.ReplaceAllString(description, "$1$2")
	return hidden.ReplaceAllString(description, "$1")
}

// covers reports whether ours can do what theirs can: a method of a value is also one of its pointer, a promoted
// field is used like a field, and what can be compared need not be.
func covers(ours, theirs string) bool {
	ours = strings.TrimPrefix(ours, "promoted ")
	if rest, ok := strings.CutPrefix(theirs, "method (*T) "); ok {
		ours = strings.TrimPrefix(strings.TrimPrefix(ours, "method (T) "), "method (*T) ")
		theirs = rest
	}
	return ours == theirs || ours == theirs+", comparable"
}
