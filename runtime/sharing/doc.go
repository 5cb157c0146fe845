// Package sharing lets the objects of a cache share equal parts.
//
// A part is something that an object points to: a map, a slice, a value behind a pointer. Objects of one kind
// have many equal parts: the labels that one controller sets, selectors, resource requirements, managed fields.
// [Transform] returns a transform for informers that replaces each part by an equal one of an earlier object,
// so that it is stored once:
//
//	factory := externalversions.NewSharedInformerFactoryWithOptions(client, 0,
//		externalversions.WithTransform(sharing.Transform()))
//
// It takes some microseconds per object, and saves about half the memory of typical objects.
//
// # Limits
//
// Modifying a cached object without copying it first, which is never allowed, also modifies the other objects
// that share the part.
//
// A transform remembers at most [TableSize] parts. Parts are found by hash, and a part replaces the oldest of four
// with similar hashes, so which parts are remembered is random to some degree. Parts in unexported fields are not
// shared.
package sharing
