package dense

import (
	"reflect"
	"unsafe"
)

// words are the two words of a value of type any, as the compiler gc represents it. init checks that.
type words struct{ typ, data unsafe.Pointer }

func init() {
	object := any(new(int))
	if join(split(object)) != object {
		panic("listwatch: this compiler does not represent interfaces by type and pointer; compile with gc")
	}
}

// split returns the words of a value. The second one is the value only if its type is a pointer type;
// otherwise it may point to the value, which never changes.
func split(object any) (typ, data unsafe.Pointer) {
	w := (*words)(unsafe.Pointer(&object))
	return w.typ, w.data
}

// join returns the value that has these words.
func join(typ, data unsafe.Pointer) any {
	w := words{typ, data}
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
