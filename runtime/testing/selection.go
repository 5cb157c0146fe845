package testing

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// selection determines which objects a list or a watch includes.
type selection struct {
	// namespace is empty for all.
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

// inNamespace returns the selection of all objects of a namespace.
func inNamespace(namespace string) selection {
	return selection{namespace: namespace, labels: labels.Everything(), fields: fields.Everything()}
}

// selection parses the selectors of opts. A field that the objects' type cannot have is an error,
// as with a server, since it would silently select nothing. A field of an unknown type may exist:
// it is empty in objects without it. The caller holds mu for writing.
func (t *serverTracker) selection(r *resource, namespace string, opts metav1.ListOptions) (selection, error) {
	s := selection{namespace: namespace}
	var err error
	if s.labels, err = labels.Parse(opts.LabelSelector); err != nil {
		return s, apierrors.NewBadRequest(err.Error())
	}
	if s.fields, err = fields.ParseSelector(opts.FieldSelector); err != nil {
		return s, apierrors.NewBadRequest(err.Error())
	}
	if s.fields.Empty() {
		return s, nil
	}
	t.learn(r)
	for _, requirement := range s.fields.Requirements() {
		if r.kind.typed() && !hasField(r.kind.object, strings.Split(requirement.Field, ".")) {
			return s, apierrors.NewBadRequest(fmt.Sprintf("field label not supported: %s", requirement.Field))
		}
	}
	return s, nil
}

func (s selection) matches(obj runtime.Object) bool {
	object, err := meta.Accessor(obj)
	if err != nil {
		return false
	}
	return (s.namespace == "" || s.namespace == object.GetNamespace()) &&
		s.labels.Matches(labels.Set(object.GetLabels())) &&
		(s.fields.Empty() || s.fields.Matches(&objectFields{meta: object, object: obj}))
}

// objectFields are the fields of an object by their JSON names, joined by dots.
type objectFields struct {
	meta    metav1.Object
	object  runtime.Object
	content map[string]any
}

// Has implements fields.Fields.
func (f *objectFields) Has(field string) bool { return f.Get(field) != "" }

// Get implements fields.Fields. A field that does not exist, or is not a scalar, is empty.
func (f *objectFields) Get(field string) string {
	switch field {
	case "metadata.name":
		return f.meta.GetName()
	case "metadata.namespace":
		return f.meta.GetNamespace()
	}
	if f.content == nil {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(f.object)
		if err != nil {
			return ""
		}
		f.content = content
	}
	value, _, err := unstructured.NestedFieldNoCopy(f.content, strings.Split(field, ".")...)
	if err != nil {
		return ""
	}
	switch value.(type) {
	case string, bool, int64, float64:
		return fmt.Sprint(value)
	}
	return ""
}

// hasField reports whether a value of the type can have a scalar at the path.
func hasField(t reflect.Type, path []string) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Interface:
		return true
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()):
		return len(path) == 0
	case t.Kind() == reflect.Struct:
		return len(path) > 0 && structHasField(t, path)
	case t.Kind() == reflect.Map:
		return len(path) > 0 && hasField(t.Elem(), path[1:])
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return false
	}
	return len(path) == 0
}

func structHasField(t reflect.Type, path []string) bool {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inline := name == "" && (field.Anonymous || options == "inline")
		switch {
		case inline:
			if hasField(field.Type, path) {
				return true
			}
		case name == path[0], name == "" && field.Name == path[0]:
			return hasField(field.Type, path[1:])
		}
	}
	return false
}
