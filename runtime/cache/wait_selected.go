package cache

import (
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// selects reports whether the source of an object selects it. Fields other than those of the metadata are
// looked up in the object's JSON.
func (w *Writes) selects(obj metav1.Object) bool {
	s, own := ownInformer(w.informer)
	if !own {
		return true
	}
	byLabels, byFields := s.selectors(s.sourceOf(obj.GetNamespace()))
	if selector, err := labels.Parse(byLabels); err == nil && !selector.Matches(labels.Set(obj.GetLabels())) {
		return false
	}
	selector, err := fields.ParseSelector(byFields)
	return err != nil || selector.Empty() || selector.Matches(fieldsOf(obj, selector.Requirements()))
}

// builtinFields are the fields by which servers select objects of built-in kinds, with what they count as if JSON omits them,
// and the path if that is not the field.
var builtinFields = map[string]struct{ zero, path string }{
	"spec.unschedulable": {zero: "false"},
	"spec.hostNetwork":   {zero: "false"},
	"status.replicas":    {zero: "0"},
	"status.successful":  {zero: "0", path: "status.succeeded"},
}

// fieldsOf returns the fields of an object that are required.
func fieldsOf(obj metav1.Object, required fields.Requirements) fields.Set {
	out := fields.Set{"metadata.namespace": obj.GetNamespace(), "metadata.name": obj.GetName()}
	var content map[string]any
	for _, r := range required {
		if _, has := out[r.Field]; has {
			continue
		}
		if content == nil {
			content = contentOf(obj)
		}
		path := r.Field
		if builtin, known := builtinFields[r.Field]; known && isBuiltin(obj) {
			out[r.Field] = builtin.zero
			if builtin.path != "" {
				path = builtin.path
			}
		}
		if value, has, _ := unstructured.NestedFieldNoCopy(content, strings.Split(path, ".")...); has {
			out[r.Field] = fmt.Sprint(value)
		}
	}
	return out
}

// contentOf returns an object's JSON, without what cannot be converted. The caller must not modify it.
func contentOf(obj metav1.Object) map[string]any {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return u.Object
	}
	content, _ := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	return content
}

// isBuiltin reports whether an object is of a kind of k8s.io/api: its Go type is, or its group has no domain.
func isBuiltin(obj metav1.Object) bool {
	if u, ok := obj.(runtime.Unstructured); ok {
		return !strings.Contains(u.GetObjectKind().GroupVersionKind().Group, ".")
	}
	typ := reflect.TypeOf(obj)
	return typ.Kind() == reflect.Pointer && strings.HasPrefix(typ.Elem().PkgPath(), "k8s.io/api/")
}

// isGone reports whether a server that returned this state of an object has deleted it, because nothing is left that holds
// it. A namespace has other finalizers, which metadata do not show.
func isGone(obj metav1.Object) bool {
	if obj.GetDeletionTimestamp() == nil || len(obj.GetFinalizers()) > 0 {
		return false
	}
	if grace := obj.GetDeletionGracePeriodSeconds(); grace != nil && *grace > 0 {
		return false
	}
	if partial, ok := obj.(*metav1.PartialObjectMetadata); ok {
		return partial.Kind != "" && partial.Kind != "Namespace"
	}
	held, _, _ := unstructured.NestedFieldNoCopy(contentOf(obj), "spec", "finalizers") // of a namespace
	list, _ := held.([]any)
	return len(list) == 0
}
