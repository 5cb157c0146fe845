package cache

// TransformFunc changes an object before it is stored, to save memory for instance:
// it may return the object it was given, changed, or another one. It is called once
// for every object that is received, deleted ones included, before anybody else sees
// the object, so it may change it freely. It gets no tombstones, as what these carry
// was transformed before, and it is not called for an object that is known already
// in the same resource version.
//
// An error refuses the object: a list with it fails as a whole, as does a watch.
// It must not change the object's namespace, name, UID or resource version, and it is
// called by one goroutine for each source of an informer.
type TransformFunc func(any) (any, error)
