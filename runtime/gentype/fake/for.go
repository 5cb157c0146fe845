package fake

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/testing"
)

// The functions For... are the constructors for generated code, like those of package
// gentype. T, L and C must be pointers to structs; lists have the fields ListMeta and Items.

// For returns a fake client for a kind and its resource in a namespace; an empty namespace
// stands for all namespaces, and is used for cluster-scoped resources.
func For[T objectWithMeta, L runtime.Object](fake *testing.Fake, namespace string, version schema.GroupVersion, resource, kind string) *AllVerbs[T, L] {
	return &AllVerbs[T, L]{fake, namespace, version.WithResource(resource), version.WithKind(kind), maker[T](), maker[L]()}
}

// ForApply is [For] with server-side apply.
func ForApply[T objectWithMeta, L runtime.Object, C configuration](fake *testing.Fake, namespace string, version schema.GroupVersion, resource, kind string) *AllVerbsWithApply[T, L, C] {
	return &AllVerbsWithApply[T, L, C]{fake, namespace, version.WithResource(resource), version.WithKind(kind), maker[T](), maker[L]()}
}

// ForObject is [For] without lists.
func ForObject[T objectWithMeta](fake *testing.Fake, namespace string, version schema.GroupVersion, resource, kind string) *FakeClient[T] {
	return NewFakeClient(fake, namespace, version.WithResource(resource), version.WithKind(kind), maker[T]())
}

// ForObjectApply is [ForApply] without lists.
func ForObjectApply[T objectWithMeta, C namedObject](fake *testing.Fake, namespace string, version schema.GroupVersion, resource, kind string) *FakeClientWithApply[T, C] {
	return NewFakeClientWithApply[T, C](fake, namespace, version.WithResource(resource), version.WithKind(kind), maker[T]())
}

// maker returns a function that returns pointers to new zero values. T is a pointer type.
func maker[T any]() func() T {
	typ := reflect.TypeFor[T]().Elem()
	return func() T { return reflect.New(typ).Interface().(T) }
}

// selected copies the items of all that a selector selects into list. Items are objects or pointers
// to objects.
func selected(list, all runtime.Object, selector labels.Selector) {
	l, a := reflect.ValueOf(list).Elem(), reflect.ValueOf(all).Elem()
	l.FieldByName("ListMeta").Set(a.FieldByName("ListMeta"))
	from, to := a.FieldByName("Items"), l.FieldByName("Items")
	for i := range from.Len() {
		object := from.Index(i)
		if object.Kind() != reflect.Pointer {
			object = object.Addr()
		}
		if selector.Matches(labels.Set(object.Interface().(metav1.Object).GetLabels())) {
			to.Set(reflect.Append(to, from.Index(i)))
		}
	}
}
