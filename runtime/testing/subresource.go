package testing

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// sameKind reports whether a subresource is a view of the object itself, and not an object of
// another kind.
func sameKind(a, b runtime.Object) bool {
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	_, untyped := a.(runtime.Unstructured)
	return !untyped || a.GetObjectKind().GroupVersionKind() == b.GetObjectKind().GroupVersionKind()
}

// seenThrough returns the result of writing obj to a subresource of live: with "status" only the
// status is replaced, with any other subresource the whole object.
func seenThrough(subresource string, live, obj runtime.Object) runtime.Object {
	if subresource != "status" {
		return obj
	}
	return withStatus(live, obj)
}

// withStatus returns a copy of live with the status of obj and with its metadata of the write:
// resourceVersion and managed fields. For an object without a status, it returns obj.
func withStatus(live, obj runtime.Object) runtime.Object {
	merged := live.DeepCopyObject()
	switch to := merged.(type) {
	case runtime.Unstructured:
		content := to.UnstructuredContent()
		delete(content, "status")
		if status, ok := obj.(runtime.Unstructured).UnstructuredContent()["status"]; ok {
			content["status"] = status
		}
		to.SetUnstructuredContent(content)
	default:
		target, source := statusOf(merged), statusOf(obj)
		if !target.IsValid() || !source.IsValid() {
			return obj
		}
		target.Set(source)
	}
	to, err := meta.Accessor(merged)
	if err != nil {
		return obj
	}
	from, err := meta.Accessor(obj)
	if err != nil {
		return obj
	}
	to.SetResourceVersion(from.GetResourceVersion())
	to.SetManagedFields(from.GetManagedFields())
	return merged
}

// statusOf returns the field of an object that is its status, or the zero value.
func statusOf(obj runtime.Object) reflect.Value {
	value := reflect.ValueOf(obj).Elem()
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name == "status" && field.IsExported() {
			return value.Field(i)
		}
	}
	return reflect.Value{}
}
