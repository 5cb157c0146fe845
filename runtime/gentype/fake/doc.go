// Package fake has the clients that emitted fake clientsets are made of: the
// counterparts of those in package gentype, with the same methods.
//
// A call becomes an action (see runtime/testing), which the client's Fake records
// and answers; without an answer the result is an empty object. An answer of another
// type than the client's is an error.
//
// Constructors take an empty namespace for all namespaces and for resources that
// have none. Clients are as safe for concurrent use as their Fake is, and live in a
// package of their own so that what uses the real ones does not link them.
package fake
