package testing

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// NewServerObjectTracker returns an empty tracker that follows the rules of an API server, as far
// as the package documentation describes. The decoder decodes raw objects in the lists passed to
// Add.
//
// With typeConverter, fields are managed with its schemas from the creation of an object on (Add
// does not count as such). If typeConverter is nil, and for kinds that it does not know, they are
// managed without a schema, and written to metadata.managedFields, from the first Apply to an
// object on.
func NewServerObjectTracker(scheme ObjectScheme, decoder runtime.Decoder, typeConverter managedfields.TypeConverter) ObjectTracker {
	return &serverTracker{
		store:   newStore(scheme, decoder),
		fields:  fieldManagement{schemas: typeConverter},
		version: 1,
	}
}

// serverTracker assigns each change a resourceVersion, sets it in the object, and records the
// change for watches.
type serverTracker struct {
	store
	fields fieldManagement
	// named contains names of resources (string) by their kinds (GroupVersionKind), for kinds whose
	// names do not suggest them.
	named sync.Map

	// version is the last assigned resourceVersion. It starts with 1, because version 0 of a list
	// means any version. The store's mu guards it.
	version int64
}

// List implements ObjectTracker.
func (t *serverTracker) List(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns string, opts ...metav1.ListOptions) (runtime.Object, error) {
	listOpts, err := option(opts)
	if err != nil {
		return nil, err
	}
	list, err := t.newList(gvk)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	if !r.kind.known() {
		r.kind = t.kindNamed(gvk)
	}
	selected, err := t.selection(r, ns, listOpts)
	if err != nil {
		return nil, err
	}
	setListVersion(list, t.version)
	records := r.selected(selected)
	if len(records) == 0 {
		return list, nil
	}
	return filled(list, records)
}
