package cache

import (
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/codec"
)

// TransformFunc changes an object before it is stored, for instance to save memory. It returns
// the object that it was called with, which it may modify since nobody else has it yet, or
// another one.
//
// It is called once for each object that is received from the server, by a list, by WatchList,
// or by an event of a watch, deletions included. It is not called for tombstones, whose objects
// were transformed when they were received, nor in resyncs. [CheckDrift] calls it too.
//
// It must keep the namespace and the name. It may remove the UID and the resource version, or
// return something else for the same object every time, but then a later list cannot recognize
// unchanged objects, and brings updates of all.
//
// An error, or nil in place of an object, rejects the object: a list that contains it fails as
// a whole, and an event of it is dropped and reported. The error names the function and the
// object. The calls of one informer do not overlap, even if it has several sources; a function
// that several informers use must be safe for concurrent use.
type TransformFunc func(any) (any, error)

// errNoObject rejects an object whose transform returns nil.
var errNoObject = errors.New("returned nil in place of the object")

// naming returns f with errors that name f and the object; nil if f is nil.
func (f TransformFunc) naming(names delta.Namer) func(obj any) (any, error) {
	if f == nil {
		return nil
	}
	return func(obj any) (any, error) {
		out, err := f(obj)
		if err == nil && out != nil && !isNilPointer(out) {
			return out, nil
		}
		if err == nil {
			err = errNoObject
		}
		named := fmt.Sprintf("%T", obj)
		if name, unnamed := names(obj); unnamed == nil {
			named += " " + name.String()
		}
		return nil, fmt.Errorf("transform %s with %s: %w", named, nameOfFunction(f), err)
	}
}

// transform is a [TransformFunc] as informers use it.
type transform struct {
	apply        func(obj any) (any, error) // nil if there is none
	dropsManaged bool                       // it is [DropManagedFields]
	keepsParts   bool                       // see Source.KeepsParts
	fields       *codec.Fields              // those that [Keep] keeps; nil if it is another
}

// unnamed returns f with its own errors.
func (f TransformFunc) unnamed() transform {
	t := transform{apply: f, dropsManaged: f.dropsManagedFields()}
	if k := f.keeper(); k != nil && k.err == nil {
		t.fields, t.dropsManaged = k.fields, !k.fields.ManagedFields()
	}
	t.keepsParts = f == nil || t.dropsManaged || t.fields != nil
	return t
}

// prepared returns f with errors that name f and the object.
func (f TransformFunc) prepared(names delta.Namer) transform {
	t := f.unnamed()
	t.apply = f.naming(names)
	return t
}
