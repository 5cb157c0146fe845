// Package typed says with a typed clientset what an HTTP request says.
//
// # Terms
//
// A [Clientset] is an emitted clientset and the resources that it has clients of. A [Call]
// is the method of such a client that makes a given request, with its arguments; it can be
// made on the clientset itself and on its fake.
//
// # Operations
//
// [Clientset.Resolve] turns a request into a call. The call says all that the request says,
// and nothing else: where the typed API cannot do that, the request is refused with
// [Inexpressible] and one of a few reasons. [Call.Do] makes the call.
//
// # What typed calls leave out
//
// A request that differs from what the client would send only in what the server does not
// distinguish is expressible: parameters with zero values, the media type of the answer
// where it is one of the client's, and, for Kubernetes' own kinds, fields that are unset in Go
// and empty in the body.
package typed
