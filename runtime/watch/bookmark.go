package watch

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

var (
	initialEventsKey = []byte(metav1.InitialEventsAnnotationKey)
	protobufPrefix   = []byte("k8s\x00")
)

// endOf returns the object of an event: obj, which was decoded from text, or its metadata if it is the bookmark that ends
// the initial events of a watch, and the type of obj has no annotations to tell so, as that of a view.
func endOf(typ watch.EventType, text []byte, obj runtime.Object) runtime.Object {
	if typ != watch.Bookmark || !bytes.Contains(text, initialEventsKey) {
		return obj
	}
	if m, err := meta.Accessor(obj); err != nil || len(m.GetAnnotations()) > 0 {
		return obj
	}
	end, err := metadataOf(text)
	if err != nil || end.Annotations[metav1.InitialEventsAnnotationKey] == "" {
		return obj
	}
	return end
}

// metadataOf decodes the metadata of an object in JSON or protobuf.
func metadataOf(text []byte) (*metav1.PartialObjectMetadata, error) {
	object := &metav1.PartialObjectMetadata{}
	message, isProtobuf := bytes.CutPrefix(text, protobufPrefix)
	if !isProtobuf {
		return object, json.Unmarshal(text, object)
	}
	var envelope runtime.Unknown
	if err := envelope.Unmarshal(message); err != nil {
		return nil, err
	}
	object.TypeMeta = metav1.TypeMeta{APIVersion: envelope.APIVersion, Kind: envelope.Kind}
	return object, object.Unmarshal(envelope.Raw) // in messages of API objects, metadata is field 1
}
