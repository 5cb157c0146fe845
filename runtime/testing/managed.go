package testing

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// NewFieldManagedObjectTracker is NewObjectTracker with server-side apply, and with fields managed
// from the creation of an object on (Add does not count as such); its results and errors equal
// those of client-go's tracker of that name. The scheme must contain the kinds of the resources,
// and typeConverter must know them. Create, Update and Patch write managed fields, and Create also
// the kind, into the given object.
func NewFieldManagedObjectTracker(scheme *runtime.Scheme, decoder runtime.Decoder, typeConverter managedfields.TypeConverter) ObjectTracker {
	return &managedTracker{NewObjectTracker(scheme, decoder), scheme, typeConverter}
}

// managedTracker manages the fields of the objects that it passes to another tracker.
type managedTracker struct {
	ObjectTracker
	scheme  *runtime.Scheme
	schemas managedfields.TypeConverter
}

// Create implements ObjectTracker.
func (t *managedTracker) Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error {
	createOpts, err := option(opts)
	if err != nil {
		return err
	}
	gvk, fields, err := t.manager(gvr)
	if err != nil {
		return err
	}
	obj.GetObjectKind().SetGroupVersionKind(gvk)
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	live, _, err := t.live(gvr, gvk, ns, object.GetName())
	if err != nil {
		return err
	}
	if obj, err = fields.Update(live, obj, createOpts.FieldManager); err != nil {
		return err
	}
	return t.ObjectTracker.Create(gvr, obj, ns, createOpts)
}

// Update implements ObjectTracker.
func (t *managedTracker) Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error {
	updateOpts, err := option(opts)
	if err != nil {
		return err
	}
	if obj, err = t.updated(gvr, obj, ns, updateOpts.FieldManager); err != nil {
		return err
	}
	return t.ObjectTracker.Update(gvr, obj, ns, updateOpts)
}

// Patch implements ObjectTracker.
func (t *managedTracker) Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	patchOpts, err := option(opts)
	if err != nil {
		return err
	}
	if obj, err = t.updated(gvr, obj, ns, patchOpts.FieldManager); err != nil {
		return err
	}
	return t.ObjectTracker.Patch(gvr, obj, ns, patchOpts)
}

// updated returns an object that replaces the one of the same name, with its fields managed.
func (t *managedTracker) updated(gvr schema.GroupVersionResource, obj runtime.Object, ns, manager string) (runtime.Object, error) {
	_, fields, err := t.manager(gvr)
	if err != nil {
		return nil, err
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	live, err := t.Get(gvr, ns, object.GetName())
	if err != nil {
		return nil, err
	}
	return fields.Update(live, obj, manager)
}

// Apply implements ObjectTracker. It creates an object that does not exist.
func (t *managedTracker) Apply(gvr schema.GroupVersionResource, applyConfiguration runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	patchOpts, err := option(opts)
	if err != nil {
		return err
	}
	gvk, fields, err := t.manager(gvr)
	if err != nil {
		return err
	}
	object, err := meta.Accessor(applyConfiguration)
	if err != nil {
		return err
	}
	live, exists, err := t.live(gvr, gvk, ns, object.GetName())
	if err != nil {
		return err
	}
	obj, err := fields.Apply(live, applyConfiguration, patchOpts.FieldManager, patchOpts.Force != nil && *patchOpts.Force)
	if err != nil {
		return err
	}
	if exists {
		return t.ObjectTracker.Update(gvr, obj, ns)
	}
	return t.ObjectTracker.Create(gvr, obj, ns)
}

// live returns the object of that name, or an empty one if it does not exist.
func (t *managedTracker) live(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, ns, name string) (obj runtime.Object, exists bool, err error) {
	obj, err = t.Get(gvr, ns, name)
	if !apierrors.IsNotFound(err) {
		return obj, err == nil, err
	}
	if obj, err = t.scheme.New(gvk); err != nil {
		return nil, false, err
	}
	obj.GetObjectKind().SetGroupVersionKind(gvk)
	return obj, false, nil
}

// manager returns the kind of a resource and its field manager. The scheme is consulted each time,
// because kinds may be added to it.
func (t *managedTracker) manager(gvr schema.GroupVersionResource) (schema.GroupVersionKind, *managedfields.FieldManager, error) {
	gvk, err := testrestmapper.TestOnlyStaticRESTMapper(t.scheme).KindFor(gvr)
	if err != nil {
		return gvk, nil, err
	}
	fields, err := managedfields.NewDefaultFieldManager(t.schemas, t.scheme, kind{}, t.scheme, gvk, gvk.GroupVersion(), "", nil)
	return gvk, fields, err
}
