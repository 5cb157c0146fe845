package watch

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
)

var errNotEvent = errors.New("unable to decode to metav1.WatchEvent")

// Decoder decodes watch events in two steps: the frame with a streaming decoder, then its object with an object
// decoder. It is for custom serializers and for formats other than JSON; see [NewStreamDecoder]. Decode must
// not be called concurrently; Close may be called at any time.
type Decoder struct {
	frames  streaming.Decoder
	objects runtime.Decoder
}

// NewDecoder returns a decoder of events whose frames come from decoder and whose objects embeddedDecoder
// decodes.
func NewDecoder(decoder streaming.Decoder, embeddedDecoder runtime.Decoder) *Decoder {
	return &Decoder{frames: decoder, objects: embeddedDecoder}
}

// Decode returns the next event. It blocks until there is one, or the stream is closed (io.EOF if it ends
// between two events) or broken.
func (d *Decoder) Decode() (watch.EventType, runtime.Object, error) {
	var event metav1.WatchEvent
	got, _, err := d.frames.Decode(nil, &event)
	if err != nil {
		return "", nil, err
	}
	if got != &event {
		return "", nil, errNotEvent
	}
	return decodeObject(&event, d.objects)
}

// Close closes the stream.
func (d *Decoder) Close() {
	// watch.Decoder cannot return the error.
	_ = d.frames.Close()
}

// decodeObject returns the event's type and its object.
func decodeObject(event *metav1.WatchEvent, objects runtime.Decoder) (watch.EventType, runtime.Object, error) {
	return decodeNamed(event.Type, event.Object.Raw, objects)
}

// decodeNamed returns the type with that name and the object.
func decodeNamed(name string, object []byte, objects runtime.Decoder) (watch.EventType, runtime.Object, error) {
	typ, ok := eventType(name)
	if !ok {
		return "", nil, fmt.Errorf("got invalid watch event type: %.32s", name)
	}
	obj, err := runtime.Decode(objects, object)
	if err != nil {
		return "", nil, fmt.Errorf("unable to decode watch event: %w", err)
	}
	return typ, endOf(typ, object, obj), nil
}

// eventType returns the event type with that name.
func eventType(name string) (watch.EventType, bool) {
	for _, typ := range [...]watch.EventType{watch.Added, watch.Modified, watch.Deleted, watch.Bookmark, watch.Error} {
		if string(typ) == name {
			return typ, true // not name, which need not be allocated then
		}
	}
	return "", false
}
