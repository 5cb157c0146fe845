package watch

import (
	"io"

	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

// NewStreamDecoder returns a decoder of the watch events in r, which are JSON
// frames around objects that the decoder objects decodes.
func NewStreamDecoder(r io.ReadCloser, objects codec.StreamDecoder) watch.Decoder {
	return NewDecoder(streaming.NewDecoder(json.Framer.NewFrameReader(r), objects), objects)
}
