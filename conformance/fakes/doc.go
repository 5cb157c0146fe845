// Package fakes runs the same calls on client-go's fake clientsets and on ours, and
// compares all that can be seen: results, errors, recorded actions, events of watches, and
// what is stored thereafter, down to nil slices.
//
// NewSimpleClientset is held to client-go's, and the tracker NewFieldManagedObjectTracker
// to client-go's NewClientset, which is built on the one of that name there. Both sides
// have the types of k8s.io/api and the apply configurations of client-go, so that one
// call is written once. Each call of the table runs by itself on several seeds, and in
// random sequences.
//
// # Exceptions
//
// Where client-go panics, ours has to fail. Messages are compared without the name of the
// scheme, which is where it was made, and without that of the method which gets nil for an
// apply configuration. Times of managed fields are not compared.
package fakes
