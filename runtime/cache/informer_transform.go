package cache

import (
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// TransformFunc changes an object before it is stored, for instance to save memory. It
// returns the object it was given, which it may change as nobody else has it yet, or
// another one.
//
// It is called once for each object that is received from the server, however that comes:
// by a list, a watch that begins with all objects, or an event, also that of a deletion.
// It is not called for tombstones, whose objects were transformed when they were received,
// nor in resyncs. [CheckDrift] calls it too.
//
// It must keep the namespace and the name. It may drop the UID and the resource version, or
// return something else for the same object every time, but then a later list cannot tell
// what has not changed, and brings updates of all.
//
// An error, or nil in place of an object, refuses the object: a list with it fails as a
// whole, and what a watch brings of it is left out and reported. The error names the
// function and the object. The calls of one informer are made one at a time, also where it
// has several sources; a function that informers have in common must be safe for
// concurrent use.
type TransformFunc func(any) (any, error)

// errNoObject refuses an object whose transform returns nil.
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
