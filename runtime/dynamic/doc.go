// Package dynamic is a client of any resource, also of those that have no Go type: objects are
// [unstructured.Unstructured].
//
// # Terms
//
// A resource is named by group, version and plural name. An untyped object is the JSON of an object as nested
// maps, slices, strings, booleans and nil; whole numbers that fit are int64, all others float64.
//
// # Operations
//
// [NewForConfig] creates a client. Its Resource method returns the verbs of a resource in all namespaces, or of
// a cluster-scoped one, and Namespace those in one namespace:
//
//	client, err := dynamic.NewForConfig(config)
//	...
//	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
//	list, err := books.Namespace("default").List(ctx, metav1.ListOptions{})
//
// Responses are decoded in one pass while they arrive. Keys, and strings that repeat, are shared between objects.
// The verbs of a resource also implement [cache.ListStreamer], so informers on them hold no second copy of
// a list. Package dynamicinformer creates informers, dynamiclister reads from them, and fake is a client for tests.
//
// # Limits
//
// Clients are safe for concurrent use. Objects that are passed in are neither modified nor retained; returned
// objects belong to the caller. Requests and responses are JSON; CBOR is not supported. Errors of the server are
// those of k8s.io/apimachinery/pkg/api/errors. An error that concerns the arguments, such as a missing name, is
// returned without a request.
//
// [cache.ListStreamer]: https://pkg.go.dev/github.com/listwatch/listwatch/runtime/cache#ListStreamer
package dynamic
