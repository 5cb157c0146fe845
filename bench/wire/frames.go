package main

import (
	"bytes"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	restwatch "k8s.io/client-go/rest/watch"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// podFrames returns the frames of modification events of the prepared pods in protobuf, as API servers write them.
func podFrames() ([][]byte, error) {
	_, codecs := builtIn()
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !ok || info.StreamSerializer == nil {
		return nil, runtime.NegotiateError{ContentType: runtime.ContentTypeProtobuf, Stream: true}
	}
	frames := make([][]byte, prepared)
	for i := range frames {
		var frame bytes.Buffer
		writer := streaming.NewEncoder(info.StreamSerializer.NewFrameWriter(&frame), info.StreamSerializer.Serializer)
		if err := restwatch.NewEncoder(writer, info.Serializer).Encode(&watch.Event{Type: watch.Modified, Object: input.Pod(i)}); err != nil {
			return nil, err
		}
		frames[i] = frame.Bytes()
	}
	return frames, nil
}

// repeated reads a number of frames, which it repeats if there are fewer.
type repeated struct {
	frames     [][]byte
	next, left int    // the next frame, and the remaining ones
	rest       []byte // what is left of the frame before them
}

// Read implements [io.Reader]. It fills p unless the end comes first.
func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(r.rest) == 0 {
			if r.left == 0 {
				break
			}
			r.rest = r.frames[r.next%len(r.frames)]
			r.next++
			r.left--
		}
		moved := copy(p[n:], r.rest)
		r.rest = r.rest[moved:]
		n += moved
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
