package codec

import (
	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Merge returns how server-side apply merges objects: Kubernetes' own kinds, if known is set, by their recorded types,
// others by a type that is deduced from the object, in which lists are atomic.
func Merge(known bool) managedfields.TypeConverter { return typeConverter{known} }

type typeConverter struct{ known bool }

var deduced = managedfields.NewDeducedTypeConverter()

// ObjectToTyped implements managedfields.TypeConverter.
func (c typeConverter) ObjectToTyped(obj runtime.Object, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	if !c.known {
		return deduced.ObjectToTyped(obj, options...)
	}
	gvk := obj.GetObjectKind().GroupVersionKind()
	t, err := facts.TypeOf(gvk.Group, gvk.Version, gvk.Kind)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return deduced.ObjectToTyped(obj, options...)
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return t.FromUnstructured(u.Object, options...)
	}
	return t.FromStructured(obj, options...)
}

// TypedToObject implements managedfields.TypeConverter.
func (c typeConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return deduced.TypedToObject(value)
}
