package testing

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Add implements ObjectTracker.
func (t *serverTracker) Add(obj runtime.Object) error {
	return t.add(obj, func(gvk schema.GroupVersionKind, ns string, obj runtime.Object) error {
		_, err := t.insert(t.resourceOf(gvk), ns, obj, nil, asGiven)
		return err
	})
}

// Create implements ObjectTracker.
func (t *serverTracker) Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error {
	createOpts, err := option(opts)
	if err != nil {
		return err
	}
	_, err = t.create(gvr, ns, obj, createOpts)
	return err
}

func (t *serverTracker) create(gvr schema.GroupVersionResource, ns string, obj runtime.Object, opts metav1.CreateOptions) (runtime.Object, error) {
	return t.insert(gvr, ns, obj, opts.DryRun, func(k kind, obj runtime.Object) (runtime.Object, error) {
		return t.fields.created(k, obj, opts.FieldManager)
	})
}

// manage returns a new object, which it may modify, with its fields managed.
type manage func(k kind, obj runtime.Object) (runtime.Object, error)

// asGiven does not manage fields.
func asGiven(_ kind, obj runtime.Object) (runtime.Object, error) { return obj, nil }

// insert adds a copy of an object to a resource and returns a server's result.
func (t *serverTracker) insert(gvr schema.GroupVersionResource, ns string, obj runtime.Object, dryRun []string, manage manage) (runtime.Object, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.insertLocked(t.of(gvr), ns, obj.DeepCopyObject(), dryRun, manage)
}

func (t *serverTracker) insertLocked(r *resource, ns string, obj runtime.Object, dryRun []string, manage manage) (runtime.Object, error) {
	object, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	if err = place(object, ns); err != nil {
		return nil, err
	}
	if object.GetName() == "" && object.GetGenerateName() != "" {
		object.SetName(t.freeName(r, ns, object.GetGenerateName()))
	}
	if _, ok := r.objects[keyOf(object)]; ok {
		return nil, r.alreadyExists(object.GetName())
	}
	given := object.GetResourceVersion()
	object.SetResourceVersion("")
	// A kind that the scheme does not contain can be stored as well.
	k, _ := t.kindOf(r.gvr, obj)
	if !r.kind.known() {
		r.kind = k
	}
	if obj, err = manage(k, obj); err != nil {
		return nil, err
	}
	if len(dryRun) > 0 {
		return obj, nil
	}
	t.put(r, nil, obj, given)
	return obj.DeepCopyObject(), nil
}

// Update implements ObjectTracker.
func (t *serverTracker) Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error {
	updateOpts, err := option(opts)
	if err != nil {
		return err
	}
	_, err = t.update(gvr, ns, "", obj, updateOpts)
	return err
}

// Patch implements ObjectTracker.
func (t *serverTracker) Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	patchOpts, err := option(opts)
	if err != nil {
		return err
	}
	_, err = t.update(gvr, ns, "", obj, metav1.UpdateOptions{DryRun: patchOpts.DryRun, FieldManager: patchOpts.FieldManager})
	return err
}

func (t *serverTracker) update(gvr schema.GroupVersionResource, ns, subresource string, obj runtime.Object, opts metav1.UpdateOptions) (runtime.Object, error) {
	object, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	w := write{gvr: gvr, namespace: ns, name: object.GetName(), subresource: subresource, dryRun: opts.DryRun, manager: opts.FieldManager}
	return t.replace(w, func(runtime.Object) (runtime.Object, error) { return obj.DeepCopyObject(), nil })
}

// write is a change to an existing object.
type write struct {
	gvr             schema.GroupVersionResource
	namespace, name string
	subresource     string
	dryRun          []string
	manager         string
	// managed reports that the fields of the result are already managed: it is an apply, which is
	// not a change if it changes nothing.
	managed bool
}

// replace replaces an object with the result of next and returns a server's result. next may modify
// its argument.
func (t *serverTracker) replace(w write, next func(live runtime.Object) (runtime.Object, error)) (runtime.Object, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.replaceLocked(t.of(w.gvr), w, next)
}

func (t *serverTracker) replaceLocked(r *resource, w write, next func(live runtime.Object) (runtime.Object, error)) (runtime.Object, error) {
	live, ok := r.objects[types.NamespacedName{Namespace: w.namespace, Name: w.name}]
	if !ok {
		return nil, r.notFound(w.name)
	}
	obj, err := next(live.object.DeepCopyObject())
	if err != nil {
		return nil, err
	}
	if w.subresource != "" && !sameKind(obj, live.object) {
		// The subresource is a separate object, which the tracker does not know.
		return obj, nil
	}
	if err = t.admit(w, live, obj); err != nil {
		return nil, err
	}
	obj = seenThrough(w.subresource, live.object, obj)
	if !w.managed {
		k, _ := t.kindOf(w.gvr, obj)
		if obj, err = t.fields.updated(k, live.object, obj, w); err != nil {
			return nil, err
		}
	}
	if len(w.dryRun) > 0 || w.managed && equality.Semantic.DeepEqual(obj, live.object) {
		return obj, nil
	}
	t.put(r, live.object, obj, "")
	return obj.DeepCopyObject(), nil
}

// admit checks an object that replaces the live one, and sets the fields that a server preserves if
// they are omitted.
func (t *serverTracker) admit(w write, live record, obj runtime.Object) error {
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	if err = place(object, w.namespace); err != nil {
		return err
	}
	if object.GetName() != w.name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", object.GetName(), w.name))
	}
	old, err := meta.Accessor(live.object)
	if err != nil {
		return err
	}
	if object.GetUID() == "" {
		object.SetUID(old.GetUID())
	}
	if created := object.GetCreationTimestamp(); created.IsZero() {
		object.SetCreationTimestamp(old.GetCreationTimestamp())
	}
	if uid := old.GetUID(); uid != "" && uid != object.GetUID() {
		return apierrors.NewConflict(w.gvr.GroupResource(), w.name,
			fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", object.GetUID(), uid)) //nolint:staticcheck // a server's text
	}
	if version := object.GetResourceVersion(); version != "" && version != old.GetResourceVersion() && version != live.given {
		return apierrors.NewConflict(w.gvr.GroupResource(), w.name, errModified)
	}
	object.SetResourceVersion(old.GetResourceVersion())
	return nil
}

var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// Delete implements ObjectTracker.
func (t *serverTracker) Delete(gvr schema.GroupVersionResource, ns, name string, opts ...metav1.DeleteOptions) error {
	deleteOpts, err := option(opts)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	live, ok := r.objects[types.NamespacedName{Namespace: ns, Name: name}]
	if !ok {
		return r.notFound(name)
	}
	return t.remove(r, live.object, deleteOpts)
}

// deleteCollection deletes the objects that listOpts selects, by namespace and name. It stops at
// the first error.
func (t *serverTracker) deleteCollection(gvr schema.GroupVersionResource, ns string, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	selected, err := t.selection(r, ns, listOpts)
	if err != nil {
		return err
	}
	for _, live := range r.selected(selected) {
		if err := t.remove(r, live.object, opts); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a stored object from its resource. The caller holds mu.
func (t *serverTracker) remove(r *resource, live runtime.Object, opts metav1.DeleteOptions) error {
	object, err := meta.Accessor(live)
	if err != nil {
		return err
	}
	if p := opts.Preconditions; p != nil {
		conflict := func(format string, args ...any) error {
			return apierrors.NewConflict(r.gvr.GroupResource(), object.GetName(), fmt.Errorf(format, args...))
		}
		if p.UID != nil && *p.UID != object.GetUID() {
			return conflict("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *p.UID, object.GetUID())
		}
		if p.ResourceVersion != nil && *p.ResourceVersion != object.GetResourceVersion() {
			return conflict("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", *p.ResourceVersion, object.GetResourceVersion())
		}
	}
	if len(opts.DryRun) > 0 {
		return nil
	}
	delete(r.objects, keyOf(object))
	t.version++
	last := live.DeepCopyObject()
	stamp(last, t.version)
	r.record(change{version: t.version, before: live, object: last})
	return nil
}

// put stores an object, which the tracker then owns, in place of before. The caller holds mu.
func (t *serverTracker) put(r *resource, before, obj runtime.Object, given string) {
	object, err := meta.Accessor(obj)
	if err != nil {
		return
	}
	t.version++
	stamp(obj, t.version)
	r.objects[keyOf(object)] = record{object: obj, given: given}
	r.record(change{version: t.version, before: before, after: obj, object: obj})
}

const (
	// maxNameLength is the shortest maximum length of names.
	maxNameLength = 63
	suffixLength  = 5
	// suffixLetters cannot spell words.
	suffixLetters = "bcdfghjklmnpqrstvwxz2456789"
)

// freeName returns an unused name with the prefix. The suffix is derived from the next version, so
// that a test gets the same names in every run. The caller holds mu.
func (t *serverTracker) freeName(r *resource, ns, prefix string) string {
	prefix = prefix[:min(len(prefix), maxNameLength-suffixLength)]
	for n := t.version + 1; ; n++ {
		suffix := make([]byte, suffixLength)
		for i, rest := suffixLength-1, n; i >= 0; i-- {
			suffix[i] = suffixLetters[rest%int64(len(suffixLetters))]
			rest /= int64(len(suffixLetters))
		}
		name := prefix + string(suffix)
		if _, ok := r.objects[types.NamespacedName{Namespace: ns, Name: name}]; !ok {
			return name
		}
	}
}
