package dense

import (
	"sync/atomic"
	"unsafe"
)

// Latest is the latest of some objects of one type. One goroutine writes it while any read it. It is read
// only after Init.
type Latest struct {
	typ  unsafe.Pointer // the type of all objects
	data unsafe.Pointer // the other word of the latest, or gone; read and written atomically
}

// gone is the word of an object that was cleared.
var gone = unsafe.Pointer(new(uint64))

// Init stores the first object. No other goroutine knows of l yet.
func (l *Latest) Init(object any) { l.typ, l.data = split(object) }

// Load returns the object, or false if it was cleared.
func (l *Latest) Load() (object any, ok bool) {
	data := atomic.LoadPointer(&l.data)
	if data == gone {
		return nil, false
	}
	return join(l.typ, data), true
}

// Store replaces the object. It returns false, and does nothing, if the new one is of another type.
func (l *Latest) Store(object any) bool {
	typ, data := split(object)
	if typ != l.typ {
		return false
	}
	atomic.StorePointer(&l.data, data)
	return true
}

// Clear drops the object.
func (l *Latest) Clear() { atomic.StorePointer(&l.data, gone) }
