// Package dense stores the objects of a store so that reading all of them copies memory, and so that
// they can be read later, as of one moment, without a copy.
//
// A [List] needs one word for an object while all its objects are pointers of one type, as they usually
// are, and two otherwise. The words are in chunks. A [View] is the list as of one moment: it shares the
// chunks, and the list copies each of them when it is written for the first time after that. A [Latest]
// is a single object, for readers that take no lock.
//
// # Unsafe
//
// Of the packages of cache, only this one imports unsafe. Its rules:
//
//   - Only split and join know that a value of type any is two words: its type, and, if that is a
//     pointer type, the pointer. They are joined only as they were split, except that the second may be
//     replaced by that of another value of the same type: see [Latest].
//   - Pointers are stored as unsafe.Pointer, so that the garbage collector sees them.
//   - A []unsafe.Pointer is read as a []T, and a chunk of such elements as one of T, only if T is the
//     type of the list: see [AppendAs] and [AppendSomeAs].
package dense

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// List is a list of objects of any types. The zero value is empty. It can be read concurrently, except
// while it is written.
//
//	typ != nil: the objects are the pointers; otherwise they are the values
type List struct {
	typ      unsafe.Pointer // the type of all objects
	pointers chunks[unsafe.Pointer]
	values   chunks[any]

	epoch uint64 // counts views, except those that follow another without a write between them
	// viewed reports that a view was made in this epoch. Readers set it, several at once; a writer resets it. The lock
	// of the list's owner orders both, so that a view is before a write or after it.
	viewed atomic.Bool
}

// Make returns an empty list with room for n objects.
func Make(n int) *List {
	l := &List{}
	if n > 0 {
		l.pointers.room = n
	}
	return l
}

// Len returns the number of objects.
func (l *List) Len() int { return l.pointers.len + l.values.len }

// At returns the object at a position.
func (l *List) At(i int) any {
	if l.typ != nil {
		return join(l.typ, l.pointers.at(i))
	}
	return l.values.at(i)
}

// Set replaces the object at a position.
func (l *List) Set(i int, object any) {
	l.write()
	if pointer, ok := l.pointer(object); ok {
		l.pointers.set(l.epoch, i, pointer)
	} else {
		l.values.set(l.epoch, i, object)
	}
}

// Append adds an object at the end.
func (l *List) Append(object any) {
	l.write()
	if l.Len() == 0 {
		l.typ = pointerType(object)
	}
	if pointer, ok := l.pointer(object); ok {
		l.pointers.append(l.epoch, pointer)
	} else {
		l.values.append(l.epoch, object)
	}
}

// RemoveLast removes the object at the end.
func (l *List) RemoveLast() {
	l.write()
	if l.typ != nil {
		l.pointers.removeLast(l.epoch)
	} else {
		l.values.removeLast(l.epoch)
	}
}

// AppendTo appends all objects to a slice.
func (l *List) AppendTo(out []any) []any {
	out = slices.Grow(out, l.Len())
	for i := range l.values.chunks {
		out = append(out, l.values.chunks[i].elements...)
	}
	to := out[len(out) : len(out)+l.pointers.len]
	for i := range l.pointers.chunks {
		pointers := l.pointers.chunks[i].elements
		part := to[:len(pointers)]
		for i, pointer := range pointers {
			part[i] = join(l.typ, pointer)
		}
		to = to[len(pointers):]
	}
	return out[:len(out)+l.pointers.len]
}

// AppendSomeTo appends the objects at some positions to a slice.
func (l *List) AppendSomeTo(out []any, positions []uint32) []any {
	out = slices.Grow(out, len(positions))
	to := out[len(out) : len(out)+len(positions)]
	if l.typ == nil {
		for i, pos := range positions {
			to[i] = l.values.at(int(pos))
		}
	} else {
		chunks := l.pointers.chunks
		for i, pos := range positions {
			to[i] = join(l.typ, at(chunks, int(pos)))
		}
	}
	return out[:len(out)+len(positions)]
}

// AppendAs appends all objects of a list to a slice. If one of them is not a T, it appends those before
// it, and returns it.
func AppendAs[T any](l *List, out []T) (all []T, other any, ok bool) {
	out = slices.Grow(out, l.Len())
	var none T
	if l.typ != nil && l.typ == pointerType(none) {
		for i := range l.pointers.chunks {
			out = append(out, *(*[]T)(unsafe.Pointer(&l.pointers.chunks[i].elements))...)
		}
		return out, nil, true
	}
	for i := range l.Len() {
		object := l.At(i)
		t, ok := object.(T)
		if !ok {
			return out, object, false
		}
		out = append(out, t)
	}
	return out, nil, true
}

// AppendSomeAs is [AppendAs] for the objects at some positions.
func AppendSomeAs[T any](l *List, positions []uint32, out []T) (all []T, other any, ok bool) {
	out = slices.Grow(out, len(positions))
	var none T
	if l.typ != nil && l.typ == pointerType(none) {
		chunks := *(*[]chunk[T])(unsafe.Pointer(&l.pointers.chunks))
		for _, pos := range positions {
			out = append(out, at(chunks, int(pos)))
		}
		return out, nil, true
	}
	for _, pos := range positions {
		object := l.At(int(pos))
		t, ok := object.(T)
		if !ok {
			return out, object, false
		}
		out = append(out, t)
	}
	return out, nil, true
}

// write prepares a write: the chunks of views are not changed.
func (l *List) write() {
	if l.viewed.Load() {
		l.epoch++
		l.viewed.Store(false)
	}
}

// pointer returns an object as an element of pointers, if all objects are pointers of its type. If they
// were until now, they become values.
func (l *List) pointer(object any) (unsafe.Pointer, bool) {
	if l.typ == nil {
		return nil, false
	}
	typ, pointer := split(object)
	if typ == l.typ {
		return pointer, true
	}
	values := chunks[any]{room: l.pointers.len + 1}
	for i := range l.pointers.len {
		values.append(l.epoch, join(l.typ, l.pointers.at(i)))
	}
	l.typ, l.pointers, l.values = nil, chunks[unsafe.Pointer]{}, values
	return nil, false
}
