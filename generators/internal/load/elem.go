package load

import (
	"go/ast"
	"go/types"
)

// Elem describes the elements of a slice.
type Elem struct {
	// Of is the declaration of the elements' type, or of the type that they point to; nil
	// if it is not declared.
	Of *Type
	// Pointer reports whether the elements are pointers.
	Pointer bool
}

// Elem returns the elements of a field whose type is a slice or is declared as one. Known is
// false if they cannot be determined: in generic types, and if another package cannot be
// read.
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

// maxSteps limits the number of declarations to follow: in code that does not compile, they
// can form a cycle.
const maxSteps = 100

// elem returns the element of a slice in the file with elements of type expr.
func (f *File) elem(expr ast.Expr) (Elem, bool) {
	if star, ok := expr.(*ast.StarExpr); ok {
		t, known := f.named(ast.Unparen(star.X))
		return Elem{Of: t, Pointer: true}, known
	}
	t, known := f.named(expr)
	if t != nil && t.Spec.Assign.IsValid() { // an alias, possibly of a pointer
		if _, ok := ast.Unparen(t.Spec.Type).(*ast.StarExpr); ok {
			return t.File.elem(ast.Unparen(t.Spec.Type))
		}
	}
	return Elem{Of: t}, known
}

// named returns the declaration that an expression refers to, or nil for undeclared types.
// Known is false if the declaration cannot be determined.
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

// Same reports whether two types are identical, following aliases. It reports true if that
// cannot be determined.
func (t *Type) Same(other *Type) bool {
	a, seenA := t.unalias()
	b, seenB := other.unalias()
	return !seenA || !seenB || a == b
}

// unalias returns the declaration that an alias refers to. Known is false if it cannot be
// determined.
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
