package model

import "go/token"

// CopiesFile is the name of the generated file with a package's [Copies].
const CopiesFile = "zz_generated.deepcopy.go"

// Copies are the deepcopy functions of a package's types, for a generated file. Types are sorted by
// name; a package without any has no file.
type Copies struct {
	Types []*CopiedType
	// Unread reports whether they could not be determined, because another package could not be read.
	// An earlier file then stays.
	Unread bool
}

// CopiedType is a type with the deepcopy functions to generate for it.
type CopiedType struct {
	// Name is the type's name; that of a generic type ends in its type parameters.
	Name string
	// Reference reports whether the type is a map or slice, whose functions have a receiver that is
	// not a pointer.
	Reference bool
	// Into is the body of DeepCopyInto; nil if the function is written by hand.
	Into *Copy
	// Method reports whether DeepCopy is generated.
	Method bool
	// Objects are the interfaces that the generated functions such as DeepCopyObject return, sorted;
	// ByValue reports whether the receivers of these functions are not pointers.
	Objects []TypeRef
	ByValue bool
	// Pos is the type's position.
	Pos token.Position
}

// CopyForm is a way to copy a value.
type CopyForm string

// The forms.
const (
	// CopyAssign assigns the value.
	CopyAssign CopyForm = "assign"
	// CopyFunctions calls the generated functions of a struct.
	CopyFunctions CopyForm = "functions"
	// CopyPointerMethod calls a DeepCopy that returns a pointer, or a DeepCopyInto; CopyMethod one that
	// returns a value.
	CopyPointerMethod CopyForm = "pointer method"
	CopyMethod        CopyForm = "method"
	// CopyInterface calls the method of an interface.
	CopyInterface CopyForm = "interface"
	// CopyMap, CopySlice and CopyPointer allocate, and copy what is in it.
	CopyMap     CopyForm = "map"
	CopySlice   CopyForm = "slice"
	CopyPointer CopyForm = "pointer"
	// CopyStruct copies the fields: of the type itself, or of a struct without a name in it.
	CopyStruct CopyForm = "struct"
)

// Copy is how a value is copied.
type Copy struct {
	Form CopyForm
	// Type is the type to allocate: that of a map or slice, or that to which a pointer points. It is nil for a slice of, or
	// a pointer to, a struct without a name.
	Type *Type
	// Underlying is the underlying type of a map, slice or pointer.
	Underlying *Type
	// Method is the name of the method of an interface.
	Method string
	// Elem is how the values of a map, the elements of a slice, or what a pointer points to are
	// copied.
	Elem *Copy
	// Fields are the fields of a struct that assigning it does not copy, or that generated code
	// assigns again, in the order of the source.
	Fields []*CopiedField
}

// CopiedField is how a field is copied.
type CopiedField struct {
	Name string
	*Copy
}

// Walk calls f for every type that the functions name.
func (c *Copies) Walk(f func(*Type)) {
	for _, t := range c.Types {
		t.Into.walk(f)
	}
}

func (c *Copy) walk(f func(*Type)) {
	if c == nil {
		return
	}
	c.Type.walk(f)
	c.Underlying.walk(f)
	c.Elem.walk(f)
	for _, field := range c.Fields {
		field.walk(f)
	}
}

func (t *Type) walk(f func(*Type)) {
	if t == nil {
		return
	}
	f(t)
	t.Key.walk(f)
	t.Elem.walk(f)
	for _, p := range t.Parts {
		p.Type.walk(f)
	}
}

func (c *Copies) clone() *Copies {
	if c == nil {
		return nil
	}
	copied := &Copies{Types: make([]*CopiedType, len(c.Types)), Unread: c.Unread}
	for i, t := range c.Types {
		typ := *t
		typ.Into = t.Into.clone()
		typ.Objects = append([]TypeRef(nil), t.Objects...)
		copied.Types[i] = &typ
	}
	return copied
}

func (c *Copy) clone() *Copy {
	if c == nil {
		return nil
	}
	copied := *c
	copied.Type, copied.Underlying, copied.Elem = c.Type.clone(), c.Underlying.clone(), c.Elem.clone()
	copied.Fields = nil
	for _, f := range c.Fields {
		copied.Fields = append(copied.Fields, &CopiedField{Name: f.Name, Copy: f.clone()})
	}
	return &copied
}
