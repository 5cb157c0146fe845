package cache

// TransformFunc changes an object before it is stored, for instance to save memory. It
// returns the object it was given, which it may change as nobody else has it yet, or
// another one.
//
// It is called once for each object that is received from the server, however that comes:
// by a list, a watch that begins with all objects, or an event, also that of a deletion.
// It is not called for tombstones, whose objects were transformed when they were received;
// nor for an object of a list that the store holds with the same UID and resource version;
// nor in resyncs.
//
// It must keep the namespace and the name. It may drop the UID and the resource version,
// but then a later list cannot tell what has not changed, and brings updates of all.
//
// An error refuses the object: a list with it fails as a whole, and what a watch brings of
// it is left out and reported. The function is called by one goroutine for each source of
// an informer.
type TransformFunc func(any) (any, error)
