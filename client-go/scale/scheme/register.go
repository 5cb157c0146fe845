package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
)

// GroupName is the name of the API group.
const GroupName = autoscalingv1.GroupName

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
	s.AddKnownTypes(SchemeGroupVersion, &Scale{})
	return nil
}
