package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// kinds are those that support protobuf: Kubernetes' own, and those as which any resource can be
// shown.
var kinds = sync.OnceValues(func() (*runtime.Scheme, error) {
	kinds := runtime.NewScheme()
	return kinds, errors.Join(
		scheme.AddToScheme(kinds), apiextensions.AddToScheme(kinds), metav1.AddMetaToScheme(kinds))
})

// encodeProtobuf converts an object in JSON, of Kubernetes' own kinds, to protobuf.
func encodeProtobuf(object []byte) ([]byte, error) {
	decoded, kind, err := scheme.Codecs.UniversalDeserializer().Decode(object, nil, nil)
	if err != nil {
		return nil, err
	}
	decoded.GetObjectKind().SetGroupVersionKind(*kind)
	return runtime.Encode(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme), decoded)
}

// decodeProtobuf converts an object in protobuf to JSON.
func decodeProtobuf(body []byte) ([]byte, error) {
	known, err := kinds()
	if err != nil {
		return nil, err
	}
	object, kind, err := protobuf.NewSerializer(known, known).Decode(body, nil, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return json.Marshal(object)
}

// protobufEvents reads events that are framed by their length.
func protobufEvents(body io.ReadCloser) func() (Event, error) {
	frames := protobuf.LengthDelimitedFramer.NewFrameReader(body)
	raw := protobuf.NewRawSerializer(scheme.Scheme, scheme.Scheme)
	return func() (Event, error) {
		frame, err := readFrame(frames)
		if err != nil {
			return Event{}, err
		}
		var event metav1.WatchEvent
		if _, _, err = raw.Decode(frame, nil, &event); err != nil {
			return Event{}, fmt.Errorf("decode event: %w", err)
		}
		object, err := decodeProtobuf(event.Object.Raw)
		return Event{event.Type, object}, err
	}
}

// readFrame reads a frame of any length.
func readFrame(frames io.Reader) ([]byte, error) {
	var frame []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := frames.Read(buffer)
		frame = append(frame, buffer[:n]...)
		if errors.Is(err, io.ErrShortBuffer) {
			continue
		}
		return frame, err
	}
}

// fromYAML converts YAML to JSON.
func fromYAML(text []byte) ([]byte, error) {
	body, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return body, nil
}
