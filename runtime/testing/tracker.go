package testing

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// An ObjectTracker stores objects and handles requests for them. The package documentation
// describes the trackers of this package.
//
// Objects are never shared: arguments are copied, and the caller owns results. At most one of the
// variadic options may be given. Errors are those of a server (see
// k8s.io/apimachinery/pkg/api/errors).
type ObjectTracker interface {
	// Add adds an object, or each item of a list, to the resource that its kind's
	// name suggests; see NameResource.
	Add(obj runtime.Object) error

	// Get returns the object with that name.
	Get(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.GetOptions) (runtime.Object, error)

	// Create adds an object to the namespace.
	Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error

	// Update replaces an object of the namespace.
	Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error

	// Patch replaces an object of the namespace with obj, which is the result of a patch.
	Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error

	// Apply merges an apply configuration into the object with its name.
	Apply(gvr schema.GroupVersionResource, applyConfiguration runtime.Object, ns string, opts ...metav1.PatchOptions) error

	// List returns the objects of the namespace, or of all namespaces, as a list of
	// the kind named after gvk.
	List(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns string, opts ...metav1.ListOptions) (runtime.Object, error)

	// Delete removes the object with that name.
	Delete(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.DeleteOptions) error

	// Watch returns the changes to the objects of the namespace, or of all
	// namespaces.
	Watch(gvr schema.GroupVersionResource, ns string, opts ...metav1.ListOptions) (watch.Interface, error)
}

// An ObjectScheme recognizes kinds and creates objects of them; *runtime.Scheme implements it.
type ObjectScheme interface {
	runtime.ObjectCreater
	runtime.ObjectTyper
}

// option returns the option, or the zero value if there is none.
func option[T any](opts []T) (T, error) {
	var opt T
	if len(opts) > 1 {
		return opt, fmt.Errorf("expected only one option argument but got %d", len(opts))
	}
	for _, opt = range opts {
	}
	return opt, nil
}
