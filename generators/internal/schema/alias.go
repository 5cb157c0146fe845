package schema

import (
	"bytes"
	"go/ast"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// An alias of another type than a declared one, such as string, is described by its own comment and markers. An alias of
// a declared type is that type; as in controller-gen, its own comment and markers count only for a field that names it
// by a selector, as in shared.Alias, or by another alias that refers to it.

// aliasOf returns the declaration of the alias that describes a field of the type that e denotes; nil if none does.
func (r *reader) aliasOf(f *load.File, e ast.Expr) *load.Type {
	decl := r.Resolver.Named(f, e)
	if decl == nil || !isAlias(decl) {
		return nil
	}
	if _, selector := ast.Unparen(e).(*ast.SelectorExpr); selector {
		return decl
	}
	if next := r.Resolver.Named(decl.File, decl.Spec.Type); next != nil && isAlias(next) {
		return next
	}
	return nil
}

// isAlias reports whether a declaration is that of an alias. Generic aliases do not count.
func isAlias(decl *load.Type) bool { return decl.Spec.Assign.IsValid() && decl.Spec.TypeParams == nil }

// aliases checks the markers of the aliases of declared types in a package that describe no field.
func (r *reader) aliases(p *load.Package) {
	used := r.used()
	p.FilesWhere(func(f *load.File) bool {
		for _, t := range f.Types() {
			if used[t] || !t.Spec.Assign.IsValid() || r.Resolver.Decl(t).Decl() == nil {
				continue
			}
			groups, _ := typeComments(t)
			for _, m := range r.parse(f, kubemarker.OnType, kubemarker.Lines(f, groups...)) {
				r.warnf(m.Pos, "+%s has no effect, because %s is an alias of another type; move it to the declaration of that type, or declare %s without =", m.Written(), t.Name, t.Name)
			}
		}
		return true
	}, func(src []byte) bool {
		return bytes.Contains(src, []byte("// +")) && bytes.Contains(src, []byte(" = "))
	})
}

// used returns the declarations that schemas refer to.
func (r *reader) used() map[*load.Type]bool {
	used := map[*load.Type]bool{}
	for t := range r.types {
		used[declarationOf(t)] = true
	}
	return used
}
