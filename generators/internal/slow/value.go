package slow

import (
	"slices"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// ending is what a value consists of behind pointers, slices and maps. At most one of exact, itself and structure is
// set; none is for values that are fast.
type ending struct {
	exact     string        // the reason why the exact decoder decodes all of the value
	itself    *resolve.Type // a type that is decoded by its method
	structure *resolve.Type
	suffix    string // of the path: [] for each slice and map
}

// itself is the reason for fields that are decoded by a method.
const itself = "has a method UnmarshalJSON"

const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// named is a declared type.
type named struct{ path, name string }

// specials are types whose methods are known, and not called. So are pointers to them.
var specials = []named{
	{metav1, "Time"},
	{metav1, "MicroTime"},
	{metav1, "Duration"},
	{"k8s.io/apimachinery/pkg/util/intstr", "IntOrString"},
	{"k8s.io/apimachinery/pkg/api/resource", "Quantity"},
	{"k8s.io/apimachinery/pkg/runtime", "RawExtension"},
	{"encoding/json", "RawMessage"},
	{"encoding/json/jsontext", "Value"}, // what RawMessage is with encoding/json/v2
}

// isSpecial reports whether t is one of the specials.
func isSpecial(t *resolve.Type) bool {
	return slices.ContainsFunc(specials, func(s named) bool { return t.Is(s.path, s.name) })
}

// value returns what values of t consist of. Open are the types that contain t other than by structs.
func value(t *resolve.Type, open []*resolve.Type) ending {
	kind := t.Kind()
	switch {
	case isSpecial(t), isAny(t):
		return ending{}
	case kind == resolve.Pointer && t.Decl() == nil:
		if t.Elem().Is(metav1, "FieldsV1") {
			return ending{}
		}
	case kind == resolve.Interface:
		return ending{exact: "interfaces other than any"}
	case kind == resolve.Struct || t.Decl() != nil:
		m := find(t, unmarshalJSON)
		switch {
		case m != nil && t.Decl() == nil && m.addressed:
			return ending{exact: "unnamed types whose pointers have methods"} // which count in some places only
		case m != nil:
			return ending{itself: t}
		case implements(t, unmarshalText):
			return ending{exact: "has a method UnmarshalText"}
		case t.Is("encoding/json", "Number"):
			return ending{exact: "json.Number"}
		}
	}
	switch kind {
	case resolve.Basic:
		return basic(t.Underlying().Name())
	case resolve.Struct:
		return ending{structure: t}
	case resolve.Pointer:
		switch e := t.Elem(); {
		case e.Kind() == resolve.Pointer:
			return ending{exact: "pointers to pointers"}
		case t.Decl() != nil && (isSpecial(e) || find(e, unmarshalJSON) != nil || implements(e, unmarshalText)):
			return ending{exact: "named pointers to types with methods"} // which do not count
		}
		return elem(t, "", open)
	case resolve.Slice:
		if e := t.Elem(); isByte(e.Underlying()) {
			if e.Decl() != nil {
				return ending{exact: "slices of named bytes"}
			}
			return ending{}
		}
		return elem(t, "[]", open)
	case resolve.Map:
		key := t.Key()
		if key.Kind() == resolve.Unknown {
			return ending{}
		}
		if key.Underlying().Name() != "string" || implements(key, unmarshalText) {
			return ending{exact: "maps by other keys than strings"}
		}
		return elem(t, "[]", open)
	case resolve.Array:
		return ending{exact: "arrays"}
	case resolve.Func, resolve.Chan:
		return ending{exact: kind.String()}
	}
	return ending{}
}

// elem returns what the elements of t consist of, or what it points to.
func elem(t *resolve.Type, suffix string, open []*resolve.Type) ending {
	if slices.ContainsFunc(open, func(o *resolve.Type) bool { return resolve.Identical(o, t) }) {
		return ending{exact: "types that contain themselves other than by structs"}
	}
	end := value(t.Elem(), append(slices.Clip(open), t))
	end.suffix = suffix + end.suffix
	return end
}

// basic returns the ending of a predeclared type.
func basic(name string) ending {
	switch name {
	case "uintptr", "complex64", "complex128", "unsafe.Pointer":
		return ending{exact: name}
	}
	return ending{}
}

func isByte(t *resolve.Type) bool { return t.Name() == "byte" || t.Name() == "uint8" }

// isAny reports whether t is any, which interface{} also denotes.
func isAny(t *resolve.Type) bool {
	return t.Decl() == nil && t.Kind() == resolve.Interface && (t.Name() == "any" || t.Name() == "" && isEmpty(t))
}
