// Package drive calls everything in a generated tree and writes down what that
// makes happen, in JSON, on standard output.
//
// It is a library for programs of one line: each hands over the constructors of
// its tree as a [Tree]. What can be called is found by reflection, so that a new
// method, kind, group or API package needs no change here.
//
// # Terms
//
// A clientset has groups, such as AppsV1; a group has kinds, such as
// Deployments; a kind has methods, such as Create. A kind is addressed as
// AppsV1.Deployments. A [shape] is one way of filling in a method's arguments.
//
// # Parts
//
//	client    each method of each kind, against a server that records requests
//	answer    some methods of one kind, against a server that answers in many ways:
//	          well and badly formed, in several media types, refusing, asking to be
//	          asked again
//	raw       requests made by hand with a REST client, and what their results tell
//	fake      the same calls as of a client on each fake clientset, which records
//	          actions; then again with a reactor in the way
//	life      the life of an object of each kind in each fake clientset, watched
//	informer  a factory with all its informers, against a server that lists and
//	          watches; then the same over a fake clientset
//
// # Limits
//
// A method with a parameter of a type that [shape.value] does not know is an
// error, not a gap in the transcript.
//
// This package may import from the client runtime only what a flavour can
// replace: see package requests.
package drive
