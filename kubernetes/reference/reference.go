package reference

import (
	"errors"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrNilObject reports a reference to nil, or to a nil pointer.
var ErrNilObject = errors.New("can't reference a nil object")

// errNoScheme reports an object that does not name its kind.
var errNoScheme = errors.New("scheme is required to look up gvk")

// GetReference returns a reference to an object: its kind and API version, its namespace, name, UID and resource
// version. A list has only kind, API version and resource version. A reference is returned as it is, so the
// result may be obj itself.
//
// Kind and version are the object's own; the scheme is used only if the object has neither, as typed objects
// from clients and informers do, and may be nil otherwise.
//
// The error is [ErrNilObject] for a nil pointer; otherwise it reports an object without metadata, or a type that
// the scheme lacks ([runtime.IsNotRegisteredError]).
func GetReference(scheme *runtime.Scheme, obj runtime.Object) (*corev1.ObjectReference, error) {
	if isNil(obj) {
		return nil, ErrNilObject
	}
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return ref, nil
	}
	ref := &corev1.ObjectReference{}
	if object, err := meta.Accessor(obj); err == nil {
		ref.Namespace, ref.Name, ref.UID = object.GetNamespace(), object.GetName(), object.GetUID()
		ref.ResourceVersion = object.GetResourceVersion()
	} else {
		list, err := meta.CommonAccessor(obj)
		if err != nil {
			return nil, err
		}
		ref.ResourceVersion = list.GetResourceVersion()
	}
	kind, err := kindOf(scheme, obj)
	if err != nil {
		return nil, err
	}
	ref.APIVersion, ref.Kind = kind.ToAPIVersionAndKind()
	return ref, nil
}

// GetPartialReference is [GetReference] to a part of an object. The caller owns the result.
//
// fieldPath names the part by a path in the object, for example "spec.containers{sidecar}".
func GetPartialReference(scheme *runtime.Scheme, obj runtime.Object, fieldPath string) (*corev1.ObjectReference, error) {
	whole, err := GetReference(scheme, obj)
	if err != nil {
		return nil, err
	}
	ref := *whole
	ref.FieldPath = fieldPath
	return &ref, nil
}

// kindOf returns the kind that an object names, or the first one that the scheme has for its type.
func kindOf(scheme *runtime.Scheme, obj runtime.Object) (schema.GroupVersionKind, error) {
	if kind := obj.GetObjectKind().GroupVersionKind(); !kind.Empty() {
		return kind, nil
	}
	if scheme == nil {
		return schema.GroupVersionKind{}, errNoScheme
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	if len(kinds) == 0 || kinds[0].Empty() {
		return schema.GroupVersionKind{}, fmt.Errorf("unexpected gvks registered for object %T: %v", obj, kinds)
	}
	return kinds[0], nil
}

// isNil reports whether obj is nil or a nil pointer, whose metadata cannot be read.
func isNil(obj runtime.Object) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
