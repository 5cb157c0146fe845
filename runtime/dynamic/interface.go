package dynamic

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Interface is a client of all resources.
type Interface interface {
	// Resource returns the verbs of a resource. Nothing is requested before a verb is called.
	Resource(resource schema.GroupVersionResource) NamespaceableResourceInterface
}

// ResourceInterface contains the verbs of a resource. Where subresources are given, the request is for the path
// that they add to the object's, such as "status". If there is an error, there is no object.
type ResourceInterface interface {
	// Create stores a new object and returns it as stored. If subresources are given, obj must have a name.
	Create(ctx context.Context, obj *unstructured.Unstructured, options metav1.CreateOptions, subresources ...string) (*unstructured.Unstructured, error)
	// Update replaces the object of the same name and returns it as stored. The error is Conflict if the object
	// has changed since obj was read.
	Update(ctx context.Context, obj *unstructured.Unstructured, options metav1.UpdateOptions, subresources ...string) (*unstructured.Unstructured, error)
	// UpdateStatus is Update of the subresource status.
	UpdateStatus(ctx context.Context, obj *unstructured.Unstructured, options metav1.UpdateOptions) (*unstructured.Unstructured, error)
	// Delete deletes the object of a name. An object with finalizers stays until they are removed.
	Delete(ctx context.Context, name string, options metav1.DeleteOptions, subresources ...string) error
	// DeleteCollection deletes the objects that listOptions select.
	DeleteCollection(ctx context.Context, options metav1.DeleteOptions, listOptions metav1.ListOptions) error
	// Get returns the object of a name. If there is none, the error is NotFound.
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error)
	// List returns the objects that opts select.
	List(ctx context.Context, opts metav1.ListOptions) (*unstructured.UnstructuredList, error)
	// Watch streams changes of the objects that opts select until it is stopped, its context ends or the server
	// closes it. The objects of events are *unstructured.Unstructured, those of error events *metav1.Status.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
	// Patch changes the object of a name and returns it as stored.
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*unstructured.Unstructured, error)
	// Apply is server-side apply: the object of a name gets the fields of obj, which must not have managedFields.
	// The object as stored is returned.
	Apply(ctx context.Context, name string, obj *unstructured.Unstructured, options metav1.ApplyOptions, subresources ...string) (*unstructured.Unstructured, error)
	// ApplyStatus is Apply of the subresource status.
	ApplyStatus(ctx context.Context, name string, obj *unstructured.Unstructured, options metav1.ApplyOptions) (*unstructured.Unstructured, error)
}

// NamespaceableResourceInterface contains the verbs of a resource in all namespaces, or of a cluster-scoped
// resource.
type NamespaceableResourceInterface interface {
	// Namespace returns the verbs in one namespace; "" means all.
	Namespace(string) ResourceInterface
	ResourceInterface
}

// APIPathResolverFunc returns the path under which the API of a kind's group is served.
type APIPathResolverFunc func(kind schema.GroupVersionKind) string

// LegacyAPIPathResolverFunc is the [APIPathResolverFunc] of Kubernetes: /api for the core group, which has no
// name, and /apis for all others.
func LegacyAPIPathResolverFunc(kind schema.GroupVersionKind) string {
	if kind.Group == "" {
		return "/api"
	}
	return "/apis"
}
