package watch

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
)

// Encoder encodes watch events in two steps: the object with an object encoder, then the frame around it with a
// streaming encoder. It is not safe for concurrent use.
type Encoder struct {
	frames  streaming.Encoder
	objects runtime.Encoder
}

// NewEncoder returns an encoder that writes frames with encoder, around objects that embeddedEncoder encodes.
func NewEncoder(encoder streaming.Encoder, embeddedEncoder runtime.Encoder) *Encoder {
	return &Encoder{frames: encoder, objects: embeddedEncoder}
}

// Encode writes an event.
func (e *Encoder) Encode(event *watch.Event) error {
	data, err := runtime.Encode(e.objects, event.Object)
	if err != nil {
		return err
	}
	return e.frames.Encode(&metav1.WatchEvent{Type: string(event.Type), Object: runtime.RawExtension{Raw: data}})
}
