package testing

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/watch"
)

// NewObjectTracker returns an empty tracker that stores objects as given; its results and errors
// equal those of client-go's tracker of that name. The decoder decodes raw objects in the lists
// passed to Add.
func NewObjectTracker(scheme ObjectScheme, decoder runtime.Decoder) ObjectTracker {
	return &simpleTracker{newStore(scheme, decoder)}
}

// simpleTracker counts the changes of each resource, deletions excepted. Lists contain the count,
// objects do not.
type simpleTracker struct{ store }

// Add implements ObjectTracker.
func (t *simpleTracker) Add(obj runtime.Object) error {
	return t.add(obj, func(gvk schema.GroupVersionKind, ns string, obj runtime.Object) error {
		return t.set(guessedResource(gvk), ns, obj, watch.Added)
	})
}

// Create implements ObjectTracker.
func (t *simpleTracker) Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error {
	if _, err := option(opts); err != nil {
		return err
	}
	return t.set(gvr, ns, obj, watch.Added)
}

// Update implements ObjectTracker.
func (t *simpleTracker) Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error {
	if _, err := option(opts); err != nil {
		return err
	}
	return t.set(gvr, ns, obj, watch.Modified)
}

// Patch implements ObjectTracker.
func (t *simpleTracker) Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	if _, err := option(opts); err != nil {
		return err
	}
	return t.set(gvr, ns, obj, watch.Modified)
}

// Apply implements ObjectTracker. The configuration is a strategic merge patch of an existing
// object.
func (t *simpleTracker) Apply(gvr schema.GroupVersionResource, applyConfiguration runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	if _, err := option(opts); err != nil {
		return err
	}
	object, err := meta.Accessor(applyConfiguration)
	if err != nil {
		return err
	}
	live, err := t.Get(gvr, ns, object.GetName())
	if err != nil {
		return err
	}
	before, err := json.Marshal(live)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(applyConfiguration)
	if err != nil {
		return err
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, emptyLike(live))
	if err != nil {
		return err
	}
	obj := emptyLike(live)
	if err := json.Unmarshal(after, obj); err != nil {
		return err
	}
	return t.set(gvr, ns, obj, watch.Modified)
}

// set stores a copy of an object that must be new, or must replace another, and sends the watchers
// an event.
func (t *simpleTracker) set(gvr schema.GroupVersionResource, ns string, obj runtime.Object, event watch.EventType) error {
	obj = obj.DeepCopyObject()
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	if err = place(object, ns); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	r.written = true
	switch _, exists := r.objects[keyOf(object)]; {
	case exists && event == watch.Added:
		return r.alreadyExists(object.GetName())
	case !exists && event == watch.Modified:
		return r.notFound(object.GetName())
	}
	r.version++
	r.objects[keyOf(object)] = record{object: obj, version: r.version}
	r.send(event, obj)
	return nil
}

// send sends an event to the watchers of the object's namespace.
func (r *resource) send(event watch.EventType, obj runtime.Object) {
	for w := range r.watchers {
		if w.selection.matches(obj) {
			w.send(event, obj)
		}
	}
}

// Delete implements ObjectTracker.
func (t *simpleTracker) Delete(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.DeleteOptions) error {
	if _, err := option(opts); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	key := types.NamespacedName{Namespace: ns, Name: name}
	live, ok := r.objects[key]
	if !ok {
		return r.notFound(name)
	}
	delete(r.objects, key)
	r.send(watch.Deleted, live.object)
	return nil
}

// List implements ObjectTracker. The fake client applies selectors.
func (t *simpleTracker) List(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns string, opts ...metav1.ListOptions) (runtime.Object, error) {
	if _, err := option(opts); err != nil {
		return nil, err
	}
	list, err := t.newList(gvk)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	setListVersion(list, r.version)
	if !r.written {
		return list, nil
	}
	return filled(list, r.selected(inNamespace(ns)))
}

// Watch implements ObjectTracker. With options, the watch starts with the objects that were stored
// after their resourceVersion.
func (t *simpleTracker) Watch(gvr schema.GroupVersionResource, ns string, opts ...metav1.ListOptions) (watch.Interface, error) {
	listOpts, err := option(opts)
	if err != nil {
		return nil, err
	}
	var from int64
	if version := listOpts.ResourceVersion; version != "" {
		if from, err = strconv.ParseInt(version, 10, 64); err != nil {
			return nil, fmt.Errorf("invalid ResourceVersion %q in ListOptions, must be int64: %w", version, err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	w := newWatcher(inNamespace(ns), false)
	if len(opts) > 0 {
		for _, live := range r.selected(w.selection) {
			if live.version > from {
				w.send(watch.Added, live.object)
			}
		}
	}
	return simpleWatcher{t.watch(r, w)}, nil
}

// simpleWatcher is a watch of objects with their given versions.
type simpleWatcher struct{ watch.Interface }

// HasMadeUpVersions tells informers that the order of versions has no meaning.
func (simpleWatcher) HasMadeUpVersions() bool { return true }

// IsWatchListSemanticsUnSupported makes informers list and then watch.
func (t *simpleTracker) IsWatchListSemanticsUnSupported() bool { return true }
