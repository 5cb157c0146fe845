// Package extensionsint has the internal version of scales in the group extensions.
package extensionsint

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"

	"k8s.io/client-go/scale/scheme"
)

// GroupName is the name of the API group.
const GroupName = extensionsv1beta1.GroupName

// SchemeGroupVersion is the internal version of the group.
var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: runtime.APIVersionInternal}

// SchemeBuilder and AddToScheme add Scale to a scheme. AddToScheme also adds what is registered with SchemeBuilder.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)
	AddToScheme   = (&SchemeBuilder).AddToScheme
)

// Kind returns kind with the group.
func Kind(kind string) schema.GroupKind { return schema.GroupKind{Group: GroupName, Kind: kind} }

// Resource returns resource with the group.
func Resource(resource string) schema.GroupResource {
	return schema.GroupResource{Group: GroupName, Resource: resource}
}

func addKnownTypes(s *runtime.Scheme) error {
	s.AddKnownTypes(SchemeGroupVersion, &scheme.Scale{})
	return nil
}
