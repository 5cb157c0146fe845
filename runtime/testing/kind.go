package testing

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// kind is the kind of a resource's objects, with their Go type. It creates objects for the field
// manager and converts them; there is no conversion between versions.
type kind struct {
	gvk schema.GroupVersionKind
	// object is the type that the pointers in the objects' interfaces point to, or nil if the kind
	// is unknown.
	object reflect.Type
}

func (k kind) known() bool { return k.object != nil }

// typed reports whether the kind's fields have a Go type.
func (k kind) typed() bool {
	return k.known() && !reflect.PointerTo(k.object).Implements(reflect.TypeFor[runtime.Unstructured]())
}

// empty returns an object with no field except its kind.
func (k kind) empty() runtime.Object {
	obj, ok := reflect.New(k.object).Interface().(runtime.Object)
	if !ok {
		obj = &unstructured.Unstructured{}
	}
	obj.GetObjectKind().SetGroupVersionKind(k.gvk)
	return obj
}

// kindOf returns the kind of an object of the resource.
func (t *serverTracker) kindOf(gvr schema.GroupVersionResource, obj runtime.Object) (kind, error) {
	k := kind{gvk: obj.GetObjectKind().GroupVersionKind(), object: reflect.TypeOf(obj).Elem()}
	if _, partial := obj.(*metav1.PartialObjectMetadata); !k.typed() || partial && !k.gvk.Empty() {
		return k, nil
	}
	gvks, _, err := t.scheme.ObjectKinds(obj)
	if err != nil {
		return kind{}, err
	}
	k.gvk = gvks[0]
	for _, gvk := range gvks {
		if version(gvk) == gvr.GroupVersion() {
			k.gvk = gvk
		}
	}
	return k, nil
}

// kindNamed returns the kind of that name if the scheme contains it.
func (t *serverTracker) kindNamed(gvk schema.GroupVersionKind) kind {
	if gvk.Version == "" {
		gvk.Version = runtime.APIVersionInternal
	}
	obj, err := t.scheme.New(gvk)
	if err != nil {
		return kind{}
	}
	return kind{gvk: gvk, object: reflect.TypeOf(obj).Elem()}
}

// resourceOf returns the resource of a kind: the one set by NameResource, otherwise the one that
// its name suggests.
func (t *serverTracker) resourceOf(gvk schema.GroupVersionKind) schema.GroupVersionResource {
	gvr := guessedResource(gvk)
	if name, ok := t.named.Load(gvk); ok {
		gvr.Resource = name.(string)
	}
	return gvr
}

// kindFor returns the kind of a resource if the scheme contains one.
func (t *serverTracker) kindFor(gvr schema.GroupVersionResource) kind {
	scheme, ok := t.scheme.(interface {
		KnownTypes(schema.GroupVersion) map[string]reflect.Type
	})
	if !ok {
		return kind{}
	}
	gv := gvr.GroupVersion()
	if gv.Version == "" {
		gv.Version = runtime.APIVersionInternal
	}
	for name := range scheme.KnownTypes(gv) {
		if strings.EqualFold(t.resourceOf(gv.WithKind(name)).Resource, gvr.Resource) {
			return t.kindNamed(gv.WithKind(name))
		}
	}
	return kind{}
}

// version returns the group and version of a resource of the kind: internal kinds
// have resources without a version.
func version(gvk schema.GroupVersionKind) schema.GroupVersion {
	if gvk.Version == runtime.APIVersionInternal {
		gvk.Version = ""
	}
	return gvk.GroupVersion()
}

// New implements runtime.ObjectCreater.
func (k kind) New(schema.GroupVersionKind) (runtime.Object, error) { return k.empty(), nil }

// Default implements runtime.ObjectDefaulter: there are no defaults.
func (k kind) Default(runtime.Object) {}

// ConvertToVersion implements runtime.ObjectConvertor: it returns a copy of the
// object in the kind's own type.
func (k kind) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	if gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{k.gvk}); !ok || gvk != k.gvk {
		return nil, runtime.NewNotRegisteredErrForTarget("the tracker", k.object, target)
	}
	if content, ok := in.(runtime.Unstructured); ok && k.typed() {
		out := k.empty()
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content.UnstructuredContent(), out); err != nil {
			return nil, err
		}
		return out, nil
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(k.gvk)
	return out, nil
}

// Convert implements runtime.ObjectConvertor.
func (k kind) Convert(in, out, _ any) error {
	return fmt.Errorf("no conversion from %T to %T", in, out)
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (k kind) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("no conversion of field labels")
}
