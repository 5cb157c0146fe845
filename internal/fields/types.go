package fields

import (
	"go/types"
	"reflect"
	"strings"
)

// schema answers questions about Go types of API data. Its maps remember the answers.
type schema struct {
	leaves map[types.Type]bool
	tagged map[*types.Struct]bool
}

func newSchema() *schema {
	return &schema{leaves: map[types.Type]bool{}, tagged: map[*types.Struct]bool{}}
}

// pointee returns a type without its pointers.
func pointee(t types.Type) types.Type {
	for {
		p, ok := types.Unalias(t).(*types.Pointer)
		if !ok {
			return types.Unalias(t)
		}
		t = p.Elem()
	}
}

// element returns what lists, maps, channels and pointers finally contain.
func element(t types.Type) types.Type {
	for {
		t = types.Unalias(t)
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		case *types.Chan:
			t = u.Elem()
		default:
			return t
		}
	}
}

// items returns the type of the elements of a list or map; nil for other types.
func items(t types.Type) types.Type {
	switch u := pointee(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// named returns a type as a named struct, without pointers; nil for other types.
func named(t types.Type) *types.Named {
	n, ok := pointee(t).(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n
}

// embeds reports whether a struct embeds one with this name. Some projects have smaller types of their own for metadata.
func embeds(s *types.Struct, name string) bool {
	for f := range s.Fields() {
		if n := named(f.Type()); f.Embedded() && n != nil && n.Obj().Name() == name {
			return true
		}
	}
	return false
}

// hasMetadata reports whether a struct has the metadata of an object, rather than of a list.
func hasMetadata(s *types.Struct) bool {
	for i := range s.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == "metadata" {
			n := named(s.Field(i).Type())
			return n == nil || n.Obj().Name() != "ListMeta"
		}
	}
	return false
}

// isKind reports whether a type is an API object.
func isKind(t types.Type) bool {
	n := named(t)
	if n == nil || n.Obj().Name() == "PartialObjectMetadata" {
		return false
	}
	if isUntyped(n) {
		return true
	}
	s := n.Underlying().(*types.Struct)
	return embeds(s, "TypeMeta") && hasMetadata(s)
}

// isUntyped reports whether a type is that of objects without Go types.
func isUntyped(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == "Unstructured" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == metaPath+"/unstructured"
}

// listed returns the kind of a list type's items; nil for other types.
func listed(t types.Type) *types.Named {
	n := named(t)
	if n == nil {
		return nil
	}
	s := n.Underlying().(*types.Struct)
	if !embeds(s, "ListMeta") {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == "Items" {
			if of := items(f.Type()); of != nil && isKind(of) {
				return named(of)
			}
		}
	}
	return nil
}

// kindOf returns the kind that a type is, or is a list of.
func kindOf(t types.Type) *types.Named {
	if isKind(t) {
		return named(t)
	}
	return listed(t)
}

// isData reports whether a type is a struct that is encoded as JSON with names of its own.
func (s *schema) isData(t types.Type) bool {
	u, ok := pointee(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	known, ok := s.tagged[u]
	if !ok {
		for i := range u.NumFields() {
			if _, has := reflect.StructTag(u.Tag(i)).Lookup("json"); has {
				known = true
			}
		}
		s.tagged[u] = known
	}
	return known
}

// isValue reports whether a type is API data, rather than a pointer to it.
func (s *schema) isValue(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return !pointer && s.isData(t)
}

// jsonName returns the JSON name of a field of API data, which is empty for the fields of an inlined struct. ok is false
// for what is not API data.
func (s *schema) jsonName(of types.Type, i int) (name string, ok bool) {
	if !s.isData(of) {
		return "", false
	}
	u := pointee(of).Underlying().(*types.Struct)
	tag, has := reflect.StructTag(u.Tag(i)).Lookup("json")
	if !has || tag == "-" {
		return "", false
	}
	name, options, _ := strings.Cut(tag, ",")
	f := u.Field(i)
	switch {
	case name != "":
		return name, true
	case f.Embedded() || strings.Contains(options, "inline"):
		return "", true
	}
	return f.Name(), true
}

// isLeaf reports whether a field of this type is read as a whole: it has no fields that API objects name.
func (s *schema) isLeaf(t types.Type) bool {
	t = element(t)
	known, ok := s.leaves[t]
	if !ok {
		known = !s.isData(t) || decodes(t)
		s.leaves[t] = known
	}
	return known
}

// decodes reports whether a type decodes itself.
func decodes(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "UnmarshalJSON") != nil
}

// isContainer reports whether assignments of this type share memory that can later hold other objects: lists, maps,
// channels and pointers, except those to API data, whose writes are followed by path.
func (s *schema) isContainer(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return !s.isValue(u.Elem())
	case *types.Slice:
		return !s.isValue(u.Elem())
	case *types.Map, *types.Chan:
		return true
	}
	return false
}
