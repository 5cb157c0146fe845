package cache

// TransformFunc changes an object before it is stored, to save memory for instance:
// it may return the object it was given, changed, or another one. It is called once
// for every object that is received, deleted ones included, before anybody else sees
// the object, so it may change it freely. It gets no tombstones, as what these carry
// was transformed before, and it is not called for an object of a list that is held
// already with this UID and resource version.
//
// It must keep the namespace and the name. It may drop the UID and the resource version,
// but then a later list cannot tell what has not changed, and brings updates of all.
//
// An error refuses the object: a list with it fails as a whole, and what a watch brings of
// it is left out and reported. The function is called by one goroutine for each source of
// an informer.
type TransformFunc func(any) (any, error)
