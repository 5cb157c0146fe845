package metadata

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Interface is a client of the metadata of all resources.
type Interface interface {
	// Resource returns the verbs of a resource. Nothing is requested before a verb is called.
	Resource(resource schema.GroupVersionResource) Getter
}

// ResourceInterface contains the verbs of a resource that need no more of an object than its metadata. Where
// subresources are given, the request is for the path that they add to the object's. If there is an error, there
// is no object.
type ResourceInterface interface {
	// Delete deletes the object of a name. An object with finalizers stays until they are removed.
	Delete(ctx context.Context, name string, options metav1.DeleteOptions, subresources ...string) error
	// DeleteCollection deletes the objects that listOptions select.
	DeleteCollection(ctx context.Context, options metav1.DeleteOptions, listOptions metav1.ListOptions) error
	// Get returns the metadata of the object of a name. If there is none, the error is NotFound.
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
	// List returns the metadata of the objects that opts select.
	List(ctx context.Context, opts metav1.ListOptions) (*metav1.PartialObjectMetadataList, error)
	// Watch streams changes of the objects that opts select until it is stopped, its context ends or the server
	// closes it. The objects of events are *metav1.PartialObjectMetadata, those of error events *metav1.Status.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
	// Patch changes the object of a name, not only its metadata, and returns its metadata as stored.
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
}

// Getter contains the verbs of a resource in all namespaces, or of a cluster-scoped resource.
type Getter interface {
	// Namespace returns the verbs in one namespace; "" means all.
	Namespace(string) ResourceInterface
	ResourceInterface
}
