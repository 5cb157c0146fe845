// Package metadata is a client of the metadata of any resource: objects are [metav1.PartialObjectMetadata].
//
// # Operations
//
// [NewForConfig] creates a client. Its Resource method returns the verbs of a resource in all namespaces, or of
// a cluster-scoped one, and Namespace those in one namespace:
//
//	client, err := metadata.NewForConfig(config)
//	...
//	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
//	list, err := books.Namespace("default").List(ctx, metav1.ListOptions{})
//
// The client requests metadata only, in protobuf or JSON. A server that does not know PartialObjectMetadata sends
// whole objects in JSON instead; everything except the metadata is skipped while they are decoded. The verbs of a
// resource also implement [cache.ListStreamer]: lists in JSON are decoded object by object. Package
// metadatainformer creates informers, metadatalister reads from them, and fake is a client for tests.
//
// # Limits
//
// Clients are safe for concurrent use. Returned objects belong to the caller; their kind is empty, and that of a
// list's items is what the server sent, PartialObjectMetadata or the object's. Errors of the server are those of
// k8s.io/apimachinery/pkg/api/errors.
//
// [cache.ListStreamer]: https://pkg.go.dev/github.com/listwatch/listwatch/runtime/cache#ListStreamer
package metadata
