package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// Kind is the form of a type's underlying type.
type Kind int

// The kinds.
const (
	// Unknown is the kind of types that cannot be determined; [Type.Err] has the reason.
	Unknown Kind = iota
	// Basic is the kind of predeclared booleans, numbers and strings, and of unsafe.Pointer.
	Basic
	Pointer
	Slice
	Array
	Map
	Struct
	Interface
	Func
	Chan
	// TypeParam is the kind of type parameters that stand for themselves.
	TypeParam
)

// String returns the name of the kind in lower case, such as "slice".
func (k Kind) String() string {
	names := [...]string{"unknown", "basic", "pointer", "slice", "array", "map", "struct", "interface", "func", "chan", "type parameter"}
	return names[k]
}

// Type is what a type expression denotes.
type Type struct {
	r *Resolver

	// Of a declared type.
	decl *load.Type
	args []*Type

	// Of another type: its kind, and its name or its expression.
	kind Kind
	name string
	in   scope
	expr ast.Expr
	err  error

	// alias is the declaration of the alias of [Resolver.Alias], or by which a type without a declaration was named.
	alias *load.Type

	under, elem, key atomic.Pointer[Type]
	fields           atomic.Pointer[[]*Field]
}

// Decl returns the declaration of t, or nil if it is predeclared or a literal.
func (t *Type) Decl() *load.Type { return t.decl }

// Alias returns the declaration of the alias by which a type without a declaration, such as string, was
// named, or that of [Resolver.Alias]; nil for other types.
func (t *Type) Alias() *load.Type { return t.alias }

// Args returns the arguments if t is an instance of a generic type.
func (t *Type) Args() []*Type { return t.args }

// Generic reports whether t is a generic type without arguments.
func (t *Type) Generic() bool {
	return t.decl != nil && t.decl.Spec.TypeParams != nil && len(t.args) == 0
}

// Name returns the name of t without its package: that of its declaration, or a predeclared one such
// as "string", "error" or "unsafe.Pointer"; empty for literals.
func (t *Type) Name() string {
	if t.decl != nil {
		return t.decl.Name
	}
	return t.name
}

// Path returns the import path of the package that declares t; empty if none does.
func (t *Type) Path() string {
	if t.decl != nil {
		return t.decl.File.Package.Path
	}
	return ""
}

// Is reports whether t is the declared type of this name in the package with this path.
func (t *Type) Is(path, name string) bool {
	return t.decl != nil && t.decl.Name == name && t.Path() == path
}

// Kind returns the kind of the underlying type.
func (t *Type) Kind() Kind { return t.Underlying().kind }

// Err returns the reason why a type is Unknown; otherwise nil.
func (t *Type) Err() error { return t.Underlying().err }

// File returns the file in which the expression of a literal is written, or t is declared; nil for
// predeclared types.
func (t *Type) File() *load.File {
	if t.decl != nil {
		return t.decl.File
	}
	return t.in.file
}

// Expr returns the expression that denotes a literal, and nil for other types.
func (t *Type) Expr() ast.Expr { return t.expr }

// Underlying returns the underlying type: a predeclared type or a literal.
func (t *Type) Underlying() *Type {
	return once(&t.under, func() *Type {
		u := t
		for range maxDepth {
			if u.decl == nil {
				return u
			}
			u = u.r.expr(u.r.bind(u.decl, u.args), u.decl.Spec.Type, 0)
		}
		return t.r.unknown(scope{file: t.decl.File}, t.decl.Spec.Type, fmt.Errorf("%s: %w", t, errCycle))
	})
}

// once computes the value of a pointer when it is first asked for.
func once[T any](p *atomic.Pointer[T], compute func() *T) *T {
	if v := p.Load(); v != nil {
		return v
	}
	v := compute()
	if !p.CompareAndSwap(nil, v) {
		v = p.Load()
	}
	return v
}

// Elem returns the type of the elements of an array, slice, map or channel, or that a pointer points
// to; nil for other kinds.
func (t *Type) Elem() *Type {
	u := t.Underlying()
	e := u.ElemExpr()
	if e == nil || u.kind == Unknown {
		return nil
	}
	return once(&u.elem, func() *Type { return u.r.expr(u.in, e, 0) })
}

// ElemExpr returns the expression of a literal that denotes the type of its elements, in [Type.File]; nil for other types.
func (t *Type) ElemExpr() ast.Expr {
	switch x := t.expr.(type) {
	case *ast.StarExpr:
		return x.X
	case *ast.ArrayType:
		return x.Elt
	case *ast.Ellipsis:
		return x.Elt
	case *ast.MapType:
		return x.Value
	case *ast.ChanType:
		return x.Value
	}
	return nil
}

// Key returns the type of the keys of a map; nil for other kinds.
func (t *Type) Key() *Type {
	u := t.Underlying()
	m, ok := u.expr.(*ast.MapType)
	if !ok || u.kind == Unknown {
		return nil
	}
	return once(&u.key, func() *Type { return u.r.expr(u.in, m.Key, 0) })
}

// Len returns the length of an array, or an error if its expression is not understood.
func (t *Type) Len() (int64, error) {
	u := t.Underlying()
	array, ok := u.expr.(*ast.ArrayType)
	if !ok || array.Len == nil {
		return 0, fmt.Errorf("%s is not an array", t)
	}
	return length(u.in.file, array.Len)
}

// String returns the type in Go's notation, with import paths in place of package names.
func (t *Type) String() string { return t.text(0) }

func (t *Type) text(depth int) string {
	if depth > maxDepth {
		return "..."
	}
	if t.kind == Unknown && t.expr != nil {
		return t.in.file.Source(t.expr)
	}
	switch e := t.expr.(type) {
	case *ast.StarExpr:
		return "*" + t.Elem().text(depth+1)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + t.Elem().text(depth+1)
		}
		n := t.in.file.Source(e.Len)
		if v, err := t.Len(); err == nil {
			n = strconv.FormatInt(v, 10)
		}
		return "[" + n + "]" + t.Elem().text(depth+1)
	case *ast.Ellipsis:
		return "[]" + t.Elem().text(depth+1)
	case *ast.MapType:
		return "map[" + t.Key().text(depth+1) + "]" + t.Elem().text(depth+1)
	case nil:
	default:
		return t.in.file.Source(e)
	}
	name := t.Name()
	if t.decl != nil {
		name = t.Path() + "." + name
	}
	if len(t.args) > 0 {
		name += "[" + list(t.args) + "]"
	}
	return name
}

// list returns types separated by commas.
func list(types []*Type) string {
	var all []string
	for _, t := range types {
		all = append(all, t.String())
	}
	return strings.Join(all, ",")
}

// Comparable reports whether the values of t can be compared, as the keys of maps must be. Interfaces,
// type parameters and unknown types count as comparable.
func (t *Type) Comparable() bool { return t.comparable(0) }

func (t *Type) comparable(depth int) bool {
	if depth > maxDepth {
		return true // a struct that contains itself, which does not compile
	}
	switch t.Kind() {
	case Slice, Map, Func:
		return false
	case Array:
		return t.Elem().comparable(depth + 1)
	case Struct:
		return !slices.ContainsFunc(t.Fields(), func(f *Field) bool { return !f.Type.comparable(depth + 1) })
	}
	return true
}

// Identical reports whether two types are identical.
func Identical(a, b *Type) bool {
	if a == b {
		return true
	}
	if a.decl != nil || b.decl != nil {
		return a.decl == b.decl && slices.EqualFunc(a.args, b.args, Identical)
	}
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Basic, Interface, TypeParam, Unknown:
		return cmp.Or(canonical[a.name], a.String()) == cmp.Or(canonical[b.name], b.String())
	case Pointer, Slice:
		return Identical(a.Elem(), b.Elem())
	case Map:
		return Identical(a.Key(), b.Key()) && Identical(a.Elem(), b.Elem())
	}
	return a.String() == b.String()
}

// canonical are the names that predeclared aliases stand for.
var canonical = map[string]string{"byte": "uint8", "rune": "int32", "any": "interface{}"}
