package gentype

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// The functions For... are the constructors for generated code. They create objects with the type
// that a pointer points to, so that a kind needs no functions. T, L and C must be pointers to
// structs. No type argument is a struct itself, because the compiler would compile every generic
// function and type for each one.

// ContentType is a content type that clients request unless their configs set one.
type ContentType int

// Protobuf is the content type of built-in kinds. By default clients request JSON.
const Protobuf ContentType = 1

// For returns the client of a resource in a namespace; an empty namespace stands for all
// namespaces, and is used for cluster-scoped resources.
func For[T objectWithMeta, L runtime.Object](client rest.Interface, codec runtime.ParameterCodec, resource, namespace string, preferred ...ContentType) *AllVerbs[T, L] {
	return &AllVerbs[T, L]{endpointFor(client, codec, resource, namespace, preferred), maker[T](), maker[L]()}
}

// ForApply is [For] with server-side apply.
func ForApply[T objectWithMeta, L runtime.Object, C configuration](client rest.Interface, codec runtime.ParameterCodec, resource, namespace string, preferred ...ContentType) *AllVerbsWithApply[T, L, C] {
	return &AllVerbsWithApply[T, L, C]{endpointFor(client, codec, resource, namespace, preferred), maker[T](), maker[L]()}
}

// ForObject is [For] without lists.
func ForObject[T objectWithMeta](client rest.Interface, codec runtime.ParameterCodec, resource, namespace string, preferred ...ContentType) *Client[T] {
	return &Client[T]{endpointFor(client, codec, resource, namespace, preferred), maker[T]()}
}

// ForObjectApply is [ForApply] without lists.
func ForObjectApply[T objectWithMeta, C namedObject](client rest.Interface, codec runtime.ParameterCodec, resource, namespace string, preferred ...ContentType) *ClientWithApply[T, C] {
	c := ForObject[T](client, codec, resource, namespace, preferred...)
	return &ClientWithApply[T, C]{c, applier[T, C]{c}}
}

func endpointFor(client rest.Interface, codec runtime.ParameterCodec, resource, namespace string, preferred []ContentType) *endpoint {
	return &endpoint{client: client, resource: resource, namespace: namespace, parameterCodec: codec, prefersProtobuf: slices.Contains(preferred, Protobuf)}
}

// maker returns a function that returns pointers to new zero values. T is a pointer type.
func maker[T any]() func() T {
	typ := reflect.TypeFor[T]().Elem()
	return func() T { return reflect.New(typ).Interface().(T) }
}
