// Package live holds what our generators emit to a server: each method of the typed clients, in
// JSON and in protobuf, and the informers of a factory while the server misbehaves.
//
// It has tests only.
package live
