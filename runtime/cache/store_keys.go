package cache

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// ObjectName identifies an object of a resource. Namespace is empty for cluster-scoped objects.
type ObjectName struct {
	Namespace string
	Name      string
}

// NewObjectName returns the name of an object in a namespace, or without one.
func NewObjectName(namespace, name string) ObjectName {
	return ObjectName{Namespace: namespace, Name: name}
}

// Parts returns the namespace and the name.
func (n ObjectName) Parts() (namespace, name string) { return n.Namespace, n.Name }

// String returns the name as a key, as [MetaNamespaceKeyFunc] does: namespace/name, or the name
// alone without a namespace.
func (n ObjectName) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// AsNamespacedName returns the same name as apimachinery's type. Their String methods differ if
// there is no namespace.
func (n ObjectName) AsNamespacedName() types.NamespacedName {
	return types.NamespacedName{Namespace: n.Namespace, Name: n.Name}
}

// NamespacedNameAsObjectName is the inverse of [ObjectName.AsNamespacedName].
func NamespacedNameAsObjectName(nn types.NamespacedName) ObjectName {
	return ObjectName{Namespace: nn.Namespace, Name: nn.Name}
}

// ParseObjectName parses a key of [MetaNamespaceKeyFunc]. A key with more
// than one slash is an error.
func ParseObjectName(key string) (ObjectName, error) {
	namespace, name, err := SplitMetaNamespaceKey(key)
	return ObjectName{Namespace: namespace, Name: name}, err
}

// SplitMetaNamespaceKey splits a key of [MetaNamespaceKeyFunc] into namespace and name. A key with more than one slash is an error.
func SplitMetaNamespaceKey(key string) (namespace, name string, err error) {
	before, after, namespaced := strings.Cut(key, "/")
	switch {
	case !namespaced:
		return "", key, nil
	case strings.Contains(after, "/"):
		return "", "", fmt.Errorf("unexpected key format: %q", key)
	}
	return before, after, nil
}

// KeyFunc computes an object's key, which identifies it in a store. It must return the same key for
// all states of an object, and may be called concurrently.
type KeyFunc func(obj any) (string, error)

// KeyError is the error of stores when a [KeyFunc] fails.
type KeyError struct {
	Obj any // the object without a key
	Err error
}

// Error describes the object and why it has no key.
func (e KeyError) Error() string {
	return fmt.Sprintf("couldn't create key for object %+v: %v", e.Obj, e.Err)
}

// Unwrap returns the key function's error.
func (e KeyError) Unwrap() error { return e.Err }

// ExplicitKey is a key that [MetaNamespaceKeyFunc] accepts instead of an object.
type ExplicitKey string

// MetaNamespaceKeyFunc is the [KeyFunc] for API objects. The key is namespace/name, or
// the name alone for an object without a namespace.
func MetaNamespaceKeyFunc(obj any) (string, error) {
	if key, ok := obj.(ExplicitKey); ok {
		return string(key), nil
	}
	name, err := ObjectToName(obj)
	if err != nil {
		return "", err
	}
	return name.String(), nil
}

// DeletionHandlingMetaNamespaceKeyFunc is [MetaNamespaceKeyFunc] that also accepts tombstones, and
// returns their key.
func DeletionHandlingMetaNamespaceKeyFunc(obj any) (string, error) {
	if tombstone, ok := obj.(DeletedFinalStateUnknown); ok {
		return tombstone.Key, nil
	}
	return MetaNamespaceKeyFunc(obj)
}

// ObjectToName returns the name of an API object. It fails if obj has no metadata.
func ObjectToName(obj any) (ObjectName, error) {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return ObjectName{}, fmt.Errorf("object has no meta: %w", err)
	}
	return MetaObjectToName(accessor), nil
}

// DeletionHandlingObjectToName is [ObjectToName] that also accepts tombstones.
func DeletionHandlingObjectToName(obj any) (ObjectName, error) {
	if tombstone, ok := obj.(DeletedFinalStateUnknown); ok {
		return ParseObjectName(tombstone.Key)
	}
	return ObjectToName(obj)
}

// MetaObjectToName returns an object's name.
func MetaObjectToName(obj metav1.Object) ObjectName {
	return ObjectName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// DeletedFinalStateUnknown is a tombstone. It represents an object whose deletion was not watched
// but follows from a later list: Obj is the last known state and may be stale.
type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}

// newNamer returns the names that correspond to the keys of a key function. For the key functions
// of this package no key is built. Errors are a [KeyError].
func newNamer(key KeyFunc) delta.Namer {
	byKey := func(obj any) (delta.Name, error) {
		k, err := key(obj)
		if err != nil {
			return delta.Name{}, KeyError{Obj: obj, Err: err}
		}
		return delta.NameOfKey(k), nil
	}
	if !isFunc(key, MetaNamespaceKeyFunc) && !isFunc(key, DeletionHandlingMetaNamespaceKeyFunc) {
		return byKey
	}
	return func(obj any) (delta.Name, error) {
		if m, ok := obj.(metav1.Object); ok {
			return delta.NameOf(m), nil
		}
		return byKey(obj)
	}
}

// isFunc reports whether two key functions are the same.
func isFunc(a, b KeyFunc) bool { return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() }

// tombstoneKey returns the key of a [DeletedFinalStateUnknown], and whether obj is one.
func tombstoneKey(obj any) (string, bool) {
	tombstone, ok := obj.(DeletedFinalStateUnknown)
	return tombstone.Key, ok
}
