// Package live tests generated code with a server: each method of the typed clients, in JSON and in
// protobuf, and the informers of a factory while the server misbehaves.
//
// It contains only tests.
package live
