package fields

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Prune removes from an object what the set has not, unless the decoder has done so already, and marks it. It changes
// nothing behind the pointers of the object, and in its lists and maps, which others may share: what is cut there is a
// copy. An error is that of Check. Values that are not API objects are left as they are.
func (s *Set) Prune(obj any) error {
	m, ok := obj.(metav1.Object)
	v := reflect.ValueOf(obj)
	if !ok || v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	if err := s.Check(v.Type()); err != nil {
		return err
	}
	if mark := m.GetSelfLink(); !isMarkedBy(mark, s.mark) {
		if u, untyped := obj.(*unstructured.Unstructured); !untyped {
			pruneStruct(s.root, v.Elem())
		} else if u.Object != nil {
			u.Object = pruneMembers(s.root, u.Object)
		} else {
			return nil
		}
		m.SetSelfLink(markedAlso(mark, s.mark))
	}
	if s.withoutAnnotations && m.GetAnnotations() != nil {
		m.SetAnnotations(nil)
	}
	return nil
}

// pruneStruct prunes a struct, in place.
func pruneStruct(n *Node, v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		at := v.Field(f.index)
		if f.name == "" {
			if at.CanSet() || at.Kind() == reflect.Struct { // the decoder cannot set a pointer to a type that is not exported
				prune(n, at)
			}
			continue
		}
		switch child, kept := n.Child(f.name); {
		case !kept:
			at.SetZero()
		case child != nil:
			prune(child, at)
		}
	}
}

// prune replaces a value by one of which only what n has is left. The paths of n agree with its type.
func prune(n *Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		pruneStruct(n, v)
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			prune(n, c.Elem())
			v.Set(c)
		}
	case reflect.Slice:
		if !v.IsNil() {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			for i := range c.Len() {
				prune(n, c.Index(i))
			}
			v.Set(c)
		}
	case reflect.Map:
		if !v.IsNil() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			elem := reflect.New(v.Type().Elem()).Elem()
			for entries := v.MapRange(); entries.Next(); {
				elem.Set(entries.Value())
				prune(n, elem)
				c.SetMapIndex(entries.Key(), elem)
			}
			v.Set(c)
		}
	}
}

// pruneMembers returns what n has of an untyped object.
func pruneMembers(n *Node, m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for name, v := range m {
		if child, kept := n.Child(name); kept {
			out[name] = pruneUntyped(child, v)
		}
	}
	return out
}

func pruneUntyped(n *Node, v any) any {
	if n == nil {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return pruneMembers(n, v)
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = pruneUntyped(n, v[i])
		}
		return out
	}
	return v
}
