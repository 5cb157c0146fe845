package testing

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fieldManagement maintains the managedFields of objects.
type fieldManagement struct {
	// schemas may be nil. Without a schema, an object's fields are those that it has set, lists are
	// owned as a whole, and fields are managed only from the first Apply on.
	schemas managedfields.TypeConverter
}

// created returns the object with the fields owned by the manager that has created it.
func (m fieldManagement) created(k kind, obj runtime.Object, manager string) (runtime.Object, error) {
	if !k.known() || !m.knows(k) {
		return obj, nil
	}
	fields, err := m.manager(k, "")
	if err != nil {
		return nil, err
	}
	return fields.Update(k.empty(), obj, manager)
}

// updated returns the object that replaces live, with its fields managed.
func (m fieldManagement) updated(k kind, live, obj runtime.Object, w write) (runtime.Object, error) {
	if !k.known() || !managed(live) && !m.knows(k) {
		return obj, nil
	}
	fields, err := m.manager(k, w.subresource)
	if err != nil {
		return nil, err
	}
	version := takeVersion(obj)
	live = live.DeepCopyObject()
	takeVersion(live)
	if obj, err = fields.Update(live, obj, w.manager); err != nil {
		return nil, err
	}
	setVersion(obj, version)
	return obj, nil
}

// takeVersion clears the resourceVersion of an object and returns it. It has no owner, and a schema
// that was reduced for a test may not contain it.
func takeVersion(obj runtime.Object) string {
	object, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	version := object.GetResourceVersion()
	object.SetResourceVersion("")
	return version
}

func managed(obj runtime.Object) bool {
	object, err := meta.Accessor(obj)
	return err == nil && len(object.GetManagedFields()) > 0
}

// applied returns the result of applying a configuration to live. It may modify both.
func (m fieldManagement) applied(k kind, live, configuration runtime.Object, subresource string, opts metav1.PatchOptions) (runtime.Object, error) {
	fields, err := m.manager(k, subresource)
	if err != nil {
		return nil, err
	}
	takeVersion(live)
	obj, err := fields.Apply(live, configuration, opts.FieldManager, opts.Force != nil && *opts.Force)
	if status := apierrors.APIStatus(nil); err != nil && !errors.As(err, &status) {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return obj, err
}

func (m fieldManagement) manager(k kind, subresource string) (*managedfields.FieldManager, error) {
	return managedfields.NewDefaultFieldManager(m.schema(k), k, k, k, k.gvk, k.gvk.GroupVersion(), subresource, nil)
}

// schema returns the schema of a kind, or a stand-in for it.
func (m fieldManagement) schema(k kind) managedfields.TypeConverter {
	if m.knows(k) {
		return m.schemas
	}
	return managedfields.NewDeducedTypeConverter()
}

// knows reports whether there is a schema of a kind.
func (m fieldManagement) knows(k kind) bool {
	if m.schemas == nil {
		return false
	}
	probe := &unstructured.Unstructured{}
	probe.SetGroupVersionKind(k.gvk)
	_, err := m.schemas.ObjectToTyped(probe)
	return err == nil
}

// Apply implements ObjectTracker.
func (t *serverTracker) Apply(gvr schema.GroupVersionResource, applyConfiguration runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	patchOpts, err := option(opts)
	if err != nil {
		return err
	}
	_, err = t.apply(gvr, ns, "", applyConfiguration, patchOpts)
	return err
}

func (t *serverTracker) apply(gvr schema.GroupVersionResource, ns, subresource string, configuration runtime.Object, opts metav1.PatchOptions) (runtime.Object, error) {
	if opts.FieldManager == "" {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "PatchOptions"}, "", field.ErrorList{
			field.Required(field.NewPath("fieldManager"), "is required for apply patch"),
		})
	}
	configuration = configuration.DeepCopyObject()
	object, err := meta.Accessor(configuration)
	if err != nil {
		return nil, err
	}
	if content, ok := configuration.(*unstructured.Unstructured); ok && subresource == "status" {
		keepStatus(content)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	if _, ok := r.objects[types.NamespacedName{Namespace: ns, Name: object.GetName()}]; !ok && subresource == "" {
		return t.applyNew(r, ns, configuration, opts)
	}
	w := write{
		gvr: gvr, namespace: ns, name: object.GetName(), subresource: subresource,
		dryRun: opts.DryRun, managed: true,
	}
	return t.replaceLocked(r, w, func(live runtime.Object) (runtime.Object, error) {
		k, err := t.kindOf(gvr, live)
		if err != nil {
			return nil, err
		}
		return t.fields.applied(k, live, configuration, subresource, opts)
	})
}

// applyNew creates an object from an apply configuration.
func (t *serverTracker) applyNew(r *resource, ns string, configuration runtime.Object, opts metav1.PatchOptions) (runtime.Object, error) {
	k, err := t.kindToApply(r, configuration.GetObjectKind().GroupVersionKind())
	if err != nil {
		return nil, err
	}
	obj, err := t.fields.applied(k, k.empty(), configuration, "", opts)
	if err != nil {
		return nil, err
	}
	return t.insertLocked(r, ns, obj, opts.DryRun, asGiven)
}

// kindToApply returns the kind of a resource's objects, which is the kind of the apply
// configuration unless a better one is known.
func (t *serverTracker) kindToApply(r *resource, gvk schema.GroupVersionKind) (kind, error) {
	t.learn(r)
	if r.kind.known() {
		return r.kind, nil
	}
	if gvk.Kind == "" || version(gvk) != r.gvr.GroupVersion() {
		return kind{}, apierrors.NewBadRequest(fmt.Sprintf("the apply configuration is of kind %q of %q instead of a kind of %q", gvk.Kind, gvk.GroupVersion(), r.gvr.GroupVersion()))
	}
	if k := t.kindNamed(gvk); k.known() {
		return k, nil
	}
	return kind{gvk: gvk, object: reflect.TypeFor[unstructured.Unstructured]()}, nil
}

// keepStatus removes the fields of an apply configuration except its status and its identity.
func keepStatus(configuration *unstructured.Unstructured) {
	keep(configuration.Object, "apiVersion", "kind", "metadata", "status")
	if metadata, ok := configuration.Object["metadata"].(map[string]any); ok {
		keep(metadata, "name", "namespace", "uid", "resourceVersion")
	}
}

func keep(content map[string]any, keys ...string) {
	maps.DeleteFunc(content, func(key string, _ any) bool { return !slices.Contains(keys, key) })
}
