package testing

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// NewServerObjectTracker returns an empty tracker that follows the rules of an API
// server, as far as the package documentation says. The decoder decodes what is raw in
// the lists given to Add.
//
// Fields are managed by the schemas that typeConverter knows from the creation of an
// object on (which Add does not count as). Without a typeConverter, which may be nil,
// and for kinds that it does not know, they are managed, and written to
// metadata.managedFields, from the first Apply to an object on, and as though nothing
// were known of its schema.
func NewServerObjectTracker(scheme ObjectScheme, decoder runtime.Decoder, typeConverter managedfields.TypeConverter) ObjectTracker {
	return &serverTracker{
		store:   newStore(scheme, decoder),
		fields:  fieldManagement{always: typeConverter != nil, schemas: typeConverter},
		version: 1,
	}
}

// serverTracker gives each change a resourceVersion, stamps it on the object, and
// remembers the change for watches.
type serverTracker struct {
	store
	fields fieldManagement
	// named holds names of resources (string) by their kinds (GroupVersionKind), for
	// kinds whose names do not suggest them.
	named sync.Map

	// version is the last resourceVersion that was assigned. It begins with 1, as a
	// list of version 0 would be one of any version. The store's mu guards it.
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
