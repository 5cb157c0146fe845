package dense

import (
	"reflect"
	"unsafe"
)

// words are the two words of a value of type any.
type words struct{ typ, data unsafe.Pointer }

// split returns the words of a value. The second one is the value only if its type is a pointer type.
func split(object any) (typ, data unsafe.Pointer) {
	w := (*words)(unsafe.Pointer(&object))
	return w.typ, w.data
}

// join returns the pointer of a pointer type.
func join(typ, pointer unsafe.Pointer) any {
	w := words{typ, pointer}
	return *(*any)(unsafe.Pointer(&w))
}

// pointerType returns the type of a pointer, nil for everything else.
func pointerType(object any) unsafe.Pointer {
	if t := reflect.TypeOf(object); t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	typ, _ := split(object)
	return typ
}
