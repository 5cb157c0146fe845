package gentype

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

// View is a struct with some fields of a kind's type, into which the kind's objects are decoded without the other
// fields. T and L are pointers to the struct and to its list. A View must not be copied, or changed once it is used;
// its methods are safe for concurrent use.
type View[T objectWithMeta, L runtime.Object] struct {
	// Version, Kind and Resource are those of the kind.
	Version  schema.GroupVersion
	Kind     string
	Resource string
	// Numbers has the numbers of the fields in protobuf, as [codec.ForView] documents. If it is empty, clients request JSON.
	Numbers string

	once       sync.Once // guards the fields below
	parameters runtime.ParameterCodec
	negotiator runtime.ClientNegotiator
}

// For returns a client that reads the objects of a namespace; an empty namespace stands for all namespaces, and is used
// for cluster-scoped kinds. Its methods that write are not for objects of views, which lack fields. For panics
// if Numbers is invalid.
func (v *View[T, L]) For(client rest.Interface, namespace string) *AllVerbs[T, L] {
	newObject, newList := maker[T](), maker[L]()
	v.once.Do(func() {
		// A scheme of its own, since another may have the kind's type, or other views of it.
		scheme := runtime.NewScheme()
		scheme.AddKnownTypeWithName(v.Version.WithKind(v.Kind), newObject())
		scheme.AddKnownTypeWithName(v.Version.WithKind(v.Kind+"List"), newList())
		metav1.AddToGroupVersion(scheme, v.Version)
		metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
		serializer := Must(codec.ForView(scheme, serializer.NewCodecFactory(scheme), newObject(), newList(), v.Numbers))
		v.parameters, v.negotiator = runtime.NewParameterCodec(scheme), runtime.NewClientNegotiator(serializer, v.Version)
	})
	e := &endpoint{client: client, resource: v.Resource, namespace: namespace, parameterCodec: v.parameters, prefersProtobuf: v.Numbers != "", negotiator: v.negotiator}
	return &AllVerbs[T, L]{e, newObject, newList}
}
