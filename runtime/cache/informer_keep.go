package cache

import (
	"reflect"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Keep returns a [TransformFunc] that removes all fields of objects, except those with the given paths, and some metadata.
// A cache of Pods that has ten fields takes a sixth of the memory, and a third of the time for decoding or less.
//
// A path consists of JSON names with dots between them. Lists and maps are passed through: spec.containers.image is the
// image of each container. A path to a struct keeps everything in it. Always kept are the kind and, of the metadata, name,
// namespace, uid, resourceVersion, generation, creationTimestamp and deletionTimestamp; and labels, annotations,
// ownerReferences and finalizers, unless a path with a minus leaves them out, such as -metadata.annotations, which are
// often large. Selectors and indexes read labels, and a controller that adds a finalizer or an owner must see the others. A
// path with a minus also leaves out a part of what another keeps: spec and -spec.containers.env. The longest path decides.
//
// Unlike other transforms, it need not remove anything if it is the transform of an informer: what is not kept is
// skipped while it is decoded, in JSON and protobuf, and so only checked to be JSON, or not at all in protobuf. Requests ask
// the server to leave out managedFields, unless these are kept. Equal maps, slices and structs of different objects are
// one in memory, as with Share of [SharedIndexInformerOptions]: copy an object before changing it.
// From other sources, such as fakes, and in informers of other packages, it removes the fields itself. Called
// again for the same object, it changes nothing.
//
// # Errors
//
// Paths are compared with the Go type of the informer's example. If one is invalid or leads to no field, SetTransform
// returns the error, with a suggestion, and the informer never runs, as with [ErrSourcesOverlap]. Informers of other
// packages reject each object with this error. Untyped objects have any field; a path to none keeps nothing. Of objects
// that are metadata only, paths of spec and status mean nothing.
//
// # Writes
//
// An object that was cut must not be sent to the server in place of the whole one. It has a mark in metadata.selfLink, which
// copies of it have too, and [codec.IsCut] finds. The clients of this module, and client-go's where our module replaces
// it, refuse to create, update or apply it, with an error that wraps [codec.ErrCut]. A patch computed from it and a changed
// copy is right if it sets no list of which the object has not all: controllerruntime.NewClient checks that, other clients
// do not know the object. API servers ignore the mark.
func Keep(paths ...string) TransformFunc {
	k := &keeper{}
	k.fields, k.err = codec.ParseFields(paths...)
	return k.transform
}

// keeper is what [Keep] was called with.
type keeper struct {
	fields *codec.Fields
	err    error // why there are none
}

// keeperOf is an argument of a transform of a keeper that asks which it is.
type keeperOf struct{ found *keeper }

func (k *keeper) transform(obj any) (any, error) {
	if asked, ok := obj.(*keeperOf); ok {
		asked.found = k
		return asked, nil
	}
	if k.err != nil {
		return nil, k.err
	}
	return obj, k.fields.Prune(obj)
}

// keeper returns the keeper if f comes from [Keep], or nil.
func (f TransformFunc) keeper() *keeper {
	if f == nil || reflect.ValueOf(f).Pointer() != reflect.ValueOf((*keeper)(nil).transform).Pointer() {
		return nil
	}
	var of keeperOf
	_, _ = f(&of) // which does nothing else
	return of.found
}

// check returns an error if the paths are invalid for objects like example. k may be nil.
func (k *keeper) check(example any) error {
	switch {
	case k == nil:
		return nil
	case k.err != nil:
		return k.err
	}
	return k.fields.Check(example)
}
