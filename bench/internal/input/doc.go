// Package input contains the objects and responses of the benchmarks.
//
// [Machine] returns a custom resource and [Pod] a built-in object, each of a typical size. Objects
// of a kind are numbered. [Bodies] are the responses of a server, prepared so that sending them
// costs almost nothing: see [Bodies.Object], [Bodies.List] and [Bodies.Watch]. [Server] serves them
// over HTTP, and is also an [http.RoundTripper] that returns them without a network.
package input
