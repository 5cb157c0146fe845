// Package fake provides the clients behind generated fake clientsets: the counterparts of those in
// package gentype, with the same methods.
//
// A call becomes an action (see runtime/testing), which the client's Fake records and passes to its
// reactors. If none returns an object, the result is an empty object. An object of another type
// than the client's is an error.
//
// Constructors take an empty namespace for all namespaces and for cluster-scoped resources. Clients
// are as safe for concurrent use as their Fake. They are in their own package so that programs with
// the real clients do not link them.
package fake
