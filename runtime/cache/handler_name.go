package cache

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// nameForHandler describes a handler: by where its functions are, or by its type.
func nameForHandler(handler any) string {
	switch h := handler.(type) {
	case interface{ callbacks() []any }:
		if v := reflect.ValueOf(handler); v.Kind() == reflect.Pointer && v.IsNil() {
			break
		}
		if name := nameForFunctions(h.callbacks()); name != "" {
			return name
		}
	case interface{ unwrap() any }:
		if v := reflect.ValueOf(handler); v.Kind() == reflect.Pointer && v.IsNil() {
			break
		}
		if inner := h.unwrap(); inner != nil {
			return nameForHandler(inner)
		}
	case interface{ Unwrap() any }: // of another package, such as module clientgo
		if inner := h.Unwrap(); inner != nil {
			return nameForHandler(inner)
		}
	}
	t := reflect.TypeOf(handler)
	if t == nil {
		return "<nil>"
	}
	if t.Kind() == reflect.Pointer && !reflect.ValueOf(handler).IsNil() {
		t = t.Elem()
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return fmt.Sprintf("%T", handler)
	}
	return t.PkgPath() + "." + t.Name()
}

// nameForFunctions returns the common prefix of the functions' names, if they belong to one
// function or type, otherwise all names.
func nameForFunctions(functions []any) string {
	var names, owners []string
	for _, f := range functions {
		name := nameOfFunction(f)
		if name == "" {
			continue
		}
		owner := name
		if dot := strings.LastIndexByte(owner, '.'); dot > 0 {
			owner = owner[:dot]
		}
		names, owners = append(names, name), append(owners, owner)
	}
	if owners = slices.Compact(owners); len(owners) == 1 {
		return owners[0]
	}
	return strings.Join(names, "+")
}

// nameOfFunction returns the name of a function with its package, empty if f is nil.
func nameOfFunction(f any) string {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return ""
	}
	return fn.Name()
}
