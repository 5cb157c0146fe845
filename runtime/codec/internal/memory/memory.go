// Package memory writes values of Go types that are known by reflection, at the cost of an assignment. It is the only
// package of the decoder that imports unsafe.
//
// # Rules
//
//   - A [Place] is the memory of one value: of a field, an element or what a pointer points to. Places are made from
//     pointers that reflect returned, and from other places with offsets and types that reflect returned, so that
//     they never leave the value that they were made from.
//   - A place is used as a type with the memory layout of its own: the type itself, or another with the same
//     underlying type ([As]); for a pointer or slice, one whose elements are like this. So is a map whose keys have
//     a type of kind string used as one by strings: package reflect sets elements of both by the same functions.
//   - Pointers are stored by assignments of pointers, never as numbers, so that the garbage collector sees them, and
//     always to memory of the type that they say.
//   - The memory of an [Arena] has no pointers in it. What it hands out is never written again once it is a string,
//     does not overlap, and is aligned for its type.
//
// The race detector and the compiler's -d=checkptr check these rules in tests.
package memory

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Place is the memory of a value.
type Place struct{ p unsafe.Pointer }

// Of returns the place of the value that pointer, a non-nil pointer, points to.
func Of(pointer reflect.Value) Place { return Place{pointer.UnsafePointer()} }

// New returns the place of a new, empty value of type t.
func New(t reflect.Type) Place { return Place{reflect.New(t).UnsafePointer()} }

// At returns the place of the field with that offset, or of the element that begins there.
func (p Place) At(offset uintptr) Place { return Place{unsafe.Add(p.p, offset)} }

// As returns a pointer to the value as a T.
func As[T any](p Place) *T { return (*T)(p.p) }

// Pointer returns a pointer to the value, which has type t.
func (p Place) Pointer(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.p) }

// Point makes the pointer or map at p point to what another of its type points to, or to a new value of its type.
func (p Place) Point(to Place) { *(*unsafe.Pointer)(p.p) = to.p }

// Target returns what the pointer, slice or map at p points to.
func (p Place) Target() Place { return Place{*(*unsafe.Pointer)(p.p)} }

// Len returns the length of the slice at p.
func (p Place) Len() int { return (*slice)(p.p).len }

// IsNil reports whether there is no such place.
func (p Place) IsNil() bool { return p.p == nil }

// IsZero reports whether the value, which has that size, consists of zeros.
func (p Place) IsZero(size uintptr) bool {
	b := unsafe.Slice((*byte)(p.p), size)
	for len(b) >= len(zeros) {
		if [len(zeros)]byte(b) != zeros {
			return false
		}
		b = b[len(zeros):]
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// zeros are compared with at once.
var zeros [64]byte

// SetMap makes the map at p, which has the type of m, the map m.
func (p Place) SetMap(m reflect.Value) { *(*unsafe.Pointer)(p.p) = m.UnsafePointer() }

// slice is what the runtime stores of a slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// SetSlice makes the slice at p one of the first n elements of an array of its type with room for size.
func (p Place) SetSlice(array Place, n, size int) { *(*slice)(p.p) = slice{array.p, n, size} }

// small is the number of elements up to which types of arrays are kept.
const small = 16

// Arrays makes arrays of the elements of a slice type. It is safe for concurrent use.
type Arrays struct {
	slice reflect.Type
	types atomic.Pointer[[small + 1]reflect.Type] // by length, made when they are needed
}

// Init sets the type of the slices.
func (a *Arrays) Init(slice reflect.Type) { a.slice = slice }

// New returns an array of n empty elements.
func (a *Arrays) New(n int) Place {
	if n > small {
		return Place{reflect.MakeSlice(a.slice, n, n).UnsafePointer()}
	}
	known := a.types.Load()
	if known == nil || known[n] == nil {
		var made [small + 1]reflect.Type
		if known != nil {
			made = *known
		}
		made[n] = reflect.ArrayOf(n, a.slice.Elem())
		a.types.Store(&made) // what another goroutine stores meanwhile is made again
		known = &made
	}
	return New(known[n])
}

// Copy returns an array of size elements with the first n of from.
func (a *Arrays) Copy(from Place, n, size int) Place {
	to := a.New(size)
	reflect.Copy(a.sliceOf(to, n), a.sliceOf(from, n))
	return to
}

// sliceOf returns the slice of the first n elements of an array.
func (a *Arrays) sliceOf(array Place, n int) reflect.Value {
	var s slice
	at := Place{unsafe.Pointer(&s)}
	at.SetSlice(array, n, n)
	return at.Pointer(a.slice).Elem()
}
