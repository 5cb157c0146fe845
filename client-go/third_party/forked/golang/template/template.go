// Package template has what JSONPath templates share with Go's: comparisons of values by kind, and which values are
// printed. The rules are those of text/template.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
)

var (
	errType     = errors.New("invalid type for comparison")
	errTypes    = errors.New("incompatible types for comparison")
	errArgument = errors.New("missing argument for comparison")
)

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
)

// Indirect returns what pointers and empty interfaces lead to, and whether one of them is nil. An interface with
// methods is returned as it is.
func Indirect(v reflect.Value) (rv reflect.Value, isNil bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return v, true
		}
		if v.Kind() == reflect.Interface && v.NumMethod() > 0 {
			return v, false
		}
		v = v.Elem()
	}
	return v, false
}

// PrintableValue returns what package fmt prints for a value, and whether it can be printed: channels and functions
// cannot.
func PrintableValue(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer {
		v, _ = Indirect(v)
	}
	if !v.IsValid() {
		return "<no value>", true
	}
	switch {
	case printsItself(v.Type()):
	case v.CanAddr() && printsItself(reflect.PointerTo(v.Type())):
		v = v.Addr()
	case v.Kind() == reflect.Chan || v.Kind() == reflect.Func:
		return nil, false
	}
	return v.Interface(), true
}

func printsItself(t reflect.Type) bool { return t.Implements(errorType) || t.Implements(stringerType) }

// Equal reports whether arg1 equals one of arg2. Values of different kinds are an error, except for integers with and
// without sign.
func Equal(arg1 any, arg2 ...any) (bool, error) {
	a, err := basicOf(arg1)
	if err != nil {
		return false, err
	}
	if len(arg2) == 0 {
		return false, errArgument
	}
	for _, arg := range arg2 {
		b, err := basicOf(arg)
		if err != nil {
			return false, err
		}
		if a.kind == complexKind && b.kind == complexKind {
			if a.Complex() == b.Complex() {
				return true, nil
			}
			continue
		}
		if a.kind == boolKind && b.kind == boolKind {
			if a.Bool() == b.Bool() {
				return true, nil
			}
			continue
		}
		// Not by compare: a number that is not one equals nothing.
		if a.kind == floatKind && b.kind == floatKind {
			if a.Float() == b.Float() {
				return true, nil
			}
			continue
		}
		order, err := compare(a, b)
		if err != nil {
			return false, err
		}
		if order == 0 {
			return true, nil
		}
	}
	return false, nil
}

// NotEqual reports whether arg1 and arg2 are not [Equal].
func NotEqual(arg1, arg2 any) (bool, error) {
	equal, err := Equal(arg1, arg2)
	return !equal, err
}

// Less reports whether arg1 is less than arg2: numbers, or strings by their bytes.
func Less(arg1, arg2 any) (bool, error) {
	a, err := basicOf(arg1)
	if err != nil {
		return false, err
	}
	b, err := basicOf(arg2)
	if err != nil {
		return false, err
	}
	if a.kind == floatKind && b.kind == floatKind {
		return a.Float() < b.Float(), nil
	}
	order, err := compare(a, b)
	return order < 0, err
}

// LessEqual reports whether arg1 is [Less] than arg2 or [Equal].
func LessEqual(arg1, arg2 any) (bool, error) {
	less, err := Less(arg1, arg2)
	if less || err != nil {
		return less, err
	}
	return Equal(arg1, arg2)
}

// Greater reports whether arg1 is not [LessEqual] to arg2.
func Greater(arg1, arg2 any) (bool, error) {
	lessEqual, err := LessEqual(arg1, arg2)
	if err != nil {
		return false, err
	}
	return !lessEqual, nil
}

// GreaterEqual reports whether arg1 is not [Less] than arg2.
func GreaterEqual(arg1, arg2 any) (bool, error) {
	less, err := Less(arg1, arg2)
	if err != nil {
		return false, err
	}
	return !less, nil
}

// kind is a kind of values that can be compared with each other.
type kind int

const (
	boolKind kind = iota
	complexKind
	intKind
	floatKind
	stringKind
	uintKind
)

// basic is a value that can be compared.
type basic struct {
	reflect.Value
	kind kind
}

func basicOf(arg any) (basic, error) {
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.Bool:
		return basic{v, boolKind}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return basic{v, intKind}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return basic{v, uintKind}, nil
	case reflect.Float32, reflect.Float64:
		return basic{v, floatKind}, nil
	case reflect.Complex64, reflect.Complex128:
		return basic{v, complexKind}, nil
	case reflect.String:
		return basic{v, stringKind}, nil
	}
	return basic{}, errType
}

// compare returns the order of two values: numbers other than floating-point ones, or strings.
func compare(a, b basic) (int, error) {
	switch {
	case a.kind == intKind && b.kind == uintKind:
		if a.Int() < 0 {
			return -1, nil
		}
		return cmp.Compare(uint64(a.Int()), b.Uint()), nil
	case a.kind == uintKind && b.kind == intKind:
		if b.Int() < 0 {
			return 1, nil
		}
		return cmp.Compare(a.Uint(), uint64(b.Int())), nil
	case a.kind != b.kind:
		return 0, errTypes
	case a.kind == intKind:
		return cmp.Compare(a.Int(), b.Int()), nil
	case a.kind == uintKind:
		return cmp.Compare(a.Uint(), b.Uint()), nil
	case a.kind == stringKind:
		return cmp.Compare(a.String(), b.String()), nil
	}
	return 0, errType
}
