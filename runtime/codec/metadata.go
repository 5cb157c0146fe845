package codec

import (
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// ForMetadata returns the serializer of metadata clients, for JSON, YAML and protobuf. It encodes and decodes the
// types of meta/v1. Its JSON decoder also accepts objects of all other kinds, which a server sends that does not
// know PartialObjectMetadata: into a PartialObjectMetadata, which is the type of what no object is given for, or
// a PartialObjectMetadataList. It skips everything else in them, in the same pass. The kind of the object must be
// in the text; as with [ForScheme], that of the result is empty, and items keep theirs.
func ForMetadata() runtime.NegotiatedSerializer { return metadataSerializer() }

var metadataSerializer = sync.OnceValue(func() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme)
	return negotiated{NegotiatedSerializer: codecs.WithoutConversion(), scheme: scheme, metadata: true}
})

// exactMetadata is apimachinery's decoder, and decodes objects of unknown kinds into metadata.
type exactMetadata struct{ runtime.Decoder }

// Decode implements runtime.Decoder. It replaces the object given, unless there is an error.
func (d exactMetadata) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	// Given an object, the decoder would do without a kind in the text.
	obj, gvk, err := d.Decoder.Decode(data, defaults, nil)
	if err != nil && runtime.IsNotRegisteredError(err) {
		like := metadataFor(into)
		if like == nil {
			return nil, gvk, err
		}
		obj = reflect.New(reflect.TypeOf(like).Elem()).Interface().(runtime.Object)
		err = json.Unmarshal(data, obj)
	}
	if err != nil {
		return nil, gvk, err
	}
	if into == nil || reflect.TypeOf(obj) != reflect.TypeOf(into) {
		return obj, gvk, nil
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(obj).Elem())
	return into, gvk, nil
}

// metadataFor returns the object into which one of an unknown kind is decoded: into, if it is metadata, or a new
// one; nil if into is something else.
func metadataFor(into runtime.Object) runtime.Object {
	switch into.(type) {
	case nil:
		return &metav1.PartialObjectMetadata{}
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		return into
	}
	return nil
}
