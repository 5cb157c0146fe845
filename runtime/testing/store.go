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
	"k8s.io/apimachinery/pkg/watch"
)

// store is the part that all trackers of this package have in common: objects by resource,
// namespace and name, and their watchers.
type store struct {
	scheme  ObjectScheme
	decoder runtime.Decoder

	// mu guards the field below, and everything it refers to except the objects.
	mu        sync.RWMutex
	resources map[schema.GroupVersionResource]*resource
}

func newStore(scheme ObjectScheme, decoder runtime.Decoder) store {
	return store{scheme: scheme, decoder: decoder, resources: make(map[schema.GroupVersionResource]*resource)}
}

// resource contains the objects of one resource and their changes.
type resource struct {
	gvr      schema.GroupVersionResource
	objects  map[types.NamespacedName]record
	watchers map[*watcher]struct{}

	// version is used by a simpleTracker: the version of the last stored object. It starts with 1,
	// because version 0 of a list means any version.
	version int64
	// written is used by a simpleTracker: an object was stored, or a write was attempted.
	written bool

	// kind is used by a serverTracker: the kind of the objects. Its type is nil until it is known.
	kind kind
	// history is used by a serverTracker: the last changes, oldest first, all those after
	// forgotten.
	history   []change
	forgotten int64
}

// record is an object as stored. The object is never modified.
type record struct {
	object runtime.Object
	// version is the version at which a simpleTracker has stored the object.
	version int64
	// given is the resourceVersion that the object had when a serverTracker received it. Writes may
	// use it in place of the assigned one, because a test that adds an object may not read it back.
	given string
}

// of returns the stored state of a resource. The caller holds mu for writing.
func (s *store) of(gvr schema.GroupVersionResource) *resource {
	r, ok := s.resources[gvr]
	if !ok {
		r = &resource{
			gvr:      gvr,
			objects:  make(map[types.NamespacedName]record),
			watchers: make(map[*watcher]struct{}),
			version:  1,
		}
		s.resources[gvr] = r
	}
	return r
}

func (r *resource) notFound(name string) error {
	return apierrors.NewNotFound(r.gvr.GroupResource(), name)
}

func (r *resource) alreadyExists(name string) error {
	return apierrors.NewAlreadyExists(r.gvr.GroupResource(), name)
}

// selected returns the selected objects, by namespace and name. The caller holds mu.
func (r *resource) selected(s selection) []record {
	var keys []types.NamespacedName
	for key, live := range r.objects {
		if s.matches(live.object) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b types.NamespacedName) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	records := make([]record, len(keys))
	for i, key := range keys {
		records[i] = r.objects[key]
	}
	return records
}

// watch adds w to the resource's watchers until it is stopped. The caller holds mu for writing.
func (s *store) watch(r *resource, w *watcher) watch.Interface {
	r.watchers[w] = struct{}{}
	w.forget = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(r.watchers, w)
	}
	return w
}

// Get implements ObjectTracker.
func (s *store) Get(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.GetOptions) (runtime.Object, error) {
	if _, err := option(opts); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r, ok := s.resources[gvr]; ok {
		if live, ok := r.objects[types.NamespacedName{Namespace: ns, Name: name}]; ok {
			return live.object.DeepCopyObject(), nil
		}
	}
	return nil, apierrors.NewNotFound(gvr.GroupResource(), name)
}

// newList returns an empty list of objects of a kind.
func (s *store) newList(gvk schema.GroupVersionKind) (runtime.Object, error) {
	gvk.Kind += "List"
	if gvk.Version == "" {
		gvk.Version = runtime.APIVersionInternal
	}
	list, err := s.scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	if !meta.IsListType(list) {
		return nil, fmt.Errorf("%q is not a list type", gvk.Kind)
	}
	return list, nil
}

// filled returns the list with copies of objects as its items.
func filled(list runtime.Object, records []record) (runtime.Object, error) {
	items := make([]runtime.Object, len(records))
	for i, live := range records {
		items[i] = live.object.DeepCopyObject()
	}
	if err := meta.SetList(list, items); err != nil {
		return nil, err
	}
	return list, nil
}

func setListVersion(list runtime.Object, version int64) {
	if listMeta, err := meta.ListAccessor(list); err == nil {
		listMeta.SetResourceVersion(strconv.FormatInt(version, 10))
	}
}

// add passes an object, or each item of a list, to insert, once for each of its kinds.
func (s *store) add(obj runtime.Object, insert func(gvk schema.GroupVersionKind, ns string, obj runtime.Object) error) error {
	if meta.IsListType(obj) {
		return s.addItems(obj, insert)
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	gvks, err := s.kinds(obj)
	if err != nil {
		return err
	}
	for _, gvk := range gvks {
		if err := insert(gvk, object.GetNamespace(), obj); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) addItems(list runtime.Object, insert func(schema.GroupVersionKind, string, runtime.Object) error) error {
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	if errs := runtime.DecodeList(items, s.decoder); len(errs) > 0 {
		return errs[0]
	}
	for _, item := range items {
		if err := s.add(item, insert); err != nil {
			return err
		}
	}
	return nil
}

// kinds returns the kinds under which an object is added.
func (s *store) kinds(obj runtime.Object) ([]schema.GroupVersionKind, error) {
	gvks, _, err := s.scheme.ObjectKinds(obj)
	if err != nil {
		return nil, err
	}
	if partial, ok := obj.(*metav1.PartialObjectMetadata); ok && partial.APIVersion != "" {
		return []schema.GroupVersionKind{partial.GroupVersionKind()}, nil
	}
	if len(gvks) == 0 {
		return nil, fmt.Errorf("no registered kinds for %v", obj)
	}
	return gvks, nil
}

// guessedResource returns the resource that a kind's name suggests.
func guessedResource(gvk schema.GroupVersionKind) schema.GroupVersionResource {
	gvr, _ := meta.UnsafeGuessKindToResource(gvk)
	gvr.Version = version(gvk).Version
	return gvr
}

func keyOf(object metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}

// place sets the namespace of an object to the request's, unless it has another, which is an error.
func place(object metav1.Object, ns string) error {
	if object.GetNamespace() == "" {
		object.SetNamespace(ns)
	}
	if object.GetNamespace() != ns {
		return apierrors.NewBadRequest(fmt.Sprintf("request namespace does not match object namespace, request: %q object: %q", ns, object.GetNamespace()))
	}
	return nil
}
