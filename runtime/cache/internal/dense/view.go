package dense

import "unsafe"

// View is a [List] as of one moment. It never changes, and can be read concurrently.
type View struct {
	typ      unsafe.Pointer
	pointers []chunk[unsafe.Pointer]
	values   []chunk[any]
	len      int
}

// View returns the list as it is. It does not copy it. It may be called concurrently with other reads.
func (l *List) View() View {
	if !l.viewed.Load() { // most lists are viewed more often than they are written between
		l.viewed.Store(true)
	}
	return View{typ: l.typ, pointers: l.pointers.chunks, values: l.values.chunks, len: l.Len()}
}

// Len returns the number of objects.
func (v View) Len() int { return v.len }

// At returns the object at a position.
func (v View) At(i int) any {
	if v.typ != nil {
		return join(v.typ, at(v.pointers, i))
	}
	return at(v.values, i)
}
