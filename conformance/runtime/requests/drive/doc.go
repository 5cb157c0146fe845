// Package drive calls everything in a generated tree and records the effects, in JSON, on standard
// output.
//
// It is a library for programs of one line: each passes the constructors of its tree as a [Tree].
// Reflection finds everything that can be called, so that a new method, kind, group or API package
// needs no change here.
//
// # Terms
//
// A clientset has groups, such as AppsV1; a group has kinds, such as Deployments; a kind has
// methods, such as Create. A kind is addressed as AppsV1.Deployments. A [shape] is a way of filling
// in a method's arguments.
//
// # Parts
//
//	client    each method of each kind, with a server that records requests
//	answer    some methods of one kind, with a server that sends many different
//	          responses: valid and invalid, in several media types, errors,
//	          requests to retry
//	raw       requests built by hand with a REST client, and all uses of their results
//	fake      the calls of client on each fake clientset, which records actions;
//	          then again with a reactor
//	life      the life of an object of each kind in each fake clientset, watched
//	informer  a factory with all its informers, with a server that lists and
//	          watches; then with a fake clientset
//
// # Limits
//
// A method with a parameter of a type that [shape.value] does not know is an error, not a gap in
// the transcript.
//
// This package may import from the client runtime only packages that a flavour can replace: see
// package requests.
package drive
