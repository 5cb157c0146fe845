package testing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/watch"
)

// An ObjectTracker holds objects and answers for them as a server does. The package
// documentation says how far that goes for the trackers of this package.
//
// Objects are never shared: what goes in is copied, and what comes out is the
// caller's. Of the variadic options at most one may be given. Errors are those of a
// server (see k8s.io/apimachinery/pkg/api/errors).
type ObjectTracker interface {
	// Add adds an object, or each item of a list, to the resource that its kind's
	// name suggests; see NameResource.
	Add(obj runtime.Object) error

	// Get returns the object of that name.
	Get(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.GetOptions) (runtime.Object, error)

	// Create adds an object to the namespace.
	Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error

	// Update replaces an object of the namespace.
	Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error

	// Patch replaces an object of the namespace by obj, which is the outcome of a
	// patch.
	Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error

	// Apply merges an apply configuration into the object of its name, which is
	// created if there is none.
	Apply(gvr schema.GroupVersionResource, applyConfiguration runtime.Object, ns string, opts ...metav1.PatchOptions) error

	// List returns the objects of the namespace, or of all namespaces, as a list of
	// the kind named after gvk.
	List(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns string, opts ...metav1.ListOptions) (runtime.Object, error)

	// Delete removes the object of that name.
	Delete(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.DeleteOptions) error

	// Watch returns the changes to the objects of the namespace, or of all
	// namespaces.
	Watch(gvr schema.GroupVersionResource, ns string, opts ...metav1.ListOptions) (watch.Interface, error)
}

// An ObjectScheme knows kinds and makes objects of them; a *runtime.Scheme does.
type ObjectScheme interface {
	runtime.ObjectCreater
	runtime.ObjectTyper
}

// NewObjectTracker returns an empty tracker. The decoder decodes what is raw in the
// lists given to Add. Fields are managed, and written to metadata.managedFields, from
// the first Apply to an object on, and as though nothing were known of its schema.
func NewObjectTracker(scheme ObjectScheme, decoder runtime.Decoder) ObjectTracker {
	return newTracker(scheme, decoder, fieldManagement{})
}

// NewFieldManagedObjectTracker is NewObjectTracker with fields managed from the
// creation of an object on (which Add does not count as), by the schemas that the
// typeConverter knows. Kinds it does not know are managed as in NewObjectTracker.
func NewFieldManagedObjectTracker(scheme *runtime.Scheme, decoder runtime.Decoder, typeConverter managedfields.TypeConverter) ObjectTracker {
	return newTracker(scheme, decoder, fieldManagement{always: true, schemas: typeConverter})
}

func newTracker(scheme ObjectScheme, decoder runtime.Decoder, fields fieldManagement) *tracker {
	return &tracker{
		scheme:    scheme,
		decoder:   decoder,
		fields:    fields,
		version:   1,
		resources: make(map[schema.GroupVersionResource]*resource),
	}
}

// tracker is the ObjectTracker of this package.
type tracker struct {
	scheme  ObjectScheme
	decoder runtime.Decoder
	fields  fieldManagement
	// named holds names of resources (string) by their kinds (GroupVersionKind), for
	// kinds whose names do not suggest them.
	named sync.Map

	// mu guards the fields below, and all that they lead to but for the objects.
	mu sync.RWMutex
	// version is the last resourceVersion that was assigned. It begins with 1, as a
	// list of version 0 would be one of any version.
	version   int64
	resources map[schema.GroupVersionResource]*resource
}

// resource holds the objects of one resource and what happened to them.
type resource struct {
	gvr schema.GroupVersionResource
	// kind is that of the objects. Its type is nil until it is known.
	kind    kind
	objects map[types.NamespacedName]record
	// history holds the last changes, oldest first: all those after forgotten.
	history   []change
	forgotten int64
	watchers  map[*watcher]struct{}
}

// record is an object as it is stored. The object is never changed.
type record struct {
	object runtime.Object
	// given is the resourceVersion that the object had when the tracker got it. It
	// stands for the one it was assigned: who seeded the object may not have read it
	// back.
	given string
}

// of returns what the tracker holds of a resource. The caller holds mu for writing.
func (t *tracker) of(gvr schema.GroupVersionResource) *resource {
	r, ok := t.resources[gvr]
	if !ok {
		r = &resource{
			gvr:      gvr,
			objects:  make(map[types.NamespacedName]record),
			watchers: make(map[*watcher]struct{}),
		}
		t.resources[gvr] = r
	}
	return r
}

func (r *resource) notFound(name string) error {
	return apierrors.NewNotFound(r.gvr.GroupResource(), name)
}

// selected returns the objects that the selection covers, by namespace and name.
func (r *resource) selected(s selection) []runtime.Object {
	var keys []types.NamespacedName
	for key, live := range r.objects {
		if s.matches(live.object) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b types.NamespacedName) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	objects := make([]runtime.Object, len(keys))
	for i, key := range keys {
		objects[i] = r.objects[key].object
	}
	return objects
}

// Get implements ObjectTracker.
func (t *tracker) Get(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.GetOptions) (runtime.Object, error) {
	if _, err := option(opts); err != nil {
		return nil, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if r, ok := t.resources[gvr]; ok {
		if live, ok := r.objects[types.NamespacedName{Namespace: ns, Name: name}]; ok {
			return live.object.DeepCopyObject(), nil
		}
	}
	return nil, apierrors.NewNotFound(gvr.GroupResource(), name)
}

// List implements ObjectTracker.
func (t *tracker) List(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns string, opts ...metav1.ListOptions) (runtime.Object, error) {
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
	if listMeta, err := meta.ListAccessor(list); err == nil {
		listMeta.SetResourceVersion(strconv.FormatInt(t.version, 10))
	}
	objects := r.selected(selected)
	if len(objects) == 0 {
		return list, nil
	}
	for i, obj := range objects {
		objects[i] = obj.DeepCopyObject()
	}
	if err := meta.SetList(list, objects); err != nil {
		return nil, err
	}
	return list, nil
}

// newList returns an empty list of objects of a kind.
func (t *tracker) newList(gvk schema.GroupVersionKind) (runtime.Object, error) {
	gvk.Kind += "List"
	if gvk.Version == "" {
		gvk.Version = runtime.APIVersionInternal
	}
	list, err := t.scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	if !meta.IsListType(list) {
		return nil, fmt.Errorf("%q is not a list type", gvk.Kind)
	}
	return list, nil
}

// option returns the one option there may be.
func option[T any](opts []T) (T, error) {
	var opt T
	if len(opts) > 1 {
		return opt, fmt.Errorf("expected only one option argument but got %d", len(opts))
	}
	for _, opt = range opts {
	}
	return opt, nil
}
