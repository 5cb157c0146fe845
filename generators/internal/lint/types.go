package lint

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// basic checks one type that a field or type consists of, and returns what is wrong with it, or "".
type basic func(t *resolve.Type) string

func integers(t *resolve.Type) string {
	switch t.Name() {
	case "int", "int8", "int16":
		return "type " + t.Name() + " is not portable in APIs; use int32 or int64, with a maximum and minimum if it needs them"
	case "uint", "uint8", "uint16", "uint32", "uint64", "byte", "uintptr":
		return "unsigned type " + t.Name() + " is not supported by all clients; use int32 or int64 with +kubebuilder:validation:Minimum=0"
	}
	return ""
}

func bools(t *resolve.Type) string {
	if t.Name() == "bool" {
		return "a bool cannot get a third value later; use a string with an enum of two"
	}
	return ""
}

func floats(t *resolve.Type) string {
	if t.Name() == "float32" || t.Name() == "float64" {
		return "a floating-point number can change when it is encoded and decoded; use an integer of a smaller unit, or resource.Quantity"
	}
	return ""
}

func durations(t *resolve.Type) string {
	if t.Is("time", "Duration") || t.Is("k8s.io/apimachinery/pkg/apis/meta/v1", "Duration") {
		return "a duration must be parsed by clients in the syntax of Go; use an integer with the unit in its name, such as timeoutSeconds"
	}
	return ""
}

// basicField returns a check of the types in a field.
func basicField(check basic) func(*checker, *field) {
	return func(c *checker, f *field) {
		if problem := c.within(check, f.file, f.syntax.Type, 0); problem != "" {
			c.errorf(f.pos, nil, "field %s: %s", f.name, problem)
		}
	}
}

// basicType returns a check of the types in a declaration that is no struct.
func basicType(check basic) func(*checker, *typ) {
	return func(c *checker, t *typ) {
		if problem := c.within(check, t.File, t.Spec.Type, 0); problem != "" {
			c.errorf(t.pos, nil, "type %s: %s", t.Name, problem)
		}
	}
}

// within checks the types in an expression: behind pointers, elements and keys, and in the declarations of
// the package.
func (c *checker) within(check basic, file *load.File, e ast.Expr, depth int) string {
	const deep = 50
	if depth > deep {
		return ""
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return c.within(check, file, e.X, depth+1)
	case *ast.ArrayType:
		if id, ok := e.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "uint8") {
			return "" // encoded as a string
		}
		return c.within(check, file, e.Elt, depth+1)
	case *ast.MapType:
		if problem := c.within(check, file, e.Key, depth+1); problem != "" {
			return problem
		}
		return c.within(check, file, e.Value, depth+1)
	case *ast.SelectorExpr:
		return check(c.resolver.Expr(file, e))
	case *ast.Ident:
		t, err := file.Resolve(e)
		if err != nil {
			return ""
		}
		if t == nil {
			return check(c.resolver.Expr(file, e))
		}
		if _, isStruct := t.Spec.Type.(*ast.StructType); isStruct {
			return ""
		}
		return c.within(check, t.File, t.Spec.Type, depth+1)
	}
	return ""
}

// noMaps allows maps from strings to strings only.
func noMaps(c *checker, f *field) {
	if isMap(c.resolved(f)) {
		c.errorf(f.pos, nil, "field %s: a map from names to values is hard to tell from an object, and its entries cannot be extended; use a list with +listType=map and a name in each element", f.name)
	}
}

func noMapsType(c *checker, t *typ) {
	if isMap(c.resolver.Expr(t.File, t.Spec.Type)) {
		c.errorf(t.pos, nil, "type %s: a map from names to values is hard to tell from an object, and its entries cannot be extended; use a list with +listType=map and a name in each element", t.Name)
	}
}

// isMap reports whether a type is a map, except from strings to strings, or a pointer to one.
func isMap(t *resolve.Type) bool {
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	return t.Kind() == resolve.Map && (!isString(t.Key()) || !isString(t.Elem()))
}

// arrayOfStruct requires that structs in lists have a required field.
func arrayOfStruct(c *checker, f *field) {
	t := c.resolved(f)
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	if t.Kind() != resolve.Slice && t.Kind() != resolve.Array {
		return
	}
	elem := t.Elem()
	if elem.Kind() == resolve.Pointer {
		elem = elem.Elem()
	}
	if elem.Kind() != resolve.Struct || elem.Path() != "" && elem.Path() != f.file.Package.Path || c.hasRequired(elem, 0) {
		return
	}
	c.errorf(f.pos, nil, "field %s: no field of the elements is required, so that elements can be empty; mark one with +required", f.name)
}

// hasRequired reports whether a struct has a required field, or needs one of several.
func (c *checker) hasRequired(t *resolve.Type, depth int) bool {
	const deep = 20
	if depth > deep {
		return true
	}
	if d := t.Decl(); d != nil && find(marks(d.OwnLines()), "kubebuilder:validation:ExactlyOneOf", "kubebuilder:validation:AtLeastOneOf") != nil {
		return true
	}
	s, ok := t.Underlying().Expr().(*ast.StructType)
	if !ok {
		return true
	}
	for i := range s.Fields.List {
		if find(marks(fieldLines(t.Underlying().File(), s, i)), required...) != nil {
			return true
		}
	}
	return slices.ContainsFunc(t.Fields(), func(f *resolve.Field) bool {
		return f.Embedded && !strings.Contains(f.Tag, `json:"`) && f.Type.Kind() == resolve.Struct && c.hasRequired(f.Type, depth+1)
	})
}

// maxLength requires bounds of strings and lists.
func maxLength(c *checker, f *field) {
	all := c.all(f)
	t := c.resolved(f)
	if t.Kind() == resolve.Pointer {
		t = t.Elem()
	}
	switch {
	case isString(t):
		if !bounded(all, "kubebuilder:validation:") {
			c.errorf(f.pos, nil, "field %s: a string needs a maximum length, with which the cost of rules in CEL is estimated; add +kubebuilder:validation:MaxLength", f.name)
		}
	case t.Kind() == resolve.Slice || t.Kind() == resolve.Array:
		if find(all, "kubebuilder:validation:MaxItems") == nil {
			c.errorf(f.pos, nil, "field %s: a list needs a maximum length, with which the cost of rules in CEL is estimated; add +kubebuilder:validation:MaxItems", f.name)
		}
		elem := t.Elem()
		if elem.Kind() == resolve.Pointer {
			elem = elem.Elem()
		}
		if isString(elem) && !bounded(all, "kubebuilder:validation:items:") && !bounded(declared(elem), "kubebuilder:validation:") {
			c.errorf(f.pos, nil, "field %s: strings of a list need a maximum length; add +kubebuilder:validation:items:MaxLength", f.name)
		}
	}
}

// declared returns the markers of a type's declaration.
func declared(t *resolve.Type) []mark {
	if t.Decl() == nil {
		return nil
	}
	return marks(t.Decl().OwnLines())
}

// isString reports whether values of a type are strings in JSON.
func isString(t *resolve.Type) bool {
	if t.Kind() == resolve.Slice {
		return t.Elem().Name() == "byte" || t.Elem().Name() == "uint8"
	}
	return t.Kind() == resolve.Basic && t.Underlying().Name() == "string"
}

// bounded reports whether markers with a prefix bound the length of a string.
func bounded(all []mark, prefix string) bool {
	if find(all, prefix+"MaxLength", prefix+"Enum") != nil {
		return true
	}
	format := find(all, prefix+"Format")
	return format != nil && slices.Contains([]string{"date", "date-time", "duration"}, format.value)
}
