// Package fakes makes the same calls on client-go's fake clientsets and on ours, and compares
// everything that is visible: results, errors, recorded actions, events of watches, and the stored
// objects afterwards, including nil slices.
//
// NewSimpleClientset is compared with client-go's, and the tracker NewFieldManagedObjectTracker
// with client-go's NewClientset, which uses the tracker of that name. Both sides have the types of
// k8s.io/api and the apply configurations of client-go, so that each call is written once. Each
// call in the table is made separately on several seeds, and in random sequences.
//
// # Exceptions
//
// Where client-go panics, ours must return an error. Messages are compared without the name of the
// scheme, which is the place that created it, and without the name of the method that gets nil for
// an apply configuration. Times of managed fields are not compared.
package fakes
