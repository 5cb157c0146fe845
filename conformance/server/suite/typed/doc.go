// Package typed expresses HTTP requests as calls of a typed clientset.
//
// # Terms
//
// A [Clientset] is a generated clientset and the resources for which it has clients. A [Call] is
// the method of such a client that sends a given request, with its arguments; it can be made on the
// clientset itself and on its fake.
//
// # Operations
//
// [Clientset.Resolve] converts a request to a call. The call contains exactly what the request
// contains: if the typed API cannot express that, the error is an [Inexpressible] with one of a few
// reasons. [Call.Do] makes the call.
//
// # What typed calls omit
//
// A request that differs from the client's only in what the server does not distinguish is
// expressible: parameters with zero values, the media type of the response if it is one of the
// client's, and, for Kubernetes' own kinds, fields that are unset in Go and empty in the body.
package typed
