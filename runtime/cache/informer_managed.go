package cache

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// DropManagedFields is a [TransformFunc] that removes metadata.managedFields. These take a tenth of the memory of
// an object and more, and few controllers read them.
//
// Unlike other transforms, it need not remove anything if it is the transform of an informer: requests ask the server
// to leave the fields out (KEP-5958). What a server sends nevertheless is skipped while it is decoded, and so only
// checked to be JSON, or not at all in protobuf. Equal parts of objects stay shared; see package codec. Within another
// transform, it only removes the fields.
//
// Objects without managedFields cannot be given to functions that extract what a manager applied, such as
// ExtractInto of package managedfields: these would find nothing.
func DropManagedFields(obj any) (any, error) {
	switch o := obj.(type) {
	case *unstructured.Unstructured:
		unstructured.RemoveNestedField(o.Object, "metadata", "managedFields")
	case metav1.Object:
		if o.GetManagedFields() != nil {
			o.SetManagedFields(nil)
		}
	}
	return obj, nil
}

// dropsManagedFields reports whether f is [DropManagedFields].
func (f TransformFunc) dropsManagedFields() bool {
	return f != nil && reflect.ValueOf(f).Pointer() == reflect.ValueOf(DropManagedFields).Pointer()
}
