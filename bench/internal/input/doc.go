// Package input holds what the benchmarks send over the wire.
//
// [Machine] is a custom resource and [Pod] a built-in kind, each of a size that is
// common; number tells objects of a kind apart. [Bodies] are the answers of a
// server, prepared so that sending them costs next to nothing: [Bodies.Object],
// [Bodies.List] and [Bodies.Watch] return one. [Server] serves them over HTTP, and is
// an [http.RoundTripper] that answers without a network as well.
package input
