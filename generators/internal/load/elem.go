package load

import (
	"go/ast"
	"go/types"
)

// Elem is what a slice holds.
type Elem struct {
	// Of is the declaration of the elements' type, or of the one that they point to; nil
	// if it has none.
	Of *Type
	// Pointer says that the slice holds pointers.
	Pointer bool
}

// Elem returns what a field holds whose type is a slice or is declared as one. It
// reports whether that can be seen: not in a generic type, nor where another package
// cannot be read.
func (f *Field) Elem() (elem Elem, known bool) {
	expr, file := ast.Unparen(f.Type), f.File
	for range maxSteps {
		if array, ok := expr.(*ast.ArrayType); ok {
			if array.Len != nil {
				return Elem{}, true
			}
			return file.elem(ast.Unparen(array.Elt))
		}
		t, known := file.named(expr)
		if t == nil {
			return Elem{}, known
		}
		expr, file = ast.Unparen(t.Spec.Type), t.File
	}
	return Elem{}, false
}

// maxSteps bounds how many declarations are followed: those of code that does not
// compile can lead in a circle.
const maxSteps = 100

// elem returns an element of a slice in the file, of the type that expr names.
func (f *File) elem(expr ast.Expr) (Elem, bool) {
	if star, ok := expr.(*ast.StarExpr); ok {
		t, known := f.named(ast.Unparen(star.X))
		return Elem{Of: t, Pointer: true}, known
	}
	t, known := f.named(expr)
	if t != nil && t.Spec.Assign.IsValid() { // an alias, which may be one of a pointer
		if _, ok := ast.Unparen(t.Spec.Type).(*ast.StarExpr); ok {
			return t.File.elem(ast.Unparen(t.Spec.Type))
		}
	}
	return Elem{Of: t}, known
}

// named returns the declaration that an expression names, nil if it names none. It
// reports whether that is all there is to see.
func (f *File) named(expr ast.Expr) (t *Type, known bool) {
	switch expr := expr.(type) {
	case *ast.Ident:
		t, err := f.Resolve(expr)
		if t == nil {
			return nil, err == nil && types.Universe.Lookup(expr.Name) != nil
		}
		return t, t.Spec.TypeParams == nil
	case *ast.SelectorExpr:
		t, err := f.Resolve(expr)
		return t, err == nil && t != nil && t.Spec.TypeParams == nil
	case *ast.IndexExpr, *ast.IndexListExpr:
		return nil, false
	}
	return nil, true
}

// Same reports whether two types are one, as far as can be seen: one may be an alias of
// the other.
func (t *Type) Same(other *Type) bool {
	a, seenA := t.unalias()
	b, seenB := other.unalias()
	return !seenA || !seenB || a == b
}

// unalias returns the declaration that an alias leads to, and reports whether it can be
// seen.
func (t *Type) unalias() (target *Type, known bool) {
	for range maxSteps {
		if !t.Spec.Assign.IsValid() {
			return t, true
		}
		next, _ := t.File.named(ast.Unparen(t.Spec.Type))
		if next == nil {
			return nil, false
		}
		t = next
	}
	return nil, false
}
